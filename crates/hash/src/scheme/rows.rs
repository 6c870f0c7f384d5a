//! The default scheme for many keys at once.

use bouquet_core::{KeyHash, Locate, batch::CHUNK};

use super::{RotateAdd, rotate_add::Probes};
use crate::wide::{self, Work, widest};

/// The most probes there is room for.
const MOST_PROBES: usize = 20;

/// The locations of up to [`CHUNK`] hashes by [`RotateAdd`], found side by side
/// in the processor's vectors: a row a probe.
///
/// Where memory is near, most of the time of a key goes into its locations;
/// this way they cost a third, on processors with AVX-512 a sixth.
///
/// ```
/// use bouquet_core::KeyHash;
/// use bouquet_hash::scheme::{RotateAdd, Rows};
///
/// let scheme = RotateAdd::new(1_000, 7)?;
/// let hashes = [1, 2, 3].map(KeyHash::from_word);
/// if let Some(mut rows) = Rows::new(scheme) {
///     rows.locate(&hashes);
///     for (i, hash) in hashes.into_iter().enumerate() {
///         assert!(rows.of(i).eq(scheme.locations(hash)));
///     }
/// }
/// # Ok::<(), bouquet_core::SpecError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rows {
    size_bits: u32,
    probes: usize,
    rows: [[u32; CHUNK]; MOST_PROBES],
}

impl Rows {
    /// Room on the stack for the locations of a chunk, 2.5 KiB.
    ///
    /// `None` where it would be no faster to find them side by side: on
    /// processors without such vectors, for 2^32 slots and more, and for more
    /// than 20 probes.
    #[inline]
    pub fn new(scheme: RotateAdd) -> Option<Self> {
        let size_bits = u32::try_from(scheme.slots()).ok()?;
        let probes = scheme.probes() as usize;
        (probes <= MOST_PROBES && wide::is_there()).then_some(Self {
            size_bits,
            probes,
            rows: [[0; CHUNK]; MOST_PROBES],
        })
    }

    /// Finds the locations of these hashes, in place of those before.
    ///
    /// # Panics
    ///
    /// If there are more than [`CHUNK`].
    #[inline]
    pub fn locate(&mut self, hashes: &[KeyHash]) {
        let mut chunk = [KeyHash::new(0, 0); CHUNK];
        chunk[..hashes.len()].copy_from_slice(hashes);
        widest(Locating {
            size_bits: self.size_bits,
            hashes: &chunk,
            rows: &mut self.rows[..self.probes],
        });
    }

    /// The locations, a row a probe: in each row that of hash `i` at `i`. Those
    /// past the hashes that were given are those of some other hash.
    #[inline]
    pub fn rows(&self) -> &[[u32; CHUNK]] {
        &self.rows[..self.probes]
    }

    /// The locations of hash `i`, in probe order.
    ///
    /// # Panics
    ///
    /// If `i` is not below [`CHUNK`].
    #[inline]
    pub fn of(&self, i: usize) -> impl Iterator<Item = u64> + Clone {
        // One check a hash, not one a probe.
        assert!(i < CHUNK, "a chunk has no hash {i}");
        let rows = &self.rows[..self.probes];
        Column { rows, i }
    }
}

/// One hash's place in each of these rows.
#[derive(Clone)]
struct Column<'a> {
    rows: &'a [[u32; CHUNK]],
    i: usize,
}

impl Iterator for Column<'_> {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        let (row, rest) = self.rows.split_first()?;
        self.rows = rest;
        Some(row[self.i].into())
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.rows.len(), Some(self.rows.len()))
    }

    /// Two at a time: a filter's few probes are over before a processor has the
    /// turn of a loop for each in step.
    #[inline]
    fn fold<B, F: FnMut(B, u64) -> B>(self, start: B, mut f: F) -> B {
        let i = self.i;
        let (pairs, rest) = self.rows.as_chunks::<2>();
        let folded = pairs.iter().fold(start, |so_far, [one, other]| {
            let so_far = f(so_far, one[i].into());
            f(so_far, other[i].into())
        });
        let rest = rest.iter();
        rest.fold(folded, |so_far, row| f(so_far, row[i].into()))
    }
}

struct Locating<'a> {
    size_bits: u32,
    hashes: &'a [KeyHash; CHUNK],
    rows: &'a mut [[u32; CHUNK]],
}

impl Work for Locating<'_> {
    #[inline(always)]
    fn run(self) {
        let Self {
            size_bits,
            hashes,
            rows,
        } = self;
        // Words and steps apart: vectors hold either.
        let (mut words, mut steps) = ([0; CHUNK], [0; CHUNK]);
        for (i, hash) in hashes.iter().enumerate() {
            Probes {
                word: words[i],
                step: steps[i],
            } = Probes::new(*hash);
        }
        for row in rows {
            for i in 0..CHUNK {
                let mut probes = Probes {
                    word: words[i],
                    step: steps[i],
                };
                row[i] = narrow_multiply_shift(probes.next_word(), size_bits);
                Probes {
                    word: words[i],
                    step: steps[i],
                } = probes;
            }
        }
    }
}

/// `multiply_shift` for n below 2^32, of products of 64 bits, which vectors
/// have: the upper half of the word times n, and what the lower half carries
/// into it.
#[inline(always)]
const fn narrow_multiply_shift(word: u64, n: u32) -> u32 {
    let n = n as u64;
    let carry = ((word & 0xffff_ffff) * n) >> 32;
    (((word >> 32) * n + carry) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use core::array;

    use super::*;
    use crate::reduce::multiply_shift;

    #[test]
    fn the_narrow_product_is_the_wide_one() {
        let words = (0..64).flat_map(|shift| {
            let word = u64::MAX >> shift;
            [word, !word, word.wrapping_mul(0x9e37_79b9_7f4a_7c15)]
        });
        for word in words {
            for n in [1, 2, 3, 1_000, 0xffff, 0x1_0000, 0xffff_fffe, u32::MAX] {
                let narrow = u64::from(narrow_multiply_shift(word, n));
                assert_eq!(narrow, multiply_shift(word, n.into()), "{word:x} {n}");
            }
        }
    }

    #[test]
    fn rows_are_the_locations_whatever_the_chunk() {
        for (size_bits, probes) in [(1, 1), (64, 7), (1_000_003, 13), (u32::MAX.into(), 20)] {
            let scheme = RotateAdd::new(size_bits, probes).unwrap();
            let Some(mut rows) = Rows::new(scheme) else {
                assert!(!wide::is_there());
                return;
            };
            let word = |i| (i as u64 + size_bits).wrapping_mul(0xd129_42f2_a5d3_7c1b);
            let hashes: [_; CHUNK] = array::from_fn(|i| KeyHash::from_word(word(i)));
            for len in [0, 1, 7, 31, CHUNK] {
                rows.locate(&hashes[..len]);
                for (i, hash) in hashes[..len].iter().enumerate() {
                    assert!(rows.of(i).eq(scheme.locations(*hash)), "{scheme:?} {i}");
                    let mut expected = scheme.locations(*hash);
                    rows.of(i)
                        .for_each(|slot| assert_eq!(Some(slot), expected.next()));
                    assert_eq!(expected.next(), None, "{scheme:?} {i}");
                }
            }
        }
    }

    #[test]
    fn what_has_no_room_is_refused() {
        for (size_bits, probes) in [(1 << 32, 1), (64, 21)] {
            let scheme = RotateAdd::new(size_bits, probes).unwrap();
            assert!(Rows::new(scheme).is_none());
        }
    }
}
