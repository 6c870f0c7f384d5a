//! The default scheme: rotate, add, multiply-shift.

use core::iter::FusedIterator;

use bouquet_core::{KeyHash, Locate, SpecError};

use super::checked;
use crate::reduce::multiply_shift;

/// How far the word is rotated from probe to probe.
///
/// Probes i and i + j of a member and a non-member may collide by chance. If the rotations
/// bring the same bits back to the top after j steps, then probe i + 2j collides too, and so
/// on: such pairs raise the FPR. (A single rotation by 21, which after three steps is back
/// except for one bit, gives 1.3 times the FPR at m = 128 and k = 14.) So the word and the step
/// are rotated by different amounts, chosen such that for no j up to 15 both return to within 9
/// bits of their position. Odd rotations reach all 64 positions.
const WORD_TURN: u32 = 23;
/// How far the step is rotated from probe to probe.
const STEP_TURN: u32 = 13;

/// The words from which the probes of a key are computed: an endless sequence of 64-bit words,
/// to be reduced by [`multiply_shift`].
///
/// ```text
/// word_0   = probe                            step_0   = place
/// word_i+1 = rotl(word_i + step_i, 23)        step_i+1 = rotl(step_i, 13)
/// ```
///
/// All 128 bits of a wide hash count: the slot is decided by the high bits of a word, which are
/// a different part of the hash in each word. For a hash that has been [split](KeyHash::split),
/// the step is the remaining part of `place`. About 32 bits of it should remain, so a hash
/// should be split among at most 2^32 places.
///
/// # Cost
///
/// An addition and a rotation per word: two cycles.
///
/// ```
/// use bouquet_core::KeyHash;
/// use bouquet_hash::{Probes, reduce::multiply_shift};
///
/// let hash = KeyHash::from_word(0xc0ff_ee00_dead_beef);
/// let slots: Vec<u64> = Probes::new(hash)
///     .take(7)
///     .map(|word| multiply_shift(word, 1_000))
///     .collect();
/// assert!(slots.iter().all(|slot| *slot < 1_000));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Probes {
    pub(super) word: u64,
    pub(super) step: u64,
}

impl Probes {
    /// The words for this hash.
    #[inline]
    pub const fn new(hash: KeyHash) -> Self {
        Self {
            word: hash.probe,
            step: hash.place,
        }
    }

    /// Returns the next word. Same as [`next`](Iterator::next), but without `Option`, because
    /// the sequence never ends.
    #[inline]
    pub const fn next_word(&mut self) -> u64 {
        let word = self.word;
        self.word = word.wrapping_add(self.step).rotate_left(WORD_TURN);
        self.step = self.step.rotate_left(STEP_TURN);
        word
    }
}

impl Iterator for Probes {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        Some(self.next_word())
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (usize::MAX, None)
    }
}

impl FusedIterator for Probes {}

/// The scheme of our own filters: the words of [`Probes`], reduced by [`multiply_shift`].
///
/// Its FPR is that of independent probes, [`expected_fpr`](bouquet_core::math::expected_fpr),
/// as far as 10^8 queries per filter size can show, for m down to 64.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RotateAdd {
    size_bits: u64,
    hashes: u32,
}

impl RotateAdd {
    /// The scheme for m = `size_bits` (1 to 2^48) and k = `hashes` (1 to 128).
    ///
    /// # Errors
    ///
    /// [`SpecError::ZeroSizeBits`], [`SpecError::TooLarge`],
    /// [`SpecError::HashesOutOfRange`].
    pub const fn new(size_bits: u64, hashes: u32) -> Result<Self, SpecError> {
        match checked(size_bits, hashes) {
            Ok(_) => Ok(Self { size_bits, hashes }),
            Err(error) => Err(error),
        }
    }

    /// The k locations of a hash, in probe order.
    #[inline]
    pub fn locations(self, hash: KeyHash) -> impl Iterator<Item = u64> + Clone {
        Locations {
            probes: Probes::new(hash),
            size_bits: self.size_bits,
            left: self.hashes,
        }
    }
}

/// An iterator over the locations of one key.
#[derive(Clone)]
struct Locations {
    probes: Probes,
    size_bits: u64,
    left: u32,
}

impl Locations {
    #[inline]
    fn advance(&mut self) -> u64 {
        multiply_shift(self.probes.next_word(), self.size_bits)
    }
}

impl Iterator for Locations {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        self.left = self.left.checked_sub(1)?;
        Some(self.advance())
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.left as usize;
        (left, Some(left))
    }

    /// Processes two locations per iteration: in cache the loop counter costs a sixth of a
    /// probe. Always inlined; otherwise a caller that ignores the result would still compute
    /// it.
    #[inline(always)]
    fn fold<B, F: FnMut(B, u64) -> B>(mut self, mut all: B, mut with: F) -> B {
        for _ in 0..self.left / 2 {
            all = with(all, self.advance());
            all = with(all, self.advance());
        }
        if self.left % 2 == 1 {
            all = with(all, self.advance());
        }
        all
    }
}

impl Locate for RotateAdd {
    type Hash = KeyHash;

    fn slots(&self) -> u64 {
        self.size_bits
    }

    fn probes(&self) -> u32 {
        self.hashes
    }

    fn locate(&self, hash: &KeyHash, visit: &mut dyn FnMut(u64)) {
        self.locations(*hash).for_each(visit);
    }
}
