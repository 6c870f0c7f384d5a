//! A connection that is made again after a failure.

use std::time::Duration;

use redis::{Client, Cmd, Connection, ConnectionLike, RedisResult, Value};

/// A blocking connection with a timeout, which connects when it is first used and again
/// after a failure.
///
/// What a connection that failed might still say is never read: it is dropped.
///
/// ```no_run
/// use std::time::Duration;
///
/// use bouquet_redis::{GoZero, Reconnecting, RemoteBitmap};
///
/// let client = bouquet_redis::redis::Client::open("redis://127.0.0.1/")?;
/// let mut connection = Reconnecting::new(client, Duration::from_millis(500));
/// let mut filter = RemoteBitmap::<GoZero>::join(&mut connection, "seen")?;
/// let may_be_present = filter.contains(&mut connection, "rose")?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reconnecting {
    client: Client,
    timeout: Duration,
    connection: Option<Connection>,
}

impl Reconnecting {
    /// `timeout` is for connecting, for each write and for each reply.
    pub fn new(client: Client, timeout: Duration) -> Self {
        Self {
            client,
            timeout,
            connection: None,
        }
    }

    fn using<T>(&mut self, send: impl FnOnce(&mut Connection) -> RedisResult<T>) -> RedisResult<T> {
        // Out of its place, so that it is dropped if this fails.
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => {
                let connection = self.client.get_connection_with_timeout(self.timeout)?;
                connection.set_read_timeout(Some(self.timeout))?;
                connection.set_write_timeout(Some(self.timeout))?;
                connection
            }
        };
        let reply = send(&mut connection)?;
        self.connection = Some(connection);
        Ok(reply)
    }
}

impl ConnectionLike for Reconnecting {
    fn req_packed_command(&mut self, cmd: &[u8]) -> RedisResult<Value> {
        self.using(|connection| connection.req_packed_command(cmd))
    }

    fn req_packed_commands(
        &mut self,
        cmd: &[u8],
        offset: usize,
        count: usize,
    ) -> RedisResult<Vec<Value>> {
        self.using(|connection| connection.req_packed_commands(cmd, offset, count))
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

impl std::fmt::Debug for Reconnecting {
    /// Without the address, which may have a password.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reconnecting")
            .field("timeout", &self.timeout)
            .field("is_open", &self.connection.is_some())
            .finish_non_exhaustive()
    }
}
