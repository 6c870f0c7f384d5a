//! A connection that reconnects after a failure.

use std::{
    io,
    time::{Duration, Instant},
};

use redis::{
    Client, Cmd, Connection, ConnectionAddr, ConnectionLike, IntoConnectionInfo, RedisError,
    RedisResult, Value,
};

use crate::{Error, error::of_failure};

mod sealed {
    use super::*;

    pub trait Connect {
        type Connection: ConnectionLike;

        fn connect(&self, timeout: Duration) -> RedisResult<Self::Connection>;

        /// Sends a pipeline and returns the replies.
        fn pipeline(
            connection: &mut Self::Connection,
            cmd: &[u8],
            (offset, count): (usize, usize),
        ) -> RedisResult<Vec<Value>> {
            connection.req_packed_commands(cmd, offset, count)
        }
    }
}

/// What a [`Reconnecting`] can connect with: a `Client`, or with the feature `cluster` a
/// `ClusterClient`.
pub trait Connect: sealed::Connect {}

impl Connect for Client {}

impl sealed::Connect for Client {
    type Connection = Connection;

    fn connect(&self, timeout: Duration) -> RedisResult<Connection> {
        let connection = self.get_connection_with_timeout(timeout);
        let connection =
            connection.map_err(|error| at(self.get_connection_info().addr(), error))?;
        connection.set_read_timeout(Some(timeout))?;
        connection.set_write_timeout(Some(timeout))?;
        Ok(connection)
    }

    /// The connection's own method would wait for each remaining reply after one that timed out,
    /// and a batch has hundreds of replies.
    fn pipeline(
        connection: &mut Connection,
        cmd: &[u8],
        (offset, count): (usize, usize),
    ) -> RedisResult<Vec<Value>> {
        if offset > 0 {
            // A transaction of the caller, of which some replies are dropped.
            return connection.req_packed_commands(cmd, offset, count);
        }
        connection.send_packed_command(cmd)?;
        let mut replies = Vec::with_capacity(count);
        while replies.len() < count {
            match connection.recv_response()? {
                // A push message is not a reply to a command.
                Value::Push { .. } => {}
                reply => replies.push(reply),
            }
        }
        Ok(replies)
    }
}

#[cfg(feature = "cluster")]
impl Connect for redis::cluster::ClusterClient {}

#[cfg(feature = "cluster")]
impl sealed::Connect for redis::cluster::ClusterClient {
    type Connection = redis::cluster::ClusterConnection;

    fn connect(&self, timeout: Duration) -> RedisResult<Self::Connection> {
        let config = redis::cluster::ClusterConfig::new()
            .set_connection_timeout(timeout)
            .set_response_timeout(timeout);
        let connection = self.get_connection_with_config(config)?;
        // With automatic reconnects the connection would silently send a command again whose reply
        // was lost, and an insert would mistake the bits that it set itself for those of others.
        connection.set_auto_reconnect(false);
        Ok(connection)
    }
}

/// Connects to the server at this URL, `redis://[user:password@]host[:port][/database]`, with
/// timeouts of two seconds. The connection reconnects after a failure.
///
/// ```no_run
/// let mut server = bouquet_redis::connect("redis://127.0.0.1/")?;
/// # Ok::<(), bouquet_redis::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::Redis`]; it contains the address if no server answers there.
pub fn connect(server: impl IntoConnectionInfo) -> Result<Reconnecting, Error> {
    let timeout = Duration::from_secs(2);
    let began = Instant::now();
    let connected = Client::open(server).and_then(|client| {
        let mut made = Reconnecting::new(client, timeout);
        made.using(|_| Ok(()))?;
        Ok(made)
    });
    connected.map_err(|error| of_failure("connect", 1, began.elapsed(), error))
}

/// Adds the address to the error of a server that cannot be reached.
fn at(address: &ConnectionAddr, error: RedisError) -> RedisError {
    if error.is_timeout() || !error.is_io_error() {
        return error;
    }
    let said = format!("no server answers at {address}: {error}");
    io::Error::new(io::ErrorKind::ConnectionRefused, said).into()
}

/// A blocking connection with a timeout. It connects at the first use, and again after a failure.
///
/// After a failure the connection is dropped, and nothing more is read from it. A new cluster
/// connection queries again which node has which slots; without this it would not find the replica
/// that replaced a failed master.
///
/// ```no_run
/// use std::time::Duration;
///
/// use bouquet_redis::{GoZero, Reconnecting, RemoteBitmap};
///
/// let client = bouquet_redis::redis::Client::open("redis://127.0.0.1/")?;
/// let mut connection = Reconnecting::new(client, Duration::from_millis(500));
/// let filter = RemoteBitmap::<GoZero>::join(&mut connection, "seen")?;
/// let may_be_present = filter.contains(&mut connection, "rose")?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reconnecting<C: Connect = Client> {
    client: C,
    timeout: Duration,
    connection: Option<C::Connection>,
}

impl<C: Connect> Reconnecting<C> {
    /// Makes a connection of `client`. `timeout` applies to connecting, to each write and to each
    /// reply.
    pub fn new(client: C, timeout: Duration) -> Self {
        Self {
            client,
            timeout,
            connection: None,
        }
    }

    fn using<T>(
        &mut self,
        send: impl FnOnce(&mut C::Connection) -> RedisResult<T>,
    ) -> RedisResult<T> {
        // The connection is moved out, so that it is dropped if this call fails.
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.client.connect(self.timeout)?,
        };
        let reply = send(&mut connection)?;
        self.connection = Some(connection);
        Ok(reply)
    }
}

impl<C: Connect> ConnectionLike for Reconnecting<C> {
    fn req_packed_command(&mut self, cmd: &[u8]) -> RedisResult<Value> {
        self.using(|connection| connection.req_packed_command(cmd))
    }

    fn req_packed_commands(
        &mut self,
        cmd: &[u8],
        offset: usize,
        count: usize,
    ) -> RedisResult<Vec<Value>> {
        self.using(|connection| C::pipeline(connection, cmd, (offset, count)))
    }

    fn req_command(&mut self, cmd: &Cmd) -> RedisResult<Value> {
        self.using(|connection| connection.req_command(cmd))
    }

    fn get_db(&self) -> i64 {
        self.connection.as_ref().map_or(0, ConnectionLike::get_db)
    }

    fn check_connection(&mut self) -> bool {
        redis::cmd("PING").exec(self).is_ok()
    }

    fn is_open(&self) -> bool {
        self.connection.as_ref().is_none_or(ConnectionLike::is_open)
    }
}

impl<C: Connect> std::fmt::Debug for Reconnecting<C> {
    /// Omits the address, which may contain a password.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reconnecting")
            .field("timeout", &self.timeout)
            .field("is_open", &self.connection.is_some())
            .finish_non_exhaustive()
    }
}
