//! The trailer that is written behind a filter's bits. It identifies the filter and contains its
//! settings. As a part of the string it is evicted, renamed, copied and replicated together with
//! the bits.
//!
//! | bytes | |
//! | ---: | --- |
//! | 8 | the mark: the generation shifted left by one bit, big-endian |
//! | 8 | the lineage, little-endian like all following fields |
//! | 8 | the number of earlier generations of this lineage |
//! | … | the settings of the scheme |
//! | 1 | the scheme's number |
//! | 1 | the version: 1 |
//! | 4 | length of this trailer in bytes |
//! | 8 | the checksum of everything before it, as in the project's files |
//! | 8 | `bouquetR` |
//!
//! The trailer is found from the end of the string, because the size of the bits is one of its
//! fields.

use bouquet_format::checksum;

use crate::{
    Error, Result,
    error::shown,
    mark::{self, Mark},
    scheme::Scheme,
};

pub(crate) const MAGIC: &[u8; 8] = b"bouquetR";

const VERSION: u8 = 1;

/// Number of bytes behind the scheme's settings, and number of bytes before them.
const END: usize = 1 + 1 + 4 + 8 + 8;
const BEGIN: usize = 24;

/// The maximum length of a trailer: that of a RedisBloom filter with 64 links.
pub(crate) const LONGEST: usize = 4096;

/// What a client knows about a filter.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Settings<S> {
    pub(crate) scheme: S,
    /// A random number that stays the same through all rebuilds.
    pub(crate) lineage: u64,
    /// The number of generations before this one. An older state has a smaller number.
    pub(crate) turn: u64,
    pub(crate) generation: u64,
}

impl<S: Scheme> Settings<S> {
    /// The settings of a new filter.
    pub(crate) fn new(scheme: S) -> Self {
        let generation = mark::generation(random());
        Self {
            scheme,
            lineage: generation,
            turn: 0,
            generation,
        }
    }

    /// The settings of the next generation of this filter.
    pub(crate) fn next(&self, scheme: S) -> Self {
        Self {
            lineage: self.lineage,
            turn: self.turn.saturating_add(1),
            ..Self::new(scheme)
        }
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark {
            generation: self.generation,
            byte: self.scheme.string_bytes(),
        }
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut all = self.mark().bytes().to_vec();
        all.extend(self.lineage.to_le_bytes());
        all.extend(self.turn.to_le_bytes());
        self.scheme.put(&mut all);
        all.extend([S::ID, VERSION]);
        all.extend(((all.len() + END - 2) as u32).to_le_bytes());
        all.extend(checksum(&all).to_le_bytes());
        all.extend(MAGIC);
        all
    }

    /// Parses the settings at the end of a string of `bytes` bytes, of which `tail` is the last
    /// part.
    pub(crate) fn of_tail(name: &[u8], tail: &[u8], bytes: u64) -> Result<Self> {
        let damaged = |why: String| Error::Damaged {
            name: shown(name),
            why,
        };
        let Some(trailer) = find(tail) else {
            return Err(Error::Bare { name: shown(name) });
        };
        let trailer = trailer.map_err(|why| damaged(why.into()))?;
        let (body, end) = trailer.split_at(trailer.len() - END);
        let [id, version, ..] = end else {
            return Err(damaged("its settings are cut short".into()));
        };
        if (*id, *version) != (S::ID, VERSION) {
            let known =
                |(id, version): (u8, u8)| format!("{} (version {version})", scheme_name(id));
            return Err(Error::Incompatible {
                name: shown(name),
                parameter: "scheme",
                here: known((S::ID, VERSION)),
                there: known((*id, *version)),
            });
        }
        let mut fields = Fields(body);
        let settings = (|| {
            let generation = u64::from_be_bytes(fields.bytes()?) >> 1;
            let (lineage, turn) = (fields.number()?, fields.number()?);
            let scheme = S::take(&mut fields)?;
            Ok(Self {
                scheme,
                lineage,
                turn,
                generation,
            })
        })();
        let settings = settings.map_err(damaged)?;
        if !fields.0.is_empty() || !mark::is_generation(settings.generation) {
            return Err(damaged(
                "its settings are not such as this version writes".into(),
            ));
        }
        check_size(settings.scheme.size_bits()).map_err(|error| damaged(error.to_string()))?;
        let expected = settings.scheme.string_bytes() + trailer.len() as u64;
        if bytes != expected {
            let why = format!("its settings are those of {expected} bytes, and it has {bytes}");
            return Err(damaged(why));
        }
        Ok(settings)
    }
}

/// Finds the trailer at the end of a string, if there is one.
fn find(tail: &[u8]) -> Option<std::result::Result<&[u8], &'static str>> {
    let before = tail.strip_suffix(MAGIC)?;
    let (before, sum) = before.split_last_chunk::<8>()?;
    let (_, length) = before.split_last_chunk::<4>()?;
    let length = u32::from_le_bytes(*length) as usize;
    let begin = tail.len().checked_sub(length);
    let begin = begin.filter(|_| length >= BEGIN + END);
    let Some(begin) = begin else {
        return Some(Err("the length of its settings is wrong"));
    };
    Some(if checksum(&before[begin..]) == u64::from_le_bytes(*sum) {
        Ok(&tail[begin..])
    } else {
        Err("the checksum of its settings is wrong")
    })
}

fn scheme_name(id: u8) -> &'static str {
    [
        "go-zero",
        "redisson",
        "native",
        "native-shard",
        "redisbloom",
    ]
    .get(usize::from(id).wrapping_sub(1))
    .unwrap_or(&"another one")
}

/// The remaining bytes of the settings that a scheme wrote.
#[derive(Debug)]
pub struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    pub(crate) fn slice(&mut self, bytes: usize) -> std::result::Result<&'a [u8], String> {
        let split = self.0.split_at_checked(bytes);
        let (found, rest) = split.ok_or("its settings are cut short")?;
        self.0 = rest;
        Ok(found)
    }

    pub(crate) fn bytes<const N: usize>(&mut self) -> std::result::Result<[u8; N], String> {
        self.slice(N)?.try_into().map_err(|_| String::new())
    }

    pub(crate) fn number(&mut self) -> std::result::Result<u64, String> {
        self.bytes().map(u64::from_le_bytes)
    }

    pub(crate) fn small(&mut self) -> std::result::Result<u32, String> {
        self.bytes().map(u32::from_le_bytes)
    }
}

/// The minimum number of bits. In a smaller filter most inserts find no clear bit, but a client
/// needs such a bit to notice that an older state was restored.
const MIN_SIZE_BITS: u64 = 512;

/// The maximum number of bits of a string without the trailer.
const MAX_SIZE_BITS: u64 = (1 << 32) - 8 * LONGEST as u64;

pub(crate) fn check_size(size_bits: u64) -> Result<()> {
    if size_bits > MAX_SIZE_BITS {
        let max = MAX_SIZE_BITS;
        return Err(Error::TooLarge { size_bits, max });
    }
    if size_bits < MIN_SIZE_BITS {
        let min = MIN_SIZE_BITS;
        return Err(Error::TooSmall { size_bits, min });
    }
    Ok(())
}

/// A random number. It comes from the keys of the standard library's hash maps, which the operating
/// system's random generator provides.
pub(crate) fn random() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(std::time::SystemTime::now())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GoZero, Native};

    fn of<S: Scheme>(string: &[u8]) -> Result<Settings<S>> {
        let tail = &string[string.len().saturating_sub(LONGEST)..];
        Settings::of_tail(b"roses", tail, string.len() as u64)
    }

    #[test]
    fn only_the_whole_string_has_settings() {
        let settings = Settings::new(GoZero::new(8_000).unwrap_or_else(|_| unreachable!()));
        let mut string = vec![0; 1_000];
        string.extend(settings.to_bytes());
        assert_eq!(of(&string).ok().as_ref(), Some(&settings));
        assert!(matches!(
            of::<Native>(&string),
            Err(Error::Incompatible { .. })
        ));
        // The string is truncated at either end.
        for length in 0..string.len() {
            let cut = of::<GoZero>(&string[..length]);
            assert!(matches!(cut, Err(Error::Bare { .. })), "{length}");
            let short = of::<GoZero>(&string[length + 1..]);
            assert!(matches!(
                short,
                Err(Error::Damaged { .. } | Error::Bare { .. })
            ));
        }
        string.push(0);
        assert!(matches!(of::<GoZero>(&string), Err(Error::Bare { .. })));
        string.pop();
        // Every flipped bit of the trailer is detected.
        for byte in 1_000..string.len() {
            string[byte] ^= 1 << (byte % 8);
            assert!(of::<GoZero>(&string).is_err(), "{byte}");
            string[byte] ^= 1 << (byte % 8);
        }
    }

    #[test]
    fn forged_sizes_are_errors() {
        for size_bits in [0, 1, 511, u64::MAX, MAX_SIZE_BITS + 1, 8_008] {
            let mut settings = Settings::new(GoZero::new(8_000).unwrap_or_else(|_| unreachable!()));
            if let Ok(scheme) = GoZero::new(size_bits) {
                settings.scheme = scheme;
            }
            let mut string = vec![0; 1_001];
            string.extend(settings.to_bytes());
            let found = of::<GoZero>(&string);
            assert_eq!(found.is_ok(), size_bits == 8_008, "{size_bits}: {found:?}");
        }
    }
}
