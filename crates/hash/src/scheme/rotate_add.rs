//! The default: rotate, add, multiply-shift.

use core::iter::FusedIterator;

use bouquet_core::{KeyHash, Locate, SpecError};

use super::checked;
use crate::reduce::multiply_shift;

/// How far the word turns from probe to probe.
///
/// Probes i and i + j of a member and a non-member may collide by chance. If the
/// turns bring the same bits back to the top after j steps, then i + 2j collides
/// too, and so on: such pairs raise the FPR (a lone turn by 21, which is back
/// but for one bit after three steps, gives 1.3 times the FPR at m = 128 and
/// k = 14). So word and step turn by different amounts, and these two are
/// chosen such that for no j up to 15 do both come back to within 9 bits of
/// where they were. Odd turns meet all 64 positions.
const WORD_TURN: u32 = 23;
/// How far the step turns from probe to probe.
const STEP_TURN: u32 = 13;

/// The words that drive the probes of a key: endless, 64 bits each, to be
/// reduced by [`multiply_shift`].
///
/// ```text
/// word_0   = probe                            step_0   = place
/// word_i+1 = rotl(word_i + step_i, 23)        step_i+1 = rotl(step_i, 13)
/// ```
///
/// All 128 bits of a wide hash count, and each word looks with its high bits,
/// which decide the slot, at another part of them. A hash that has been
/// [split](KeyHash::split) steps by what is left of its place; some 32 bits
/// should be left, that is, up to 2^32 places may have been picked among.
///
/// # Cost
///
/// An addition and a rotation from word to word: two cycles.
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
    /// The words of this hash.
    #[inline]
    pub const fn new(hash: KeyHash) -> Self {
        Self {
            word: hash.probe,
            step: hash.place,
        }
    }

    /// The next word. What [`next`](Iterator::next) gives, which never ends.
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

/// The scheme of our own filters: [`Probes`], reduced by [`multiply_shift`].
///
/// Its FPR is that of independent probes,
/// [`expected_fpr`](bouquet_core::math::expected_fpr), as far as 10^8 queries
/// per cell can show, down to m = 64.
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

/// The locations of one key.
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

    /// Two per round: in cache the counting is a sixth of a probe. Always inlined, or a caller that
    /// does not use the answer would still compute it.
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
