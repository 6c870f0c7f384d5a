//! How many bytes a chain may grow to.
//!
//! A dump states its own growth and capacities, up to a next link of 32,768 times
//! the keys of the last. A forged one would make the first insert allocate all
//! available memory, so a chain that was read grows in proportion to what was
//! there to be read.

use super::{Full, RedisBloom, Sizing};

/// How far a chain may grow.
#[derive(Clone, Copy, Debug)]
pub(super) enum Limit {
    /// As far as its parameters allow: they are the caller's own.
    None,
    /// With each link to [`FACTOR`] times the bytes at hand, or to [`FREE_BYTES`].
    InProportion,
    /// Up to so many bytes of bits.
    Bytes(u64),
}

/// A chain that doubles, or grows up to sevenfold at a tightening of a half, never
/// reaches this.
const FACTOR: u64 = 8;

/// Growth up to here is always allowed: the links of a server begin small, and may
/// be configured to grow a thousandfold.
const FREE_BYTES: u64 = 64 << 20;

impl RedisBloom {
    /// The most bytes that the bits of all links may take after the next one is
    /// made, or `None` if nothing but its parameters limits the filter.
    ///
    /// None for a filter that was [reserved](Self::reserve). One that was read
    /// from a dump may grow with each link to 64 MiB, or to 8 times the bytes that
    /// it has, whichever is more.
    pub fn max_bytes(&self) -> Option<u64> {
        match self.limit {
            Limit::None => None,
            Limit::InProportion => {
                let there = self.size_bits() / 8;
                Some(there.saturating_mul(FACTOR).max(FREE_BYTES))
            }
            Limit::Bytes(max) => Some(max),
        }
    }

    /// Sets the most bytes that the bits of all links may take, or with `None`
    /// removes any limit. It is not stored or compared.
    ///
    /// Links that are there already stay, however large.
    ///
    /// ```
    /// use bouquet_interop::{RedisBloom, redisbloom::Full};
    ///
    /// let mut filter = RedisBloom::reserve(0.01, 100, Some(32_768))?;
    /// filter.set_max_bytes(Some(1 << 20));
    /// let full = (0..1_000u64).find_map(|key| filter.insert(&key).err());
    /// assert!(matches!(full, Some(Full::Bytes { max: 1_048_576, .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_max_bytes(&mut self, max: Option<u64>) {
        self.limit = max.map_or(Limit::None, Limit::Bytes);
    }

    /// Rejects a link that would exceed the limit, before memory is allocated for it.
    pub(super) fn check_limit(&self, next: &Sizing) -> Result<(), Full> {
        let Some(max) = self.max_bytes() else {
            return Ok(());
        };
        let needed = (self.size_bits() / 8).saturating_add(next.size_bits / 8);
        if needed > max {
            return Err(Full::Bytes { max, needed });
        }
        Ok(())
    }
}
