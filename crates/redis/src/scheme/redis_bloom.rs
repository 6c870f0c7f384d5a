//! Filters of RedisBloom stored in a plain Redis string, for servers without the module.

use std::{ops::Range, sync::Arc};

use bouquet_core::math::{estimated_keys, fpr_given_fill};
use bouquet_interop::redisbloom::{self, RedisBloomHash, Scheme as Locations, Sizing};

use super::{Scheme, sealed::Sealed};
use crate::{RemoteBitmap, Result, calls::calls, error::damaged, trailer::Fields};

/// The scheme of a RedisBloom filter. The string contains the concatenated bits of its links, byte
/// for byte as `BF.SCANDUMP` returns them, and every key gets the answer that the module would
/// give.
///
/// A filter of several links is queried as in the module, and keys are inserted into its last link.
/// No link is added: when the last link has reached its capacity, [rebuild](RemoteBitmap::rebuild)
/// the filter.
///
/// ```no_run
/// use bouquet_redis::{RedisBloom, RemoteBf, RemoteBitmap, connect};
///
/// // From a server with the module to one without.
/// let filter = {
///     let mut with_module = connect("redis://one/")?;
///     RemoteBf::join(&mut with_module, "seen")?.pull(&mut with_module)?
/// };
/// let mut server = connect("redis://two/")?;
/// let seen = RemoteBitmap::load(&mut server, "seen", &filter)?;
/// assert!(seen.contains(&mut server, "rose")?);
/// // And back: what `BF.LOADCHUNK` takes.
/// for (iter, data) in seen.unload(&mut server)?.chunks() {}
/// # Ok::<(), bouquet_redis::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct RedisBloom(Arc<Chain>);

#[derive(PartialEq, Debug)]
struct Chain {
    /// The header, as `BF.SCANDUMP` returns it.
    header: Vec<u8>,
    links: Vec<Link>,
    /// Whether keys are hashed to 32 bits, as in filters of the oldest versions.
    is_narrow: bool,
    /// The number of set bits of the last link when the filter was loaded. Any further ones were
    /// set by keys inserted since.
    ones: u64,
}

#[derive(PartialEq, Debug)]
struct Link {
    bytes: Range<u64>,
    locations: Locations,
    hashes: u32,
}

/// Size in bytes of the header before the links, and of the header of each link; offset of the
/// number of keys in a link's header.
const FIXED: usize = 20;
const LINK: usize = 53;
const KEYS: usize = 16;

/// The maximum number of links, whose headers fit into the settings. If links double, the 64th has
/// 2^63 times the capacity of the first.
const MAX_LINKS: usize = 64;

/// The option of filters that hash keys to 64 bits.
const FORCE_64: u32 = 4;

impl RedisBloom {
    /// The scheme of this filter, without its keys.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if the filter has more than 64 links.
    pub fn of(filter: &redisbloom::RedisBloom) -> Result<Self> {
        let header = filter.chunks().next().map(|(_, header)| header);
        let ones = filter.words().last().unwrap_or_default();
        let ones = ones.iter().map(|word| u64::from(word.count_ones())).sum();
        Self::of_header(&header.unwrap_or_default(), ones).map_err(|why| damaged(b"", why))
    }

    fn of_header(header: &[u8], ones: u64) -> std::result::Result<Self, String> {
        let (links, rest) = header.get(FIXED..).unwrap_or_default().as_chunks::<LINK>();
        if links.is_empty() || links.len() > MAX_LINKS || !rest.is_empty() {
            return Err(format!("its header is not that of 1 to {MAX_LINKS} links"));
        }
        let options = u32::from_le_bytes([header[12], header[13], header[14], header[15]]);
        let mut all = Vec::with_capacity(links.len());
        let mut end = 0u64;
        for link in links {
            let word = |at: usize| {
                let mut word = [0; 8];
                word.copy_from_slice(&link[at..at + 8]);
                u64::from_le_bytes(word)
            };
            let (bytes, hashes) = (word(0), word(40) as u32);
            let first = end;
            end = end.saturating_add(bytes);
            if bytes == 0 || end > 1 << 29 {
                return Err("its header has more bits than a string".into());
            }
            let sizing = Sizing::from_parts(
                (word(44), f64::from_bits(word(24))),
                f64::from_bits(word(32)),
                (bytes.saturating_mul(8), hashes),
                link[52],
            );
            let locations = sizing.scheme().map_err(|error| error.to_string())?;
            let slots = if link[52] == 0 {
                sizing.size_bits
            } else {
                1 << link[52]
            };
            if slots > sizing.size_bits || hashes > 1_024 {
                return Err("a link of its header has sizes that do not fit".into());
            }
            all.push(Link {
                bytes: first..end,
                locations,
                hashes,
            });
        }
        Ok(Self(Arc::new(Chain {
            header: header.to_vec(),
            links: all,
            is_narrow: options & FORCE_64 == 0,
            ones,
        })))
    }

    fn last(&self) -> &Link {
        // There is at least one link: this was checked when the header was read.
        &self.0.links[self.0.links.len() - 1]
    }

    /// The filter with these bits, as a filter of RedisBloom.
    fn filter(&self, bits: &[u8]) -> std::result::Result<redisbloom::RedisBloom, String> {
        let last = self.last();
        let of = |range: &Range<u64>| bits.get(range.start as usize..range.end as usize);
        let ones = of(&last.bytes).unwrap_or_default().iter();
        let ones: u64 = ones.map(|byte| u64::from(byte.count_ones())).sum();
        let keys = |ones: u64| {
            let slots = 8 * (last.bytes.end - last.bytes.start);
            estimated_keys(slots, last.hashes, ones as f64 / slots as f64)
        };
        let mut header = self.0.header.clone();
        if ones > self.0.ones {
            let more = (keys(ones) - keys(self.0.ones)).round() as u64;
            for at in [0, header.len() - LINK + KEYS] {
                let mut word = [0; 8];
                word.copy_from_slice(&header[at..at + 8]);
                let sum = u64::from_le_bytes(word).saturating_add(more);
                header[at..at + 8].copy_from_slice(&sum.to_le_bytes());
            }
        }
        let mut chunks = vec![(1, &header[..])];
        for link in &self.0.links {
            let data = of(&link.bytes).ok_or("its bits are cut short")?;
            chunks.push((link.bytes.end as i64 + 1, data));
        }
        redisbloom::RedisBloom::from_chunks(&chunks).map_err(|error| error.to_string())
    }
}

impl Scheme for RedisBloom {
    const NAME: &'static str = "redisbloom";

    fn size_bits(&self) -> u64 {
        8 * self.string_bytes()
    }

    fn hashes(&self) -> u32 {
        self.last().hashes
    }
}

impl Sealed for RedisBloom {
    const ID: u8 = 5;

    fn parts(&self) -> Vec<usize> {
        self.0
            .links
            .iter()
            .map(|link| link.hashes as usize)
            .collect()
    }

    fn part_bytes(&self) -> Vec<Range<u64>> {
        self.0.links.iter().map(|link| link.bytes.clone()).collect()
    }

    fn visit(&self, key: &[u8], visit: &mut dyn FnMut(u64)) {
        let hash = match self.0.is_narrow {
            false => RedisBloomHash::wide(key),
            true => RedisBloomHash::narrow(key),
        };
        for link in &self.0.links {
            let first = 8 * link.bytes.start;
            // The server counts the bits of a byte from the most significant one, the module from
            // the least significant one.
            let locations = link.locations.locations(hash);
            locations.for_each(|location| visit((first + location) ^ 7));
        }
    }

    fn string_bytes(&self) -> u64 {
        self.last().bytes.end
    }

    fn fpr_now(&self, fills: &[f64]) -> f64 {
        let links = self.0.links.iter().zip(fills);
        1.0 - links.fold(1.0, |absent, (link, fill)| {
            absent * (1.0 - fpr_given_fill(*fill, link.hashes))
        })
    }

    fn put(&self, all: &mut Vec<u8>) {
        all.extend(self.0.ones.to_le_bytes());
        all.extend((self.0.header.len() as u32).to_le_bytes());
        all.extend(&self.0.header);
    }

    fn take(fields: &mut Fields<'_>) -> std::result::Result<Self, String> {
        let ones = fields.number()?;
        let length = fields.small()?;
        Self::of_header(fields.slice(length as usize)?, ones)
    }

    fn difference(&self, other: &Self) -> Option<super::Difference> {
        super::differ([
            ("size_bits (m)", self.size_bits(), other.size_bits()),
            (
                "links",
                self.0.links.len() as u64,
                other.0.links.len() as u64,
            ),
            ("hashes (k)", self.hashes().into(), other.hashes().into()),
        ])
    }
}

calls! {
    impl [] RemoteBitmap[RedisBloom] {
        /// Creates a filter with the bits of a RedisBloom filter that was
        /// [pulled](crate::RemoteBf::pull) from a server or read from a file of chunks.
        ///
        /// # Errors
        ///
        /// As [`create`](Self::create).
        fn load[](name: impl AsRef<[u8]>, filter: &redisbloom::RedisBloom) -> Self {
            |wire| {
                let scheme = RedisBloom::of(filter)?;
                let bits: Vec<u8> = filter.chunks().skip(1).flat_map(|(_, data)| data).collect();
                crate::RemoteBitmap::create_of_on(wire, name, scheme, &bits).await
            }
        }

        /// Copies the filter as one of RedisBloom, whose chunks `BF.LOADCHUNK` accepts. The numbers
        /// of keys in it are those of the loaded filter plus an estimate of the keys inserted
        /// since.
        ///
        /// # Errors
        ///
        /// [`Error`].
        fn unload[](&self) -> redisbloom::RedisBloom {
            |wire| {
                let bits = self.string_on(wire).await?;
                self.scheme().filter(&bits).map_err(|why| damaged(self.name(), why))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forged_sizes_are_errors() -> std::result::Result<(), Box<dyn std::error::Error>> {
        let filter = redisbloom::RedisBloom::reserve(0.01, 100, None)?;
        let header = filter.chunks().next().unwrap_or_default().1;
        assert!(RedisBloom::of_header(&header, 0).is_ok());
        for bytes in [0, (1 << 29) + 1, 1 << 61, u64::MAX] {
            let mut forged = header.clone();
            forged[FIXED..FIXED + 8].copy_from_slice(&bytes.to_le_bytes());
            assert!(RedisBloom::of_header(&forged, 0).is_err(), "{bytes}");
        }
        assert!(RedisBloom::of_header(&header[..header.len() - 1], 0).is_err());
        Ok(())
    }
}
