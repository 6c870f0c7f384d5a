//! Double hashing with a step that grows from probe to probe.

use bouquet_core::{KeyHash, Locate, SpecError};

use super::checked;
use crate::reduce::Reciprocal;

/// Enhanced double hashing: x = place, y = probe; location i is x mod m; then
/// x += y, y += i + 1. All in wrapping 64-bit words.
///
/// The growing step breaks the straight lines of [`DoubleHashing`]: the excess of the FPR falls
/// to at most 0.06/m. **It needs the remainder**: the growth is in the low bits, which
/// multiply-shift ignores, so with multiply-shift this is plain double hashing.
///
/// Source: Dillinger and Manolios, "Bloom filters in probabilistic verification", FMCAD 2004,
/// section 5.2. The paper reduces x and y modulo m at each step; here they wrap, and only the
/// location is reduced.
///
/// ```
/// use bouquet_core::KeyHash;
/// use bouquet_hash::scheme::EnhancedDoubleHashing;
///
/// let scheme = EnhancedDoubleHashing::new(100, 5)?;
/// let slots: Vec<u64> = scheme.locations(KeyHash::new(1_090, 7)).collect();
/// assert_eq!(slots, [90, 97, 5, 15, 28]);
/// # Ok::<(), bouquet_core::SpecError>(())
/// ```
///
/// [`DoubleHashing`]: super::DoubleHashing
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EnhancedDoubleHashing {
    size_bits: Reciprocal,
    hashes: u32,
}

impl EnhancedDoubleHashing {
    /// The scheme for m = `size_bits` (1 to 2^48) and k = `hashes` (1 to 128).
    ///
    /// # Errors
    ///
    /// [`SpecError::ZeroSizeBits`], [`SpecError::TooLarge`],
    /// [`SpecError::HashesOutOfRange`].
    pub const fn new(size_bits: u64, hashes: u32) -> Result<Self, SpecError> {
        match checked(size_bits, hashes) {
            Ok(size_bits) => Ok(Self { size_bits, hashes }),
            Err(error) => Err(error),
        }
    }

    /// The k locations of a hash, in probe order.
    #[inline]
    pub fn locations(self, hash: KeyHash) -> impl Iterator<Item = u64> {
        let (mut x, mut y) = (hash.place, hash.probe);
        (1..=u64::from(self.hashes)).map(move |growth| {
            let location = self.size_bits.rem(x);
            x = x.wrapping_add(y);
            y = y.wrapping_add(growth);
            location
        })
    }
}

impl Locate for EnhancedDoubleHashing {
    type Hash = KeyHash;

    fn slots(&self) -> u64 {
        self.size_bits.divisor()
    }

    fn probes(&self) -> u32 {
        self.hashes
    }

    fn locate(&self, hash: &KeyHash, visit: &mut dyn FnMut(u64)) {
        self.locations(*hash).for_each(visit);
    }
}
