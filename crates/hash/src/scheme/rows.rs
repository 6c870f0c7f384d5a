//! The default scheme, for many keys at once.

use bouquet_core::{KeyHash, Locate, batch::CHUNK};

use super::{RotateAdd, rotate_add::Probes};
use crate::wide::{WordVectors, Work};

/// [`RotateAdd`] for [`CHUNK`] hashes in parallel, in the processor's vectors: it computes one
/// row of locations per probe. Either all probes share one range, or each probe has a partition
/// of its own.
///
/// If the filter fits in the cache, most of the time per key is spent on computing its
/// locations. Rows take a sixth of that time, and part of the computation overlaps with the
/// memory accesses of the previous row.
///
/// ```
/// use bouquet_core::KeyHash;
/// use bouquet_hash::scheme::{RotateAdd, Rows};
///
/// let scheme = RotateAdd::new(1_000, 7)?;
/// let hashes = std::array::from_fn(|i| KeyHash::from_word(i as u64));
/// let mut of_the_second = Vec::new();
/// if let Some(rows) = Rows::new(scheme) {
///     rows.each(&hashes, |row| of_the_second.push(row[1].into()));
///     assert!(scheme.locations(hashes[1]).eq(of_the_second));
/// }
/// # Ok::<(), bouquet_core::SpecError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Rows {
    /// The number of slots among which a probe chooses.
    range: u32,
    /// The distance from the range of a probe to that of the next probe.
    stride: u32,
    probes: u32,
    vectors: WordVectors,
}

impl Rows {
    /// Returns `None` if rows would be no faster: on processors without AVX-512, whose vectors
    /// cannot multiply 64-bit words. Also `None` for 2^32 slots or more.
    #[inline]
    pub fn new(scheme: RotateAdd) -> Option<Self> {
        Some(Self {
            range: u32::try_from(scheme.slots()).ok()?,
            stride: 0,
            probes: scheme.probes(),
            vectors: WordVectors::detect()?,
        })
    }

    /// Rows for a partitioned filter: the i-th probe falls in the i-th of `partitions`
    /// consecutive partitions, each with `partition_slots` slots. `None` in the cases of
    /// [`new`](Self::new), for the total number of slots, and if there are no slots.
    ///
    /// ```
    /// use bouquet_core::KeyHash;
    /// use bouquet_hash::{Probes, reduce::multiply_shift, scheme::Rows};
    ///
    /// let hashes = std::array::from_fn(|i| KeyHash::from_word(i as u64));
    /// let mut of_the_second = Vec::new();
    /// if let Some(rows) = Rows::in_partitions(100, 7) {
    ///     rows.each(&hashes, |row| of_the_second.push(row[1].into()));
    ///     let words = Probes::new(hashes[1]).zip(0..7);
    ///     assert!(words.map(|(word, i)| 100 * i + multiply_shift(word, 100)).eq(of_the_second));
    /// }
    /// ```
    #[inline]
    pub fn in_partitions(partition_slots: u64, partitions: u32) -> Option<Self> {
        let range = u32::try_from(partition_slots).ok()?;
        range.checked_mul(partitions).filter(|slots| *slots > 0)?;
        Some(Self {
            range,
            stride: range,
            probes: partitions,
            vectors: WordVectors::detect()?,
        })
    }

    /// Visits the locations of these hashes row by row: first the first probe of each hash,
    /// then the second probe of each, and so on. Element `i` of a row belongs to hash `i`.
    ///
    /// For fewer hashes, use [`RotateAdd::locations`]: if they were first copied into an array
    /// for this function, they would have to wait for the memory accesses of earlier ones.
    #[inline]
    pub fn each(&self, hashes: &[KeyHash; CHUNK], visit: impl FnMut(&[u32; CHUNK])) {
        self.vectors.run(Visiting {
            rows: self,
            hashes,
            visit,
        });
    }

    /// Queries these hashes: `found[i]` becomes whether the filter may contain hash `i`. `test`
    /// gets each row, and an array of words; like `test_row` of the bit arrays, it must clear
    /// the lowest bit of each word whose slot is clear.
    #[inline]
    pub fn query(
        &self,
        hashes: &[KeyHash; CHUNK],
        found: &mut [bool],
        mut test: impl FnMut(&[u32; CHUNK], &mut [u64; CHUNK]),
    ) {
        let mut hits = [1; CHUNK];
        self.each(hashes, |row| test(row, &mut hits));
        for (found, hit) in found.iter_mut().zip(hits) {
            *found = hit & 1 != 0;
        }
    }
}

/// The largest number of probes for which [`Columns`] have room.
const MOST_PROBES: usize = 20;

/// The locations of [`CHUNK`] hashes, computed row by row and stored, for callers that must
/// process the keys one after the other.
///
/// ```
/// use bouquet_core::KeyHash;
/// use bouquet_hash::scheme::{Columns, RotateAdd, Rows};
///
/// let scheme = RotateAdd::new(1_000, 7)?;
/// let hashes = std::array::from_fn(|i| KeyHash::from_word(i as u64));
/// if let Some(mut columns) = Rows::new(scheme).and_then(Columns::new) {
///     columns.locate(&hashes);
///     for (i, hash) in hashes.into_iter().enumerate() {
///         assert!(columns.of(i).eq(scheme.locations(hash)));
///     }
/// }
/// # Ok::<(), bouquet_core::SpecError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Columns {
    rows: Rows,
    probes: usize,
    located: [[u32; CHUNK]; MOST_PROBES],
}

impl Columns {
    /// Reserves room on the stack, 2.5 KiB. `None` if there are more than 20 probes.
    #[inline]
    pub fn new(rows: Rows) -> Option<Self> {
        let probes = rows.probes as usize;
        (probes <= MOST_PROBES).then_some(Self {
            rows,
            probes,
            located: [[0; CHUNK]; MOST_PROBES],
        })
    }

    /// Computes the locations of these hashes, which replace the previous ones.
    #[inline]
    pub fn locate(&mut self, hashes: &[KeyHash; CHUNK]) {
        let mut located = self.located.iter_mut();
        self.rows.each(hashes, |row| {
            if let Some(place) = located.next() {
                *place = *row;
            }
        });
    }

    /// The locations of hash `i`, in probe order.
    ///
    /// # Panics
    ///
    /// If `i` is not below [`CHUNK`].
    #[inline]
    pub fn of(&self, i: usize) -> impl Iterator<Item = u64> + Clone {
        // The index is checked once per hash, not per probe.
        assert!(i < CHUNK, "a chunk has no hash {i}");
        let rows = &self.located[..self.probes];
        Column { rows, i }
    }
}

/// An iterator over the locations of hash `i`: element `i` of each row.
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

    /// Processes two rows per iteration: a filter has so few probes that with a loop over
    /// single rows the processor does not learn to predict the end of the loop.
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

struct Visiting<'a, F> {
    rows: &'a Rows,
    hashes: &'a [KeyHash; CHUNK],
    visit: F,
}

impl<F: FnMut(&[u32; CHUNK])> Work for Visiting<'_, F> {
    #[inline(always)]
    fn run(self) {
        let Self {
            rows,
            hashes,
            mut visit,
        } = self;
        let Rows { range, stride, .. } = *rows;
        // Words and steps are in separate arrays, because a vector register holds only one or
        // the other.
        let (mut words, mut steps) = ([0; CHUNK], [0; CHUNK]);
        for (i, hash) in hashes.iter().enumerate() {
            Probes {
                word: words[i],
                step: steps[i],
            } = Probes::new(*hash);
        }
        let mut start = 0_u32;
        for _ in 0..rows.probes {
            let mut row = [0; CHUNK];
            for i in 0..CHUNK {
                let mut probes = Probes {
                    word: words[i],
                    step: steps[i],
                };
                row[i] = start + narrow_multiply_shift(probes.next_word(), range);
                Probes {
                    word: words[i],
                    step: steps[i],
                } = probes;
            }
            visit(&row);
            start += stride;
        }
    }
}

/// `multiply_shift` for n below 2^32, computed with 64-bit products, which vectors have: the
/// upper half of the word times n, plus the carry from the lower half.
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
    fn rows_and_columns_are_the_locations() {
        for (size_bits, probes) in [(1, 1), (64, 7), (1_000_003, 13), (u32::MAX.into(), 128)] {
            let scheme = RotateAdd::new(size_bits, probes).unwrap();
            let Some(rows) = Rows::new(scheme) else {
                assert!(WordVectors::detect().is_none());
                return;
            };
            let word = |i| (i as u64 + size_bits).wrapping_mul(0xd129_42f2_a5d3_7c1b);
            let hashes: [_; CHUNK] = array::from_fn(|i| KeyHash::from_word(word(i)));
            let mut expected = hashes.map(|hash| scheme.locations(hash));
            rows.each(&hashes, |row| {
                for (slot, expected) in row.iter().zip(&mut expected) {
                    assert_eq!(Some(u64::from(*slot)), expected.next(), "{scheme:?}");
                }
            });
            assert!(expected.into_iter().all(|mut rest| rest.next().is_none()));
            let Some(mut columns) = Columns::new(rows) else {
                assert!(probes > 20);
                continue;
            };
            columns.locate(&hashes);
            for (i, hash) in hashes.iter().enumerate() {
                assert!(columns.of(i).eq(scheme.locations(*hash)), "{scheme:?} {i}");
                let mut expected = scheme.locations(*hash);
                columns
                    .of(i)
                    .for_each(|slot| assert_eq!(Some(slot), expected.next()));
                assert_eq!(expected.next(), None, "{scheme:?} {i}");
            }
        }
    }

    #[test]
    fn rows_in_partitions_are_those_of_each_probe_s_own() {
        for (slots, partitions) in [(1, 128), (91, 7), (u64::from(u32::MAX) / 3, 3)] {
            let Some(rows) = Rows::in_partitions(slots, partitions) else {
                assert!(WordVectors::detect().is_none());
                return;
            };
            let word = |i| (i as u64 + slots).wrapping_mul(0xd129_42f2_a5d3_7c1b);
            let hashes: [_; CHUNK] = array::from_fn(|i| KeyHash::from_word(word(i)));
            let mut expected = hashes.map(|hash| {
                let words = Probes::new(hash).zip(0..u64::from(partitions));
                words.map(move |(word, i)| i * slots + multiply_shift(word, slots))
            });
            rows.each(&hashes, |row| {
                for (slot, expected) in row.iter().zip(&mut expected) {
                    assert_eq!(Some(u64::from(*slot)), expected.next(), "{slots}");
                }
            });
            assert!(expected.into_iter().all(|mut rest| rest.next().is_none()));
        }
    }

    #[test]
    fn too_many_slots_are_rejected() {
        assert!(Rows::new(RotateAdd::new(1 << 32, 1).unwrap()).is_none());
        assert!(Rows::in_partitions(1 << 32, 1).is_none());
        assert!(Rows::in_partitions(1 << 30, 4).is_none());
        assert!(Rows::in_partitions(0, 7).is_none());
    }
}
