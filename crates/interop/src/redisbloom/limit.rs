//! Limits how many bytes a chain may grow to.
//!
//! A dump states its own growth factor and capacities, so the next link may be up to 32,768 times
//! larger than the last one. With a forged dump the first insert would allocate all available
//! memory. So a chain that was read from a dump may only grow in proportion to its size.

use super::{Full, RedisBloom, Sizing};

/// The limit on the growth of a chain.
#[derive(Clone, Copy, Debug)]
pub(super) enum Limit {
    /// No limit but the parameters, because the caller chose them.
    None,
    /// With each new link the chain may grow to [`FACTOR`] times its current bytes, or to
    /// [`FREE_BYTES`], whichever is more.
    InProportion,
    /// The bits of all links may take at most this number of bytes.
    Bytes(u64),
}

/// A chain whose capacity doubles with each link never reaches this limit, nor does one that grows
/// up to sevenfold while the target FPR halves.
const FACTOR: u64 = 8;

/// Growth up to this size is always allowed, because a server's links start small and may be
/// configured to grow a thousandfold.
const FREE_BYTES: u64 = 64 << 20;

impl RedisBloom {
    /// The maximum number of bytes that the bits of all links may take, including the next link, or
    /// `None` if there is no such limit.
    ///
    /// There is no limit for a filter that was [reserved](Self::reserve). A filter that was read
    /// from a dump may grow with each link to 64 MiB, or to 8 times its current number of bytes,
    /// whichever is more.
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

    /// Sets the maximum number of bytes that the bits of all links may take; `None` removes the
    /// limit. The limit is neither stored nor compared.
    ///
    /// Existing links are kept even if they exceed the limit.
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

    /// Returns an error if the next link would exceed the limit, before memory is allocated for it.
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
