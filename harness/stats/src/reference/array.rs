//! The expected values of filters that are arrays of slots. Insertions set slots; none is cleared.

use super::{Moments, groups::over_groups, throws::Throws};
use crate::CountLaw;

/// A filter whose keys each choose one of `groups` groups at random. A group has `ranges` ranges of
/// `slots` slots; in each range, a key probes `throws` random slots, independently of each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Array {
    pub groups: u64,
    pub ranges: u32,
    pub slots: u64,
    pub throws: u32,
}

impl Array {
    /// A filter whose slots form a single range.
    pub const fn whole(slots: u64, throws: u32) -> Self {
        Self {
            groups: 1,
            ranges: 1,
            slots,
            throws,
        }
    }

    pub const fn size(&self) -> u64 {
        self.groups * self.ranges as u64 * self.slots
    }

    pub fn fpr(&self, keys: u64) -> Moments {
        let mut range = Throws::new(self.slots);
        let ranges = self.ranges as i32;
        self.over_groups(keys, |load| {
            if load == 0 {
                return (0.0, 0.0);
            }
            let throws = load * u64::from(self.throws);
            // The FPR of a group is a product over its ranges. Each factor is the fill ratio of the
            // range to the power `self.throws`.
            let mean = range.power_mean(throws, self.throws);
            let variance = range.variance(throws, self.throws, mean);
            let square = mean * mean;
            let all =
                square.powi(ranges) * ((variance / square).ln_1p() * f64::from(ranges)).exp_m1();
            (mean.powi(ranges), all)
        })
    }

    pub fn fill(&self, keys: u64) -> Moments {
        let mut range = Throws::new(self.slots);
        self.over_groups(keys, |load| {
            let throws = load * u64::from(self.throws);
            let mean = range.power_mean(throws, 1);
            (
                mean,
                range.variance(throws, 1, mean) / f64::from(self.ranges),
            )
        })
    }

    /// The number of keys for which the expected fill ratio is `fill`. Each key leaves a given slot
    /// empty with the same probability, independently of the other keys.
    pub fn keys_at_fill(&self, fill: f64) -> f64 {
        let missed = (0..self.throws).fold(1.0, |left, _| left * (1.0 - 1.0 / self.slots as f64));
        let met = (1.0 - missed) / self.groups as f64;
        (1.0 - fill).ln() / (1.0 - met).ln()
    }

    fn over_groups(&self, keys: u64, mut of: impl FnMut(u64) -> (f64, f64)) -> Moments {
        if keys == 0 {
            return Moments::default();
        }
        if self.groups <= 1 {
            let (mean, variance) = of(keys);
            return Moments::of_variance(mean, variance);
        }
        over_groups(keys, self.groups, of)
    }

    /// The fill ratio and the FPR of a filter with these bits. Each element of `parts` has the
    /// words of one shard, or of the whole filter; all shards have the same number of groups.
    pub(super) fn of_bits(&self, parts: &[Vec<u64>]) -> (f64, f64) {
        let (mut set, mut fprs) = (0, 0.0);
        let groups = self.groups / (parts.len() as u64).max(1);
        for words in parts {
            for group in 0..groups {
                let mut fpr = 1.0;
                for range in 0..u64::from(self.ranges) {
                    let first = (group * u64::from(self.ranges) + range) * self.slots;
                    let here = ones(words, first, self.slots);
                    set += here;
                    let share = here as f64 / self.slots as f64;
                    fpr = (0..self.throws).fold(fpr, |fpr, _| fpr * share);
                }
                fprs += fpr;
            }
        }
        (set as f64 / self.size() as f64, fprs / self.groups as f64)
    }
}

/// The fill ratio after this many throws at random slots.
pub fn fill_after(slots: u64, throws: u64) -> Moments {
    Array::whole(slots, 1).fill(throws)
}

/// The number of set bits among `bits` bits from bit `first` on.
fn ones(words: &[u64], first: u64, bits: u64) -> u64 {
    let (mut at, end, mut sum) = (first, first + bits, 0);
    while at < end {
        let here = (64 - at % 64).min(end - at);
        let word = words
            .get((at / 64) as usize)
            .map_or(0, |word| word >> (at % 64));
        sum += u64::from((word << (64 - here)).count_ones());
        at += here;
    }
    sum
}

/// The probability that a given counter is hit at least `times` times, if each of `throws` throws
/// hits one of `counters` counters at random.
pub fn met_at_least(counters: u64, throws: u64, times: u64) -> f64 {
    if throws < times {
        return 0.0;
    }
    let chance = 1.0 / counters.max(1) as f64;
    let law = CountLaw::Binomial(throws, chance);
    law.tails(times as f64, 0.0).upper
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ones_across_words() {
        let words = [u64::MAX, 0b101, 1 << 63];
        assert_eq!(ones(&words, 0, 64), 64);
        assert_eq!(ones(&words, 60, 6), 5);
        assert_eq!(ones(&words, 64, 128), 3);
        assert_eq!(ones(&words, 66, 125), 1);
        assert_eq!(ones(&words, 191, 5), 1);
    }

    #[test]
    fn bits_by_group_and_range() {
        // Two groups (words) with two ranges of 32 slots each. In a range, 8, 16 or 32 slots are
        // set.
        let array = Array {
            groups: 2,
            ranges: 2,
            slots: 32,
            throws: 1,
        };
        let (first, second) = (0x0000_00ff_0000_ffff, 0xffff_ffff_0000_ffff);
        let want = ((16.0 + 8.0 + 16.0 + 32.0) / 128.0, (0.125 + 0.5) / 2.0);
        assert_eq!(array.of_bits(&[vec![first, second]]), want);
        // The result is the same if each group is passed as a vector of its own.
        assert_eq!(array.of_bits(&[vec![first], vec![second]]), want);
        let line = Array::whole(64, 3);
        assert_eq!(line.of_bits(&[vec![u64::MAX >> 32]]), (0.5, 0.125));
    }

    #[test]
    fn few_throws_match_enumeration() {
        for throws in 1..=8_u32 {
            for times in 0..=9 {
                let hits = |code: u32| {
                    let mine = (0..throws).filter(|i| (code / 3_u32.pow(*i)).is_multiple_of(3));
                    mine.count() as u64
                };
                let all = 3_u32.pow(throws);
                let met = (0..all).filter(|code| hits(*code) >= times).count();
                let want = met as f64 / f64::from(all);
                let own = met_at_least(3, throws.into(), times);
                assert!((own - want).abs() < 1e-12, "{throws} {times}: {own} {want}");
            }
        }
    }

    /// 4-bit counters at an FPR of 1 %: one counter in 3 * 10^14 is hit at least 15 times.
    #[test]
    fn a_rare_one_keeps_its_digits() {
        let rare = met_at_least(9_585_000, 7_000_000, 15);
        assert!((3.4e-15..3.6e-15).contains(&rare), "{rare}");
        assert_eq!(met_at_least(1, 4, 4), 1.0);
        assert_eq!(met_at_least(64, 10_000_000, 255), 1.0);
    }
}
