//! Allows each call to be written once for both kinds of connection: it is an async function over a
//! [`Wire`], and over a blocking connection it completes when it is first polled.

use std::{
    future::Future,
    pin::pin,
    task::{Context, Poll, Waker},
    thread,
    time::{Duration, Instant},
};

use redis::{Cmd, ConnectionLike, ErrorKind, Pipeline, RedisError, RedisResult, Value};

use crate::{
    Error,
    batch::all_good,
    error::{self, Result},
    name::Name,
};

/// For how long a call is retried after transient failures.
///
/// Setting and reading bits is idempotent. So commands are sent again until the deadline after a
/// lost connection (also in the middle of a reply), `LOADING`, `BUSY`, `TRYAGAIN`, `CLUSTERDOWN`,
/// `MASTERDOWN`, `MOVED` and `ASK`. How long one attempt may take depends on the connection: set
/// its timeouts, and use one that reconnects by itself (a pool, a `ConnectionManager`,
/// [`Reconnecting`](crate::Reconnecting)); a plain `Connection` stays broken after a failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Retry {
    /// No attempt begins after this time since the start of the call.
    pub deadline: Duration,
    /// The pause before the second attempt. It doubles with each further attempt, up to one second.
    pub pause: Duration,
}

impl Default for Retry {
    fn default() -> Self {
        Self {
            deadline: Duration::from_secs(2),
            pause: Duration::from_millis(5),
        }
    }
}

impl Retry {
    /// Makes only one attempt.
    pub const NEVER: Self = Self {
        deadline: Duration::ZERO,
        pause: Duration::ZERO,
    };
}

/// A blocking or a non-blocking connection.
pub(crate) trait Wire {
    /// Whether a cluster's connection accepts commands for many slots in one pipeline, if all these
    /// slots are on one node.
    const HAS_PIPELINES_TO_NODES: bool;

    async fn one(&mut self, cmd: &Cmd) -> RedisResult<Value>;

    /// The replies of a pipeline, including those that are errors.
    async fn many(&mut self, pipe: &Pipeline) -> RedisResult<Vec<Value>>;

    async fn pause(&mut self, time: Duration);
}

/// A blocking connection.
pub(crate) struct Blocking<'a, C>(pub(crate) &'a mut C);

impl<C: ConnectionLike> Wire for Blocking<'_, C> {
    const HAS_PIPELINES_TO_NODES: bool = true;

    async fn one(&mut self, cmd: &Cmd) -> RedisResult<Value> {
        self.0.req_command(cmd)?.extract_error()
    }

    async fn many(&mut self, pipe: &Pipeline) -> RedisResult<Vec<Value>> {
        let bytes = pipe.get_packed_pipeline();
        finish(
            pipe,
            self.0.req_packed_commands(&bytes, 0, replies_to(pipe))?,
        )
    }

    async fn pause(&mut self, time: Duration) {
        thread::sleep(time);
    }
}

/// A non-blocking connection.
#[cfg(feature = "async")]
pub(crate) struct Async<'a, C>(pub(crate) &'a mut C);

#[cfg(feature = "async")]
impl<C: redis::aio::ConnectionLike> Wire for Async<'_, C> {
    const HAS_PIPELINES_TO_NODES: bool = false;

    async fn one(&mut self, cmd: &Cmd) -> RedisResult<Value> {
        self.0.req_packed_command(cmd).await?.extract_error()
    }

    async fn many(&mut self, pipe: &Pipeline) -> RedisResult<Vec<Value>> {
        let replies = self.0.req_packed_commands(pipe, 0, replies_to(pipe));
        finish(pipe, replies.await?)
    }

    async fn pause(&mut self, time: Duration) {
        tokio::time::sleep(time).await;
    }
}

/// The number of replies to wait for. A transaction has those of `MULTI`, of each queued command
/// and of `EXEC`. The client's own `query` drops the first ones, and with them the reason why a
/// transaction was rejected; and if `MULTI` itself is not allowed, it miscounts.
fn replies_to(pipe: &Pipeline) -> usize {
    pipe.len() + if pipe.is_transaction() { 2 } else { 0 }
}

fn finish(pipe: &Pipeline, mut replies: Vec<Value>) -> RedisResult<Vec<Value>> {
    if !pipe.is_transaction() {
        return Ok(replies);
    }
    let done = replies.pop().unwrap_or_default();
    for queued in replies {
        queued.extract_error()?;
    }
    match done {
        Value::Array(replies) => Ok(replies),
        Value::ServerError(error) => Err(error.into()),
        _ => Err(RedisError::from((
            ErrorKind::UnexpectedReturnType,
            "EXEC did not return an array",
        ))),
    }
}

/// Runs a call over a [`Blocking`] wire to its end and returns its result.
pub(crate) fn now<T>(call: impl Future<Output = T>) -> T {
    let mut call = pin!(call);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        // This is ready at the first poll, because every operation in it blocks.
        if let Poll::Ready(result) = call.as_mut().poll(&mut context) {
            return result;
        }
        thread::yield_now();
    }
}

/// Counts the attempts to send a command, and retries as often as the [`Retry`] allows.
pub(crate) struct Attempts {
    retry: Retry,
    began: Instant,
    count: u32,
    /// Whether a reply was lost, so that the server may have executed an earlier attempt.
    pub(crate) lost_reply: bool,
}

impl Attempts {
    pub(crate) fn new(retry: Retry) -> Self {
        Self {
            retry,
            began: Instant::now(),
            count: 0,
            lost_reply: false,
        }
    }

    /// After a failure: waits and returns `Ok` if another attempt should be made, otherwise returns
    /// the error for the caller.
    pub(crate) async fn failed(
        &mut self,
        wire: &mut impl Wire,
        command: &'static str,
        error: RedisError,
    ) -> Result<()> {
        self.lost_reply |= error::may_be_done(&error);
        let is_passing = error::is_passing(&error);
        if is_passing && self.goes_on(wire).await {
            return Ok(());
        }
        let attempts = self.count + u32::from(!is_passing);
        Err(error::of_failure(
            command,
            attempts,
            self.began.elapsed(),
            error,
        ))
    }

    /// Waits before another attempt; returns `false` if there is no time for one.
    pub(crate) async fn goes_on(&mut self, wire: &mut impl Wire) -> bool {
        self.count += 1;
        // The pause doubles with each attempt.
        let pause = self.retry.pause * (1 << (self.count - 1).min(10));
        let pause = pause.min(Duration::from_secs(1));
        let goes_on = self.began.elapsed() + pause < self.retry.deadline;
        if goes_on {
            wire.pause(pause).await;
        }
        goes_on
    }

    /// The reply to one command on this filter. The command may be sent several times.
    pub(crate) async fn one(
        &mut self,
        wire: &mut impl Wire,
        name: &Name,
        command: &'static str,
        cmd: &Cmd,
    ) -> Result<Value> {
        loop {
            match wire.one(cmd).await {
                Ok(reply) => return Ok(reply),
                Err(error) => self.failed_about(wire, name, command, error).await?,
            }
        }
    }

    /// The replies to a pipeline of commands on this filter, none of which is an error. The
    /// commands may be sent several times.
    pub(crate) async fn many(
        &mut self,
        wire: &mut impl Wire,
        name: &Name,
        command: &'static str,
        pipe: &Pipeline,
    ) -> Result<Vec<Value>> {
        loop {
            match wire.many(pipe).await.and_then(all_good) {
                Ok(replies) => return Ok(replies),
                Err(error) => self.failed_about(wire, name, command, error).await?,
            }
        }
    }

    async fn failed_about(
        &mut self,
        wire: &mut impl Wire,
        name: &Name,
        command: &'static str,
        error: RedisError,
    ) -> Result<()> {
        if error::is_wrong_type(&error) {
            let name = error::shown(&name.string);
            return Err(Error::OtherType { name });
        }
        self.failed(wire, command, error).await
    }
}
