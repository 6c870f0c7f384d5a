//! All bits of one key, given as 64-bit words that are scaled to the length of the array. A
//! scaled word is below the length whatever the word is, so no bit has to be checked.

#![allow(
    unsafe_code,
    reason = "a check per bit would take a tenth of the time of a query"
)]

#[cfg(target_has_atomic = "64")]
use crate::{AtomicBitArray, atomic::Relaxed};
use crate::{BitArray, array::out_of_range};

impl BitArray {
    /// Returns whether `count` bits are all set. Bit by bit, `next` returns a word, and the bit
    /// is `word * len / 2^64`.
    ///
    /// The first two bits are tested together, which suffices for three quarters of the keys
    /// that a half-filled filter does not have. After them each bit is tested alone, so that
    /// the processor guesses the answer and does not wait for memory.
    ///
    /// # Panics
    ///
    /// If the array has no bits.
    ///
    /// ```
    /// use bouquet_bits::BitArray;
    ///
    /// let mut bits = BitArray::new(1000)?;
    /// let half = || 1 << 63;
    /// assert!(!bits.test_scaled(3, half));
    /// assert!(bits.set_scaled(3, half) && bits.test(500));
    /// assert!(bits.test_scaled(3, half) && !bits.set_scaled(3, half));
    /// # Ok::<(), bouquet_bits::OutOfMemory>(())
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn test_scaled(&self, count: u32, next: impl FnMut() -> u64) -> bool {
        let words = self.words();
        // SAFETY: all words that hold bits below the length are there, by the array's
        // invariant.
        all_set(self.len, count, next, |i| unsafe {
            *words.get_unchecked(i)
        })
    }

    /// Sets the bits that [`test_scaled`](Self::test_scaled) tests; returns true if at least
    /// one of them was clear before.
    ///
    /// # Panics
    ///
    /// If the array has no bits.
    #[inline(always)]
    #[track_caller]
    pub fn set_scaled(&mut self, count: u32, mut next: impl FnMut() -> u64) -> bool {
        let len = not_zero(self.len);
        let words = self.memory.words_mut();
        let mut all = 1;
        let mut set = || {
            let (word, bit) = place(next(), len);
            // SAFETY: as in `test_scaled`.
            let word = unsafe { words.get_unchecked_mut(word) };
            all &= *word >> bit;
            *word |= 1 << bit;
        };
        // Two per iteration: in cache the loop counter costs a sixth of a bit.
        for _ in 0..count / 2 {
            set();
            set();
        }
        if count % 2 == 1 {
            set();
        }
        all == 0
    }
}

#[cfg(target_has_atomic = "64")]
impl AtomicBitArray {
    /// Same as [`BitArray::test_scaled`].
    ///
    /// # Panics
    ///
    /// If the array has no bits.
    #[inline(always)]
    #[track_caller]
    pub fn test_scaled(&self, count: u32, next: impl FnMut() -> u64) -> bool {
        let words = self.atomic_words();
        all_set(self.len(), count, next, |i| {
            // SAFETY: as for a `BitArray`.
            let word = unsafe { words.get_unchecked(i) };
            word.load(Relaxed)
        })
    }

    /// Sets the bits that [`test_scaled`](Self::test_scaled) tests, each by an atomic write, whether
    /// or not it is set. So if most keys are already present and there are many threads, call
    /// `test_scaled` first. Returns true if this call has set at least one of them.
    ///
    /// # Panics
    ///
    /// If the array has no bits.
    #[inline(always)]
    #[track_caller]
    pub fn set_scaled(&self, count: u32, mut next: impl FnMut() -> u64) -> bool {
        let len = not_zero(self.len());
        // Read once, before the writes: a read of `self` after an atomic write would wait for
        // it.
        let words = self.atomic_words();
        let mut all = 1;
        for _ in 0..count {
            let (word, bit) = place(next(), len);
            // SAFETY: as for a `BitArray`.
            let word = unsafe { words.get_unchecked(word) };
            // The one instruction of x86-64 for `fetch_or` takes longer, with the bit as its answer.
            let mut old = word.load(Relaxed);
            while let Err(now) = word.compare_exchange_weak(old, old | 1 << bit, Relaxed, Relaxed) {
                old = now;
            }
            all &= old >> bit;
        }
        all == 0
    }
}

/// Whether all bits are set, in words that `load` returns.
#[inline(always)]
#[track_caller]
fn all_set(
    len: u64,
    count: u32,
    mut next: impl FnMut() -> u64,
    load: impl Fn(usize) -> u64,
) -> bool {
    let len = not_zero(len);
    // The lowest bit of the word counts.
    let mut bit = || {
        let (word, bit) = place(next(), len);
        load(word) >> bit
    };
    let Some(rest) = count.checked_sub(2) else {
        return count == 0 || bit() & 1 != 0;
    };
    if bit() & bit() & 1 == 0 {
        return false;
    }
    keep_branch();
    for _ in 0..rest / 2 {
        if bit() & 1 == 0 {
            return false;
        }
        keep_branch();
        if bit() & 1 == 0 {
            return false;
        }
        keep_branch();
    }
    if rest % 2 == 1 && bit() & 1 == 0 {
        return false;
    }
    clear_answer();
    true
}

#[inline(always)]
#[track_caller]
fn not_zero(len: u64) -> u64 {
    if len == 0 {
        out_of_range(0, len);
    }
    len
}

/// The bit `word * len / 2^64`: the index of its word, and the bit in that. It is below `len`,
/// which is not 0. Every word in memory has an index that fits a `usize`.
#[inline(always)]
const fn place(word: u64, len: u64) -> (usize, u64) {
    let i = ((word as u128 * len as u128) >> 64) as u64;
    ((i / 64) as usize, i % 64)
}

/// Keeps the branch before it a branch. Compilers would otherwise compute both sides and select
/// an answer, for which the processor has to wait.
#[inline(always)]
fn keep_branch() {
    #[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
    // SAFETY: no instruction.
    unsafe {
        core::arch::asm!("", options(nomem, nostack, preserves_flags));
    }
}

/// [`keep_branch`] before the answer `true`. On x86-64 a function returns a `bool` in the
/// lowest byte of `rax`, whose other bytes are those of the last word from memory: a caller
/// would wait for them.
#[inline(always)]
fn clear_answer() {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: writes only the register that is named.
    unsafe {
        core::arch::asm!("xor eax, eax", out("eax") _, options(nomem, nostack));
    }
    #[cfg(not(target_arch = "x86_64"))]
    keep_branch();
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    /// Words that scale to bits all over the array, its first and last among them.
    fn words(count: u32) -> impl FnMut() -> u64 {
        let mut i = 0_u64;
        move || {
            i += 1;
            match i % u64::from(count) {
                0 => u64::MAX,
                1 => 0,
                i => i.wrapping_mul(0x9e37_79b9_7f4a_7c15),
            }
        }
    }

    #[test]
    fn scaled_bits_are_those_of_the_product() {
        for len in [1, 63, 64, 65, 1_000] {
            for count in 0..=9 {
                let mut next = words(count.max(1));
                let bits = (0..count).map(|_| (u128::from(next()) * u128::from(len)) >> 64);
                let bits: Vec<u64> = bits.map(|bit| bit as u64).collect();
                let (mut want, mut got) =
                    (BitArray::new(len).unwrap(), BitArray::new(len).unwrap());
                assert_eq!(got.test_scaled(count, words(count.max(1))), count == 0);
                assert_eq!(
                    got.set_scaled(count, words(count.max(1))),
                    want.set_all(bits.iter().copied())
                );
                assert_eq!(got, want);
                assert!(!got.set_scaled(count, words(count.max(1))));
                assert!(got.test_scaled(count, words(count.max(1))));
                for bit in bits {
                    let mut less = want.clone();
                    less.clear(bit);
                    assert!(
                        !less.test_scaled(count, words(count.max(1))),
                        "{len} {count} {bit}"
                    );
                    assert!(less.set_scaled(count, words(count.max(1))));
                }
            }
        }
    }

    #[cfg(all(target_has_atomic = "64", not(loom)))]
    #[test]
    fn atomic_ones_are_the_same() {
        for (len, count) in [(1, 1), (65, 2), (1_000, 7), (3 << 20, 8)] {
            let mut bits = BitArray::new(len).unwrap();
            let shared = AtomicBitArray::new(len).unwrap();
            assert!(!shared.test_scaled(count, words(count)));
            assert!(shared.set_scaled(count, words(count)));
            bits.set_scaled(count, words(count));
            assert_eq!(shared.to_bits().unwrap(), bits);
            assert!(shared.test_scaled(count, words(count)));
            assert!(!shared.set_scaled(count, words(count)));
        }
    }

    #[test]
    #[should_panic(expected = "bit 0 is out of range: the array has 0 bits")]
    fn an_empty_array_has_no_bit() {
        BitArray::new(0).unwrap().test_scaled(1, || 0);
    }
}
