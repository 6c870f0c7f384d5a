//! The filter: a chain of links.

use alloc::{vec, vec::Vec};
use core::{error::Error, fmt};

use bouquet_core::{Filter, Prehashed, SpecError};

use super::{RedisBloomHash, RedisKey, Sizing, limit::Limit, link::Link};

/// Bits of the options field in a header.
pub(super) const NO_ROUND: u32 = 1;
pub(super) const FORCE_64: u32 = 4;
pub(super) const NO_SCALING: u32 = 8;

/// The largest `EXPANSION` that a server accepts.
pub const MAX_EXPANSION: u32 = 1 << 15;

/// The growth factor that the peer stores for a filter that does not grow.
const DEFAULT_EXPANSION: u32 = 2;

/// A filter of RedisBloom: a chain of links. New keys are inserted into the newest link.
///
/// ```
/// use bouquet_interop::RedisBloom;
///
/// // BF.RESERVE key 0.01 1000
/// let mut filter = RedisBloom::reserve(0.01, 1_000, Some(2))?;
/// assert_eq!(filter.insert("rose"), Ok(true));
/// // BF.SCANDUMP: what BF.LOADCHUNK takes.
/// let chunks: Vec<(i64, Vec<u8>)> = filter.chunks().collect();
/// let chunks: Vec<(i64, &[u8])> = chunks.iter().map(|(iter, data)| (*iter, &data[..])).collect();
/// assert_eq!(RedisBloom::from_chunks(&chunks)?, filter);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RedisBloom {
    /// The links, oldest first. There is at least one.
    pub(super) links: Vec<Link>,
    pub(super) options: u32,
    pub(super) expansion: u32,
    /// How far this filter may grow; it is not stored and not compared.
    pub(super) limit: Limit,
}

/// Two filters are equal if their links, options and growth factors are equal. The limit is
/// ignored.
impl PartialEq for RedisBloom {
    fn eq(&self, other: &Self) -> bool {
        let own = (self.options, self.expansion, &self.links);
        own == (other.options, other.expansion, &other.links)
    }
}

/// Why a key was rejected. The filter is unchanged.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Full {
    /// The filter cannot grow and has reached its capacity.
    NonScaling {
        /// The capacity of the filter in keys.
        capacity: u64,
    },
    /// The next link would exceed the [limit](RedisBloom::set_max_bytes) on the bytes
    /// of all links.
    Bytes {
        /// The limit on the bytes of bits.
        max: u64,
        /// The bytes that all links would take with the next one.
        needed: u64,
    },
    /// The parameters of the next link are out of range, or its memory cannot be allocated.
    NextLink(SpecError),
}

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NonScaling { capacity } => write!(
                f,
                "the filter is full: it does not grow, and has the {capacity} keys that it is sized for"
            ),
            Self::Bytes { max, needed } => write!(
                f,
                "the filter is full: with the next link its bits would take {needed} bytes, and \
                 {max} are allowed; allow more with set_max_bytes if the filter is to be trusted"
            ),
            Self::NextLink(error) => {
                write!(f, "the filter is full: no next link can be made: {error}")
            }
        }
    }
}

impl Error for Full {}

impl RedisBloom {
    /// An empty filter like that of `BF.RESERVE key target_fpr capacity EXPANSION expansion`; with
    /// `None`, like that with `NONSCALING`. The server's default expansion is 2 and its maximum is
    /// [`MAX_EXPANSION`].
    ///
    /// Newer servers first lower a target above 0.25 to 0.25; this function does not.
    ///
    /// # Errors
    ///
    /// As [`Sizing::first_link`], [`SpecError::GrowthOutOfRange`] and [`SpecError::OutOfMemory`].
    /// An expansion of 0 is treated as `None`.
    pub fn reserve(
        target_fpr: f64,
        capacity: u64,
        expansion: Option<u32>,
    ) -> Result<Self, SpecError> {
        let expansion = expansion.filter(|factor| *factor > 0);
        if let Some(growth) = expansion.filter(|factor| *factor > MAX_EXPANSION) {
            let max = MAX_EXPANSION;
            return Err(SpecError::GrowthOutOfRange { growth, max });
        }
        let first = Sizing::first_link(capacity, target_fpr, expansion.is_some())?;
        let scaling = if expansion.is_some() { 0 } else { NO_SCALING };
        Ok(Self {
            links: vec![Link::new(first)?],
            options: NO_ROUND | FORCE_64 | scaling,
            expansion: expansion.unwrap_or(DEFAULT_EXPANSION),
            limit: Limit::None,
        })
    }

    /// Inserts a key, like `BF.ADD`; `true` if it was definitely not present before.
    ///
    /// # Errors
    ///
    /// [`Full`]: the filter would have to grow and must not or cannot. Inserting a key that is
    /// already present is never an error.
    pub fn insert<K: RedisKey + ?Sized>(&mut self, key: &K) -> Result<bool, Full> {
        self.insert_hash(key.with_bytes(|bytes| self.hash(bytes)))
    }

    /// Whether the filter may contain the key; `false`: it is definitely absent.
    pub fn contains<K: RedisKey + ?Sized>(&self, key: &K) -> bool {
        self.contains_hash(key.with_bytes(|bytes| self.hash(bytes)))
    }

    /// Inserts the key with this hash.
    ///
    /// # Errors
    ///
    /// As [`insert`](Self::insert).
    pub fn insert_hash(&mut self, hash: RedisBloomHash) -> Result<bool, Full> {
        if self.contains_hash(hash) {
            return Ok(false);
        }
        let link = self.open_link()?;
        crate::filter::set(&mut link.bits, link.scheme.locations(hash));
        link.keys += 1;
        Ok(true)
    }

    /// Whether the filter may contain the key with this hash; `false`: it is definitely absent.
    ///
    /// The newest link is queried first, because it is usually the largest.
    pub fn contains_hash(&self, hash: RedisBloomHash) -> bool {
        let holds = |link: &Link| {
            let mut slots = link.scheme.locations(hash);
            slots.all(|slot| link.bits.test(slot))
        };
        self.links.iter().rev().any(holds)
    }

    /// The newest link; if it is full, a new link is added first.
    fn open_link(&mut self) -> Result<&mut Link, Full> {
        let capacity = self.capacity();
        let expansion = self.expansion();
        let next = match self.links.last() {
            Some(newest) if !newest.is_full() => None,
            Some(newest) => {
                let expansion = expansion.ok_or(Full::NonScaling { capacity })?;
                let sizing = newest.sizing.next_link(expansion);
                let sizing = sizing.map_err(Full::NextLink)?;
                self.check_limit(&sizing)?;
                Some(Link::new(sizing).map_err(Full::NextLink)?)
            }
            None => None,
        };
        self.links.extend(next);
        // This error never occurs, because there is at least one link.
        self.links.last_mut().ok_or(Full::NonScaling { capacity })
    }

    /// The number of keys for which all links together are sized: `Capacity` in `BF.INFO`.
    pub fn capacity(&self) -> u64 {
        let capacities = self.links.iter().map(|link| link.sizing.capacity);
        capacities.fold(0, u64::saturating_add)
    }

    /// The number of keys that were not yet present when they were inserted: `Number of items
    /// inserted` in `BF.INFO`, and `BF.CARD`.
    pub fn keys(&self) -> u64 {
        self.links.iter().map(|link| link.keys).sum()
    }

    /// The parameters of each link, oldest first.
    pub fn links(&self) -> impl ExactSizeIterator<Item = &Sizing> {
        self.links.iter().map(|link| &link.sizing)
    }

    /// The bits of each link, oldest first, as words of 64: slot i is bit i mod 64 of word i/64,
    /// counted from the least significant bit.
    pub fn words(&self) -> impl ExactSizeIterator<Item = &[u64]> {
        self.links.iter().map(|link| link.bits.words())
    }

    /// The ratio of the next link's capacity to that of the last one, or `None` for a filter that
    /// does not grow.
    pub fn expansion(&self) -> Option<u32> {
        (self.options & NO_SCALING == 0).then_some(self.expansion)
    }

    /// Total number of bits of all links.
    pub fn size_bits(&self) -> u64 {
        self.links.iter().map(|link| link.bits.len()).sum()
    }

    fn hash(&self, key: &[u8]) -> RedisBloomHash {
        if self.options & FORCE_64 != 0 {
            RedisBloomHash::wide(key)
        } else {
            RedisBloomHash::narrow(key)
        }
    }
}

impl Filter for RedisBloom {
    fn contains_bytes(&self, key: &[u8]) -> bool {
        self.contains(key)
    }
}

impl Prehashed for RedisBloom {
    type Hash = RedisBloomHash;

    fn hash_key(&self, key: &[u8]) -> RedisBloomHash {
        self.hash(key)
    }

    fn contains_hash(&self, hash: RedisBloomHash) -> bool {
        self.contains_hash(hash)
    }
}
