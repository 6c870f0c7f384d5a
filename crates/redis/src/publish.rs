//! From a temporary name to the filter's own, in one step.

use std::time::Duration;

use redis::{Pipeline, RedisError, Value, cmd, pipe};

use crate::{
    Result, Retry,
    bitmap::whole,
    create::exists,
    error::{may_be_done, unexpected},
    name::Name,
    ours::{Kind, must_be_ours},
    settings::Fields,
    wire::{Attempts, Wire, ask},
};

/// How long what is being built stays on the server after its last insert.
pub(crate) const LIFETIME: Duration = Duration::from_secs(3600);

fn put_fields(write: &mut Pipeline, key: &[u8], fields: &Fields) {
    let put = write.cmd("HSET").arg(key);
    for (field, value) in fields.pairs() {
        put.arg(field).arg(value);
    }
}

/// Settings under the temporary name, which expire.
pub(crate) fn put_settings(write: &mut Pipeline, draft: &Name, fields: &Fields) {
    put_fields(write, &draft.meta, fields);
    expire(write, &draft.meta);
}

pub(crate) fn expire(write: &mut Pipeline, key: &[u8]) {
    let lifetime = LIFETIME.as_millis() as u64;
    write.cmd("PEXPIRE").arg(key).arg(lifetime);
}

/// What was built, and its final name.
pub(crate) struct Publication<'a> {
    pub(crate) draft: &'a Name,
    pub(crate) target: &'a Name,
    pub(crate) generation: u64,
    /// What Redisson reads.
    pub(crate) config: Option<Fields>,
}

impl Publication<'_> {
    /// Gives it its name, if the name is free.
    pub(crate) async fn first(&self, wire: &mut impl Wire, retry: Retry) -> Result<()> {
        let Self { draft, target, .. } = *self;
        let mut all = pipe();
        all.atomic();
        all.cmd("PERSIST").arg(&draft.string);
        all.cmd("PERSIST").arg(&draft.meta);
        all.cmd("RENAMENX").arg(&draft.meta).arg(&target.meta);
        all.cmd("RENAMENX").arg(&draft.string).arg(&target.string);
        self.put_config(&mut all);
        let mut attempts = Attempts::new(retry);
        loop {
            match wire.many(&all).await {
                Ok(replies) => {
                    let made = as_first(&replies)?;
                    return self.made(wire, &mut attempts, made).await;
                }
                Err(error) if self.is_done(wire, &attempts, &error).await => return Ok(()),
                Err(error) => attempts.failed(wire, "RENAMENX", error).await?,
            }
        }
    }

    /// Deletes what was made if it is only one of the two: it is ours.
    async fn made(
        &self,
        wire: &mut impl Wire,
        attempts: &mut Attempts,
        (made_settings, made_string): (i64, i64),
    ) -> Result<()> {
        if (made_settings, made_string) == (1, 1) {
            return Ok(());
        }
        let mut undo = cmd("UNLINK");
        undo.arg(&self.draft.string).arg(&self.draft.meta);
        if made_settings == 1 {
            undo.arg(&self.target.meta);
        }
        if made_string == 1 {
            undo.arg(&self.target.string);
        }
        attempts.one(wire, "UNLINK", &undo).await?;
        Err(exists(self.target, "a filter or another key"))
    }

    /// Puts it in the place of the old one, with the time at which that expires.
    ///
    /// After a lost reply the transaction is sent again and may be executed twice: a second
    /// time it leaves everything as it is.
    pub(crate) async fn replace(
        &self,
        wire: &mut impl Wire,
        retry: Retry,
        kind: Kind,
    ) -> Result<()> {
        let Self { draft, target, .. } = *self;
        must_be_ours(wire, target, kind).await?;
        let mut attempts = Attempts::new(retry);
        let left = cmd("PTTL").arg(&target.string).to_owned();
        let left_ms = whole("PTTL", &attempts.one(wire, "PTTL", &left).await?)?;
        let old = [&draft.string[..], b":old"].concat();
        let mut all = pipe();
        all.atomic();
        all.cmd("RENAMENX").arg(&target.string).arg(&old);
        all.cmd("RENAMENX").arg(&draft.string).arg(&target.string);
        // Back, if nothing came in its place: then it is the new one already.
        all.cmd("RENAMENX").arg(&old).arg(&target.string);
        all.cmd("RENAME").arg(&draft.meta).arg(&target.meta);
        // RENAME would free the old one at once, and keep others waiting.
        all.cmd("UNLINK").arg(&old);
        self.put_config(&mut all);
        for key in target.all() {
            if left_ms > 0 {
                all.cmd("PEXPIRE").arg(key).arg(left_ms);
            } else {
                all.cmd("PERSIST").arg(key);
            }
        }
        loop {
            // That there is no old one to rename is no failure; all else is.
            let checked = |replies: Vec<Value>| {
                let mut counted = replies.into_iter().enumerate();
                counted.find_map(|(i, reply)| match i {
                    0 | 2 => None,
                    _ => reply.extract_error().err(),
                })
            };
            let error = match wire.many(&all).await.map(checked) {
                Ok(None) => return Ok(()),
                Ok(Some(error)) | Err(error) => error,
            };
            if self.is_done(wire, &attempts, &error).await {
                return Ok(());
            }
            attempts.failed(wire, "RENAME", error).await?;
        }
    }

    /// Whether it was done already and the reply was lost.
    async fn is_done(&self, wire: &mut impl Wire, attempts: &Attempts, error: &RedisError) -> bool {
        if !attempts.lost_reply && !may_be_done(error) {
            return false;
        }
        let there = cmd("HGETALL").arg(&self.target.meta).to_owned();
        let there = ask(wire, Retry::default(), "HGETALL", &there).await;
        there
            .and_then(|reply| Fields::of_reply(&self.target.string, reply))
            .and_then(|fields| fields.number("generation"))
            .is_ok_and(|generation| generation == self.generation)
    }

    fn put_config(&self, all: &mut Pipeline) {
        if let (Some(key), Some(fields)) = (&self.target.config, &self.config) {
            put_fields(all, key, fields);
        }
    }
}

fn as_first(replies: &[Value]) -> Result<(i64, i64)> {
    let [_, _, settings, string, ..] = replies else {
        return Err(unexpected("RENAMENX", &Value::Array(replies.to_vec())));
    };
    Ok((whole("RENAMENX", settings)?, whole("RENAMENX", string)?))
}
