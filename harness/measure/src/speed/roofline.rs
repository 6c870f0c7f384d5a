//! Measures the speed that memory allows, by reading random cache lines without a filter.

use anyhow::Result;
use bouquet_bits::BitArray;

use super::{definition::Column, timed};
use crate::registry;
use crate::workload::mix;
use bouquet_record::{READ, TimingRow, Way};

const LINES: &str = "cache lines";
const HUGE: &str = "cache lines, huge pages";
const LINE_BYTES: u64 = 64;
const LINE_WORDS: usize = 8;
/// The number of lines that are prefetched before the first of them is read.
const AHEAD: usize = 32;

/// Two arrays of the size of a filter, one in small pages and one in huge pages.
pub struct Roofline {
    column: Column,
    lines: u64,
    arrays: [(&'static str, BitArray); 2],
}

/// A function that reads a number of random lines.
type Read = fn(&BitArray, u64, u64) -> u64;

impl Roofline {
    /// The arrays have as many bytes as the filter `blocked` would use, rounded down to whole
    /// lines.
    ///
    /// Fails if memory cannot be allocated.
    pub fn new(column: Column, lines: u64) -> Result<Self> {
        let bytes = registry::blocked_bytes(column.capacity, column.target_fpr)?.max(LINE_BYTES);
        let bytes = bytes / LINE_BYTES * LINE_BYTES;
        // Both arrays are written to; otherwise the system would map each to a single page of
        // zeros.
        let ones = vec![u64::MAX; (bytes / 8) as usize];
        let small = BitArray::from_words(ones, bytes * 8)?;
        let huge = small.try_clone()?;
        Ok(Self {
            column,
            lines,
            arrays: [(LINES, small), (HUGE, huge)],
        })
    }

    pub fn measure(
        &self,
        repetition: u32,
        mut emit: impl FnMut(TimingRow) -> Result<()>,
    ) -> Result<()> {
        let (lines, salt) = (self.lines, mix(u64::from(repetition)));
        let time = |read: Read, array| timed(|| read(array, lines, salt)).1 / lines as f64;
        let dry = time(dry, &self.arrays[0].1);
        for (subject, array) in &self.arrays {
            for (path, read) in [
                (Way::Single, one_by_one as Read),
                (Way::Batch, fetched_ahead),
            ] {
                read(array, lines / 8, !salt);
                emit(TimingRow {
                    repetition,
                    operations: lines,
                    ns_per_key: time(read, array),
                    dry_run_ns_per_key: dry,
                    bytes: Some(array.words().len() as u64 * 8),
                    ..self.column.row(subject, path, READ)
                })?;
            }
        }
        Ok(())
    }
}

/// The index of the first word of a random cache line.
#[inline(always)]
fn word_of(array: &BitArray, number: u64, salt: u64) -> usize {
    let lines = array.words().len() / LINE_WORDS;
    let line = (u128::from(mix(number ^ salt)) * lines as u128) >> 64;
    line as usize * LINE_WORDS
}

fn dry(array: &BitArray, lines: u64, salt: u64) -> u64 {
    (0..lines).fold(0, |sum, number| {
        sum ^ std::hint::black_box(word_of(array, number, salt)) as u64
    })
}

fn one_by_one(array: &BitArray, lines: u64, salt: u64) -> u64 {
    let words = array.words();
    std::hint::black_box(
        (0..lines).fold(0, |sum, number| sum ^ words[word_of(array, number, salt)]),
    )
}

fn fetched_ahead(array: &BitArray, lines: u64, salt: u64) -> u64 {
    let words = array.words();
    let (mut ahead, mut sum) = ([0; AHEAD], 0);
    for number in 0..lines {
        let slot = &mut ahead[number as usize % AHEAD];
        sum ^= words[*slot];
        *slot = word_of(array, number, salt);
        array.prefetch(*slot as u64 * 64);
    }
    std::hint::black_box(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::speed::Kind;

    #[test]
    fn every_way_has_its_row() {
        let mut rows = Vec::new();
        let column = Column {
            kind: Kind::U64,
            capacity: 1_000,
            target_fpr: 0.01,
        };
        let roofline = Roofline::new(column, 512).unwrap();
        roofline
            .measure(3, |row| {
                rows.push(row);
                Ok(())
            })
            .unwrap();
        let ways: Vec<_> = rows
            .iter()
            .map(|row| (row.subject.as_str(), row.path))
            .collect();
        assert_eq!(
            ways,
            [
                (LINES, Way::Single),
                (LINES, Way::Batch),
                (HUGE, Way::Single),
                (HUGE, Way::Batch)
            ]
        );
        for row in rows {
            let bytes = row.bytes.unwrap();
            assert!(bytes.is_multiple_of(64) && bytes > 1_000, "{row:?}");
            assert_eq!((row.repetition, row.operations), (3, 512));
        }
    }

    #[test]
    fn lines_are_all_over_the_array() {
        let array = BitArray::new(64 * 8 * 100).unwrap();
        let met: std::collections::HashSet<_> = (0..2_000).map(|i| word_of(&array, i, 7)).collect();
        assert_eq!(met.len(), 100);
        assert!(met.iter().all(|word| word % 8 == 0 && *word < 800));
    }
}
