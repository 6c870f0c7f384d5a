//! Whole filters: to this machine by `BF.SCANDUMP`, and back by `BF.LOADCHUNK`.

use std::sync::Arc;

use bouquet_interop::redisbloom::RedisBloom;
use redis::{Value, cmd, pipe};

use super::{Known, RemoteBf};
use crate::{
    Error, Result, Retry,
    batch::array,
    bitmap::whole,
    calls::calls,
    draft::LIFETIME,
    error::{shown, unexpected},
    name::Name,
    trailer::random,
    wire::{Attempts, Wire},
};

calls! {
    impl [] RemoteBf[] {
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
        fn pull[](&self) -> RedisBloom { |wire| self.pull_on(wire).await }

        /// A new filter on the server from one of this machine, under a temporary name until
        /// it is complete. One key of this crate's own is inserted.
        ///
        /// # Errors
        ///
        /// As [`create`](Self::create); [`Error::Redis`] that names `BF.ADD` if the filter
        /// does not grow and is full.
        fn push[](name: impl AsRef<[u8]>, filter: &RedisBloom) -> Self {
            |wire| crate::RemoteBf::push_on(wire, name, filter).await
        }
    }
}

impl RemoteBf {
    async fn pull_on(&self, wire: &mut impl Wire) -> Result<RedisBloom> {
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
        let asked = cmd(COMMAND).arg(&self.name.string).arg(iter).to_owned();
        let pair = array(COMMAND, self.reply_to(wire, COMMAND, &asked).await?)?;
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

    async fn push_on(
        wire: &mut impl Wire,
        name: impl AsRef<[u8]>,
        filter: &RedisBloom,
    ) -> Result<Self> {
        const COMMAND: &str = "BF.LOADCHUNK";
        let known = Known::of(random());
        let target = Name::new(name.as_ref(), false)?;
        let draft = target.draft(known.generation);
        for (i, (iter, data)) in filter.chunks().enumerate() {
            let mut load = pipe();
            load.atomic();
            if i == 0 {
                // The only one that is not idempotent.
                load.cmd("UNLINK").arg(&draft.string);
            }
            load.cmd(COMMAND).arg(&draft.string).arg(iter).arg(data);
            let lifetime = LIFETIME.as_millis() as u64;
            load.cmd("PEXPIRE").arg(&draft.string).arg(lifetime);
            let mut attempts = Attempts::new(Retry::default());
            attempts.many(wire, &draft, COMMAND, &load).await?;
        }
        let publish = super::scripts::publish(&target, &draft, &known);
        let mut attempts = Attempts::new(Retry::default());
        match whole(
            "BF.ADD",
            &attempts.one(wire, &target, "BF.ADD", &publish).await?,
        )? {
            0 => Ok(Self::of(Arc::new(target), known)),
            1 => Err(Error::Exists {
                name: shown(&target.string),
                what: "a filter or another key",
            }),
            _ => Err(Error::NotFound {
                name: shown(&draft.string),
            }),
        }
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
