//! A connection that is made again after a failure.

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

        /// The replies to a pipeline.
        fn pipeline(
            connection: &mut Self::Connection,
            cmd: &[u8],
            (offset, count): (usize, usize),
        ) -> RedisResult<Vec<Value>> {
            connection.req_packed_commands(cmd, offset, count)
        }
    }
}

/// What a [`Reconnecting`] connects with: a `Client`, or with the feature `cluster` a
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

    /// By itself the connection would wait for each reply that is left after one that did not
    /// come in time: a batch has hundreds.
    fn pipeline(
        connection: &mut Connection,
        cmd: &[u8],
        (offset, count): (usize, usize),
    ) -> RedisResult<Vec<Value>> {
        if offset > 0 {
            // A transaction of the caller's, some of whose replies are dropped.
            return connection.req_packed_commands(cmd, offset, count);
        }
        connection.send_packed_command(cmd)?;
        let mut replies = Vec::with_capacity(count);
        while replies.len() < count {
            match connection.recv_response()? {
                // No reply to anything.
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
        // By itself it would send a command again whose reply was lost, and say nothing: an
        // insert would take its own bits for those of others.
        connection.set_auto_reconnect(false);
        Ok(connection)
    }
}

/// A connection to the server at this URL, `redis://[user:password@]host[:port][/database]`, with timeouts of two
/// seconds, which connects again after a failure.
///
/// ```no_run
/// let mut server = bouquet_redis::connect("redis://127.0.0.1/")?;
/// # Ok::<(), bouquet_redis::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::Redis`], with the address if no server answers there.
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

/// The error of a server that cannot be reached, with where it was looked for.
fn at(address: &ConnectionAddr, error: RedisError) -> RedisError {
    if error.is_timeout() || !error.is_io_error() {
        return error;
    }
    let said = format!("no server answers at {address}: {error}");
    io::Error::new(io::ErrorKind::ConnectionRefused, said).into()
}

/// A blocking connection with a timeout, which connects when it is first used and again
/// after a failure.
///
/// A failed connection is dropped, and nothing more is read from it. That of a
/// cluster queries again which node has which slots when it is made; by itself it does not find
/// the replica that took the place of a master that died.
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
    /// `timeout` is for connecting, for each write and for each reply.
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
        // Moved out, so that it is dropped if this fails.
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
    /// Without the address, which may have a password.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reconnecting")
            .field("timeout", &self.timeout)
            .field("is_open", &self.connection.is_some())
            .finish_non_exhaustive()
    }
}
