//! Whole filters: to this machine by `BF.SCANDUMP`, and back by `BF.LOADCHUNK`.

use bouquet_interop::RedisBloom;
use redis::{ConnectionLike, Value, pipe};

use super::RemoteBf;
use crate::{
    Error, Result,
    batch::array,
    bitmap::whole,
    create::must_be_free,
    error::{shown, unexpected},
    marked::{Marked, following},
    name::Name,
    publish::expire,
    settings::random,
    wire::{Attempts, Blocking, Wire, now},
};

impl RemoteBf {
    /// The filter as it is on the server, with the same answers, false positives
    /// included. Its `to_bytes` are a file.
    ///
    /// A chunk of at most 16 MiB at a time, each retried after a failure. Keys that
    /// are inserted meanwhile may be in it or not.
    ///
    /// # Errors
    ///
    /// [`Error::Unsupported`] if the server has no `BF.SCANDUMP`; [`Error::Damaged`] for
    /// chunks that are not a filter.
    pub fn pull(&self, connection: &mut impl ConnectionLike) -> Result<RedisBloom> {
        now(self.pull_on(&mut Blocking(connection)))
    }

    pub(super) async fn pull_on(&self, wire: &mut impl Wire) -> Result<RedisBloom> {
        following!(self, wire, |filter| filter.pull_once(wire))
    }

    async fn pull_once(&self, wire: &mut impl Wire) -> Result<RedisBloom> {
        let (next, header) = self.chunk(wire, 0).await?;
        let wanted = bytes_of_links(&header).ok_or_else(|| self.damaged("too short"))?;
        let mut chunks = vec![(next, header)];
        let mut at = next;
        // No more than the header states: a link added since is not part of it.
        while (at as u64) <= wanted {
            let (next, data) = self.chunk(wire, at).await?;
            if next != at.saturating_add(data.len() as i64) || data.is_empty() {
                return Err(self.damaged("the bits are shorter than the header states"));
            }
            at = next;
            chunks.push((next, data));
        }
        let chunks: Vec<(i64, &[u8])> = (chunks.iter())
            .map(|(iter, data)| (*iter, &data[..]))
            .collect();
        RedisBloom::from_chunks(&chunks).map_err(|error| self.damaged(&error.to_string()))
    }

    async fn chunk(&self, wire: &mut impl Wire, iter: i64) -> Result<(i64, Vec<u8>)> {
        const COMMAND: &str = "BF.SCANDUMP";
        let mut all = self.transaction();
        all.cmd(COMMAND).arg(&self.name.string).arg(iter);
        let mut replies = self.transact(wire, COMMAND, &all).await?;
        let pair = array(COMMAND, replies.pop().unwrap_or_default())?;
        match <[Value; 2]>::try_from(pair) {
            Ok([next, Value::BulkString(data)]) => Ok((whole(COMMAND, &next)?, data)),
            Ok([_, other]) => Err(unexpected(COMMAND, &other)),
            Err(other) => Err(unexpected(COMMAND, &Value::Array(other))),
        }
    }

    fn damaged(&self, why: &str) -> Error {
        Error::Damaged {
            name: shown(&self.name.string),
            why: why.into(),
        }
    }

    /// A new filter on the server from one of this machine, under a temporary name until
    /// it is complete. One key of this crate's own is inserted.
    ///
    /// # Errors
    ///
    /// As [`create`](Self::create); [`Error::Redis`] that names `BF.ADD` if the filter
    /// does not grow and is full.
    pub fn push(
        connection: &mut impl ConnectionLike,
        name: impl AsRef<[u8]>,
        filter: &RedisBloom,
    ) -> Result<Self> {
        now(Self::push_on(
            &mut Blocking(connection),
            name.as_ref(),
            filter,
        ))
    }

    pub(super) async fn push_on(
        wire: &mut impl Wire,
        name: &[u8],
        filter: &RedisBloom,
    ) -> Result<Self> {
        const COMMAND: &str = "BF.LOADCHUNK";
        let target = Name::new(name, false)?;
        must_be_free(wire, &target).await?;
        let new = Self::of(target.clone(), random(), random());
        let draft = target.draft(new.generation);
        for (i, (iter, data)) in filter.chunks().enumerate() {
            let mut load = pipe();
            load.atomic();
            if i == 0 {
                // The only one that is not idempotent.
                load.cmd("UNLINK").arg(&draft.string);
            }
            load.cmd(COMMAND).arg(&draft.string).arg(iter).arg(data);
            expire(&mut load, &draft.string);
            let mut attempts = Attempts::new(new.retry);
            attempts.many(wire, COMMAND, &load).await?;
        }
        let mut mark = pipe();
        mark.atomic();
        new.mark(&mut mark, &draft);
        let mut attempts = Attempts::new(new.retry);
        attempts.many(wire, "BF.ADD", &mark).await?;
        new.publish(wire, &draft).await
    }
}

/// Bytes of the bits of all links, as stated in the header.
fn bytes_of_links(header: &[u8]) -> Option<u64> {
    const FIXED: usize = 20;
    const LINK: usize = 53;
    let mut total = 0u64;
    for link in header.get(FIXED..)?.chunks(LINK) {
        let bytes = link.first_chunk::<8>()?;
        total = total.checked_add(u64::from_le_bytes(*bytes))?;
    }
    Some(total)
}
