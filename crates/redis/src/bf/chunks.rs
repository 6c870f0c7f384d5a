//! Copies a whole filter to this machine with `BF.SCANDUMP`.

use bouquet_interop::redisbloom::RedisBloom;
use redis::{Value, cmd};

use super::RemoteBf;
use crate::{
    Error, Result,
    batch::array,
    bitmap::whole,
    calls::calls,
    error::{damaged, unexpected},
    wire::Wire,
};

calls! {
    impl [] RemoteBf[] {
        /// Copies the filter from the server; the copy gives the same answers, including the same
        /// false positives. `to_bytes` of the copy gives a file. `BF.LOADCHUNK` on another server
        /// takes each of its `chunks`, and [`adopt`](Self::adopt) then takes over the loaded
        /// filter.
        ///
        /// Reads one chunk of at most 16 MiB at a time, and retries each after a failure. Keys that
        /// are inserted meanwhile may be missing from the copy.
        ///
        /// # Errors
        ///
        /// [`Error::Unsupported`] if the server has no `BF.SCANDUMP`; [`Error::Damaged`] if the
        /// chunks are not a filter.
        fn pull[](&self) -> RedisBloom { |wire| self.pull_on(wire).await }
    }
}

impl RemoteBf {
    async fn pull_on(&self, wire: &mut impl Wire) -> Result<RedisBloom> {
        let (next, header) = self.chunk(wire, 0).await?;
        let wanted = bytes_of_links(&header).ok_or_else(|| self.damaged("too short"))?;
        let mut chunks = vec![(next, header)];
        let mut at = next;
        // Reads only the links that the header lists: a link that was added since is not part of
        // the copy.
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
        damaged(self.name(), why.into())
    }
}

/// Total number of bytes of the bits of all links that the header lists.
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
