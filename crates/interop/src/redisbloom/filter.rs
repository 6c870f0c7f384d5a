//! The chain of links.

use alloc::{vec, vec::Vec};
use core::{error::Error, fmt};

use bouquet_core::{Filter, Prehashed, SpecError};

use super::{RedisBloomHash, RedisKey, Sizing, limit::Limit, link::Link};

/// The options in a header.
pub(super) const NO_ROUND: u32 = 1;
pub(super) const FORCE_64: u32 = 4;
pub(super) const NO_SCALING: u32 = 8;

/// The largest `EXPANSION` that a server accepts.
pub const MAX_EXPANSION: u32 = 1 << 15;

/// What the peer stores as growth for a filter that does not grow.
const DEFAULT_EXPANSION: u32 = 2;

/// A filter of RedisBloom: a chain of links, the newest of which takes keys.
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
    /// Oldest first, never empty.
    pub(super) links: Vec<Link>,
    pub(super) options: u32,
    pub(super) expansion: u32,
    /// How far it may grow here; not part of the filter's identity.
    pub(super) limit: Limit,
}

/// Equal links, options and growth, as a server has them.
impl PartialEq for RedisBloom {
    fn eq(&self, other: &Self) -> bool {
        let own = (self.options, self.expansion, &self.links);
        own == (other.options, other.expansion, &other.links)
    }
}

/// Why a key is rejected. Nothing has changed.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Full {
    /// The filter does not grow and is at its capacity.
    NonScaling {
        /// Its capacity.
        capacity: u64,
    },
    /// The next link would exceed the [limit](RedisBloom::set_max_bytes) on the bytes
    /// of all links.
    Bytes {
        /// The most bytes of bits allowed.
        max: u64,
        /// The bytes that all links would take with the next one.
        needed: u64,
    },
    /// The next link cannot be made.
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
    /// What `BF.RESERVE key target_fpr capacity EXPANSION expansion` makes, or
    /// with `None` what it makes with `NONSCALING`. The server's default
    /// expansion is 2, its most [`MAX_EXPANSION`].
    ///
    /// Newer servers lower a target above 0.25 to that first.
    ///
    /// # Errors
    ///
    /// As [`Sizing::first_link`], [`SpecError::GrowthOutOfRange`] and
    /// [`SpecError::OutOfMemory`]. An expansion of 0 is taken as none.
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

    /// Inserts a key, as `BF.ADD`; `true` if it was definitely not present before.
    ///
    /// # Errors
    ///
    /// [`Full`]: the filter would have to grow and does not or cannot. A key
    /// that is present already is not an error.
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
    /// Queries the newest link first: it is the largest.
    pub fn contains_hash(&self, hash: RedisBloomHash) -> bool {
        let holds = |link: &Link| {
            let mut slots = link.scheme.locations(hash);
            slots.all(|slot| link.bits.test(slot))
        };
        self.links.iter().rev().any(holds)
    }

    /// The newest link, after a new one if it was full.
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
        // The chain is never empty.
        self.links.last_mut().ok_or(Full::NonScaling { capacity })
    }

    /// Keys that all links together take: `Capacity` in `BF.INFO`.
    pub fn capacity(&self) -> u64 {
        let capacities = self.links.iter().map(|link| link.sizing.capacity);
        capacities.fold(0, u64::saturating_add)
    }

    /// Keys that were new when they were inserted: `Number of items inserted`
    /// in `BF.INFO`, and `BF.CARD`.
    pub fn keys(&self) -> u64 {
        self.links.iter().map(|link| link.keys).sum()
    }

    /// The parameters of each link, oldest first.
    pub fn links(&self) -> impl ExactSizeIterator<Item = &Sizing> {
        self.links.iter().map(|link| &link.sizing)
    }

    /// The bits of each link, oldest first: slot i is bit i mod 64, from the
    /// least significant, of word i/64.
    pub fn words(&self) -> impl ExactSizeIterator<Item = &[u64]> {
        self.links.iter().map(|link| link.bits.words())
    }

    /// By how much the next link is larger, or `None` for a filter that does not
    /// grow.
    pub fn expansion(&self) -> Option<u32> {
        (self.options & NO_SCALING == 0).then_some(self.expansion)
    }

    /// Bits of storage of all links.
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
    fn contains(&self, key: &[u8]) -> bool {
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
