//! The mean fill ratio of a filter, and its variance from filter to filter.

use libm::{exp, expm1, log1p, sqrt};

/// How the probes of a key are distributed, as far as the fill of the filter depends on it.
///
/// A key selects one of several *groups*, all equally likely. A group consists of *ranges* of
/// slots, and the key throws a number of probes into each range. The probes are independent, so
/// a slot may be hit twice. All filters of this project have this form:
///
/// | filter | groups | ranges of a group | slots of a range | throws there |
/// | --- | --- | --- | --- | --- |
/// | classic, counting | 1 | 1 | m | k |
/// | partitioned | 1 | k | m/k | 1 |
/// | blocked, one slot per word | blocks | words of a block | bits of a word | 1 |
/// | blocked, anywhere in a line | blocks | 1 | 512 | k |
/// | any of them in S shards | S times as many | unchanged | unchanged | unchanged |
///
/// Zeros count as 1, except in `throws`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Occupancy {
    /// The number of groups (B); a key goes to one of them.
    pub groups: u64,
    /// The number of ranges in a group (r); a key goes to all of them.
    pub ranges: u64,
    /// The number of slots in a range (s).
    pub slots: u64,
    /// The number of probes of a key in each range (t).
    pub throws: u32,
}

impl Occupancy {
    /// The occupancy of `shards` shards, each of which has the occupancy `self`.
    pub fn in_shards(self, shards: u32) -> Self {
        let groups = self.groups.saturating_mul(shards.into());
        Self { groups, ..self }
    }

    /// The mean share of slots hit by `keys` different keys, from 0 to 1.
    ///
    /// A key hits a given slot of its group with probability h = 1 - (1 - 1/s)^t, and a given
    /// slot of the filter with probability h/B, so the mean is exactly 1 - (1 - h/B)^n.
    pub fn fill_mean(&self, keys: u64) -> f64 {
        -expm1(self.log_empty(keys))
    }

    /// The variance of the share of slots hit by `keys` different keys, over all filters.
    ///
    /// # Method
    ///
    /// The variance is the mean, over all pairs of slots (including a slot with itself), of the
    /// covariance of "both are empty". A key leaves two given slots empty with probability
    ///
    /// ```text
    /// one range           1 - 2h/B + (h^2 + c)/B,   c = (1 - 2/s)^t - (1 - 1/s)^2t
    /// ranges of one group 1 - 2h/B +  h^2     /B
    /// two groups          1 - 2h/B
    /// ```
    ///
    /// and n keys leave them empty with the n-th power of that probability. All three differ
    /// little from (1 - h/B)^2, and only the difference counts: so it is computed as a ratio to
    /// (1 - h/B)^2 with `log1p` and `expm1`, without cancellation. With one group and one range
    /// this is the variance of the number of empty boxes (Kolchin, Sevast'yanov and Chistyakov,
    /// "Random allocations", 1978, chapter I), which is
    /// [`fill_variance`](super::fill_variance); groups and ranges only change how two slots
    /// depend on each other. The result is exact except for rounding errors of about 1e-16 of
    /// the mean fill divided by m, which are visible only in a filter with a handful of keys.
    pub fn fill_variance(&self, keys: u64) -> f64 {
        let empty = exp(self.log_empty(keys));
        if keys == 0 || empty == 0.0 {
            return 0.0;
        }
        let [groups, ranges, slots] = self.sizes();
        let hit = self.hit();
        let group_slots = ranges * slots;
        let all = groups * group_slots;
        let left = 1.0 - hit / groups;
        let excess = |covariance: f64| {
            let ratio = covariance / (left * left);
            expm1(keys as f64 * log1p(ratio.max(-1.0)))
        };
        let same_group = hit * hit * (groups - 1.0) / (groups * groups);
        let same_range = same_group + self.range_covariance() / groups;
        let two_groups = -(hit / groups) * (hit / groups);
        let pairs = (slots - 1.0) * excess(same_range)
            + (group_slots - slots) * excess(same_group)
            + (all - group_slots) * excess(two_groups);
        (empty * (self.fill_mean(keys) + empty * pairs) / all).max(0.0)
    }

    /// The logarithm of the probability that a given slot stays empty.
    fn log_empty(&self, keys: u64) -> f64 {
        if keys == 0 {
            return 0.0;
        }
        let [groups, ..] = self.sizes();
        keys as f64 * log1p(-self.hit() / groups)
    }

    /// The probability that a key hits a given slot of its group (h).
    fn hit(&self) -> f64 {
        let [.., slots] = self.sizes();
        if self.throws == 0 {
            return 0.0;
        }
        -expm1(f64::from(self.throws) * log1p(-1.0 / slots))
    }

    /// The covariance (c) of two slots of a range, for a key that goes to their group. It is
    /// never positive: a probe that hits one slot misses the other.
    fn range_covariance(&self) -> f64 {
        let [.., slots] = self.sizes();
        if slots == 1.0 {
            return 0.0;
        }
        let missed = 1.0 - self.hit();
        // (1 - 2/s) / (1 - 1/s)^2 = 1 - 1/(s - 1)^2
        let rest = (slots - 1.0) * (slots - 1.0);
        missed * missed * expm1(f64::from(self.throws) * log1p(-1.0 / rest))
    }

    fn sizes(&self) -> [f64; 3] {
        [self.groups, self.ranges, self.slots].map(|size| size.max(1) as f64)
    }
}

/// The standard deviation of the FPR from filter to filter, for filters whose FPR is the fill
/// to the k-th power or the product of k fills: k sd(fill)/fill times the mean FPR, by the
/// delta method. The method is of first order, so it holds for fills that vary little: in
/// filters of some hundred bits or more.
///
/// `fill_mean` and `fill_variance` are those of the whole filter. The result is 0 without keys.
pub fn fpr_deviation(fpr: f64, hashes: u32, fill_mean: f64, fill_variance: f64) -> f64 {
    if fill_mean == 0.0 {
        return 0.0;
    }
    f64::from(hashes) * sqrt(fill_variance) / fill_mean * fpr
}

#[cfg(test)]
mod tests {
    use alloc::{vec, vec::Vec};

    use super::*;
    use crate::math::{expected_fill, fill_variance};

    fn occupancy(groups: u64, ranges: u64, slots: u64, throws: u32) -> Occupancy {
        Occupancy {
            groups,
            ranges,
            slots,
            throws,
        }
    }

    /// The slot patterns of all possible keys, which are equally likely.
    fn patterns(o: Occupancy) -> Vec<u64> {
        let throws = o.ranges as u32 * o.throws;
        let all = o.slots.pow(throws);
        let mut patterns = vec![];
        for group in 0..o.groups {
            for code in 0..all {
                let (mut pattern, mut rest) = (0, code);
                for throw in 0..u64::from(throws) {
                    let range = group * o.ranges + throw % o.ranges;
                    pattern |= 1 << (range * o.slots + rest % o.slots);
                    rest /= o.slots;
                }
                patterns.push(pattern);
            }
        }
        patterns
    }

    /// The mean and variance of the fill over all possible combinations of key patterns.
    fn by_enumeration(o: Occupancy, keys: u32) -> (f64, f64) {
        let patterns = patterns(o);
        let mut filters = vec![0u64];
        for _ in 0..keys {
            let grow = |filter: u64| patterns.iter().map(move |key| filter | key);
            filters = filters.iter().flat_map(|filter| grow(*filter)).collect();
        }
        let m = (o.groups * o.ranges * o.slots) as f64;
        let mean_of = |f: &dyn Fn(f64) -> f64| {
            let fills = filters.iter().map(|set| f64::from(set.count_ones()) / m);
            fills.map(f).sum::<f64>() / filters.len() as f64
        };
        let mean = mean_of(&|fill| fill);
        (mean, mean_of(&|fill| (fill - mean) * (fill - mean)))
    }

    #[test]
    fn tiny_filters_match_enumeration() {
        for (groups, ranges, slots, throws) in [
            (1, 1, 5, 2),
            (1, 3, 2, 1),
            (1, 2, 3, 1),
            (3, 1, 1, 1),
            (2, 1, 2, 1),
            (4, 1, 3, 2),
            (2, 2, 2, 1),
            (3, 2, 3, 1),
            (2, 2, 2, 2),
        ] {
            let o = occupancy(groups, ranges, slots, throws);
            for keys in 0..=3 {
                let (mean, variance) = by_enumeration(o, keys);
                let (got_mean, got_variance) =
                    (o.fill_mean(keys.into()), o.fill_variance(keys.into()));
                assert!((got_mean - mean).abs() < 1e-12, "{o:?} {keys}: {got_mean}");
                assert!(
                    (got_variance - variance).abs() < 1e-12,
                    "{o:?} {keys}: {got_variance} {variance}"
                );
            }
        }
    }

    fn close(got: f64, want: f64, what: &str) {
        assert!((got - want).abs() <= 1e-9 * want, "{what}: {got} {want}");
    }

    #[test]
    fn one_group_and_range_are_the_classic_filter() {
        for (m, k, n) in [
            (64, 1, 50u32),
            (512, 8, 60),
            (9_585_059, 7, 1_000_000),
            (1 << 48, 10, u32::MAX),
        ] {
            let throws = f64::from(k) * f64::from(n);
            let o = occupancy(1, 1, m, k);
            close(o.fill_mean(n.into()), expected_fill(m, throws), "mean");
            close(
                o.fill_variance(n.into()),
                fill_variance(m, throws),
                "variance",
            );
        }
    }

    #[test]
    fn independent_ranges_share_the_variance_of_one() {
        for (s, k, n) in [(64, 3, 50u32), (1_370, 7, 1_000), (1 << 40, 10, u32::MAX)] {
            let o = occupancy(1, k, s, 1);
            close(o.fill_mean(n.into()), expected_fill(s, n.into()), "mean");
            let want = fill_variance(s, n.into()) / k as f64;
            close(o.fill_variance(n.into()), want, "variance");
        }
    }

    #[test]
    fn one_throw_per_key_is_independent_of_groups() {
        // Throwing into a random group and then into a random slot equals throwing into all
        // slots.
        for groups in [1, 2, 64, 1_000] {
            let o = occupancy(groups, 1, 512, 1);
            let m = 512 * groups;
            let n = 300 * groups;
            close(o.fill_variance(n), fill_variance(m, n as f64), "variance");
            assert_eq!(o.in_shards(7).groups, 7 * groups);
        }
    }

    #[test]
    fn edges() {
        let o = occupancy(1 << 39, 8, 64, 1);
        assert_eq!((o.fill_mean(0), o.fill_variance(0)), (0.0, 0.0));
        assert_eq!(
            (o.fill_mean(u64::MAX), o.fill_variance(u64::MAX)),
            (1.0, 0.0)
        );
        let one = occupancy(0, 0, 0, 1);
        assert_eq!((one.fill_mean(1), one.fill_variance(1)), (1.0, 0.0));
        assert_eq!(occupancy(4, 8, 64, 0).fill_mean(9), 0.0);
        assert_eq!(fpr_deviation(0.0, 7, 0.0, 0.0), 0.0);
        // The fill is 0.5 with a deviation of 0.01, which is 2 %, so the FPR deviates by 7
        // times 2 %.
        assert!((fpr_deviation(0.01, 7, 0.5, 1e-4) - 0.0014).abs() < 1e-15);
    }
}
