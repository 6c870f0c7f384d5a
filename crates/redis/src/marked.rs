//! What every kind of filter on a server can do because it is marked: be queried in one
//! transaction with its mark, and expire.

use std::time::Duration;

use redis::{Pipeline, RedisError, RedisResult, Value, pipe};

use crate::{
    Error, Lost, Result, Retry,
    bitmap::whole,
    error::{is_wrong_type, shown},
    name::Name,
    wire::{Attempts, Wire},
};

/// A call about a filter, and once more about what it was rebuilt as if it is gone.
macro_rules! following {
    ($filter:expr, $wire:expr, |$each:ident| $call:expr) => {{
        let $each = $filter;
        match $call.await {
            Err(crate::Error::FilterLost { how, .. }) => {
                let $each = $filter.rebuilt($wire, how).await?;
                $call.await
            }
            done => done,
        }
    }};
}
pub(crate) use following;

/// A filter whose loss is noticed.
pub(crate) trait Marked {
    fn marked_name(&self) -> &Name;

    fn marked_retry(&self) -> Retry;

    /// The command that checks whether the filter exists.
    fn question(&self) -> redis::Cmd;

    /// What the reply to it means.
    fn is_there(&self, reply: Value) -> Result<std::result::Result<(), Lost>>;

    /// What it was rebuilt as, or that it is lost.
    async fn rebuilt(&self, wire: &mut impl Wire, lost: Lost) -> Result<Self>
    where
        Self: Sized;

    fn lost(&self, how: Lost) -> Error {
        Error::FilterLost {
            name: shown(&self.marked_name().string),
            how,
        }
    }

    /// After a failure: returns if the call is to be tried again.
    async fn failed(
        &self,
        wire: &mut impl Wire,
        attempts: &mut Attempts,
        command: &'static str,
        error: RedisError,
    ) -> Result<()> {
        if is_wrong_type(&error) {
            return Err(self.lost(Lost::OtherType));
        }
        attempts.failed(wire, command, error).await
    }

    /// A transaction whose first command queries the mark.
    fn transaction(&self) -> Pipeline {
        let mut all = pipe();
        all.atomic();
        all.add_command(self.question());
        all
    }

    /// The replies to a transaction without that for the mark.
    async fn transact(
        &self,
        wire: &mut impl Wire,
        command: &'static str,
        all: &Pipeline,
    ) -> Result<Vec<Value>> {
        let mut attempts = Attempts::new(self.marked_retry());
        loop {
            let error = match wire.many(all).await.map(split_first) {
                Ok((Ok(marks), rest)) => {
                    // A lost filter first: the errors of the others come of that.
                    self.is_there(marks)?.map_err(|lost| self.lost(lost))?;
                    match rest {
                        Ok(rest) => return Ok(rest),
                        Err(error) => error,
                    }
                }
                Ok((Err(error), _)) | Err(error) => error,
            };
            self.failed(wire, &mut attempts, command, error).await?;
        }
    }

    async fn expire_on(&self, wire: &mut impl Wire, after: Duration) -> Result<()>
    where
        Self: Sized,
    {
        following!(self, wire, |filter| filter.expire_once(wire, after))
    }

    async fn expire_once(&self, wire: &mut impl Wire, after: Duration) -> Result<()> {
        let mut all = self.transaction();
        let after = u64::try_from(after.as_millis())
            .unwrap_or(u64::MAX)
            .min(1 << 50);
        for key in self.marked_name().all() {
            all.cmd("PEXPIRE").arg(key).arg(after);
        }
        for reply in self.transact(wire, "PEXPIRE", &all).await? {
            if whole("PEXPIRE", &reply)? != 1 {
                return Err(self.lost(Lost::Gone));
            }
        }
        Ok(())
    }

    async fn ttl_on(&self, wire: &mut impl Wire) -> Result<Option<Duration>>
    where
        Self: Sized,
    {
        following!(self, wire, |filter| filter.ttl_once(wire))
    }

    async fn ttl_once(&self, wire: &mut impl Wire) -> Result<Option<Duration>> {
        let mut all = self.transaction();
        for key in self.marked_name().all() {
            all.cmd("PTTL").arg(key);
        }
        let mut least = None;
        for reply in self.transact(wire, "PTTL", &all).await? {
            match whole("PTTL", &reply)? {
                -2 => return Err(self.lost(Lost::Gone)),
                -1 => {}
                left => {
                    let left = Duration::from_millis(left.max(0) as u64);
                    least = Some(least.map_or(left, |least: Duration| least.min(left)));
                }
            }
        }
        Ok(least)
    }
}

/// The first reply, and all others if none is an error.
fn split_first(replies: Vec<Value>) -> (RedisResult<Value>, RedisResult<Vec<Value>>) {
    let mut replies = replies.into_iter().map(Value::extract_error);
    let first = replies.next().unwrap_or(Ok(Value::Nil));
    (first, replies.collect())
}
