//! T1 counts locations in bins of neighbouring slots, separately for each probe index. Other tests
//! use its functions too.

use super::{
    LEAST_EXPECTED,
    locations::{Draw, Sample},
};
use bouquet_record::TestRow;
use bouquet_stats::CountLaw;

const MOST_BINS: u64 = 1_024;

/// Bins of neighbouring values: value x goes to bin floor(x * bins / values). If the division has a
/// remainder, the sizes of the bins differ by one, and each count is compared with the expectation
/// for the size of its bin.
#[derive(Clone, Copy, Debug)]
pub struct Bins {
    values: u64,
    bins: u64,
}

impl Bins {
    /// Makes at most `most` bins, each with an expected count of at least [`LEAST_EXPECTED`]: one
    /// bin per value if possible, otherwise a power of two. `None` if that is fewer than two bins.
    pub fn fitting(values: u64, keys: u64, most: u64) -> Option<Self> {
        let most = most.min((keys as f64 / LEAST_EXPECTED) as u64);
        let bins = if values <= most {
            values
        } else {
            // The largest power of two that is at most `most`.
            1 << most.checked_ilog2()?
        };
        (bins >= 2).then_some(Self { values, bins })
    }

    pub fn count(self) -> u64 {
        self.bins
    }

    pub fn values(self) -> u64 {
        self.values
    }

    /// Whether every value has its own bin.
    pub fn is_exact(self) -> bool {
        self.bins == self.values
    }

    /// The bin of a value. With at most 2^48 values and 2^12 bins the product does not overflow.
    pub fn of(self, value: u64) -> u64 {
        value * self.bins / self.values
    }

    /// The first value of a bin.
    pub fn first(self, bin: u64) -> u64 {
        (u128::from(bin) * u128::from(self.values)).div_ceil(u128::from(self.bins)) as u64
    }

    /// The fraction of all values in each bin.
    pub fn shares(self) -> impl Iterator<Item = f64> {
        (0..self.bins)
            .map(move |bin| (self.first(bin + 1) - self.first(bin)) as f64 / self.values as f64)
    }
}

/// The smallest number of bins for a two-sided test. With fewer bins, equal counts in all bins are
/// too likely by chance (with two bins and 100,000 keys, 1 in 400) to be called a fault.
const LEAST_BINS_OF_TWO_SIDES: u64 = 5;

/// Pearson's statistic of counts with known expected shares. It is infinite if a bin with an
/// expected share of zero has a count.
pub fn pearson(
    test: &str,
    item: String,
    counts: &[u64],
    shares: impl Iterator<Item = f64>,
) -> TestRow {
    let total = counts.iter().sum::<u64>() as f64;
    let (mut statistic, mut bins) = (0.0, 0);
    for (&count, share) in counts.iter().zip(shares) {
        let expected = share * total;
        if expected > 0.0 {
            statistic += (count as f64 - expected).powi(2) / expected;
            bins += 1;
        } else if count > 0 {
            statistic = f64::INFINITY;
        }
    }
    let is_narrow = bins < LEAST_BINS_OF_TWO_SIDES;
    TestRow {
        test: test.into(),
        item,
        statistic,
        law: "chi-square".into(),
        degrees_of_freedom: Some(bins - 1),
        sides: if is_narrow { UPPER } else { BOTH }.into(),
        ..TestRow::default()
    }
}

/// Two-sided: a count or chi-square is a fault if it is too small or too large.
pub const BOTH: &str = "both";
/// One-sided: only a count or chi-square that is too large is a fault.
pub const UPPER: &str = "upper";

/// A row for a count; `law` is the distribution of the count for a scheme without a fault.
pub fn counted(test: &str, item: &str, count: u64, law: CountLaw, sides: &str) -> TestRow {
    let mut row = TestRow {
        test: test.into(),
        item: item.into(),
        statistic: count as f64,
        mean: Some(law.mean()),
        sides: sides.into(),
        ..TestRow::default()
    };
    let name = match law {
        CountLaw::Poisson(_) => "poisson",
        CountLaw::Binomial(trials, _) => {
            row.trials = Some(trials);
            "binomial"
        }
        CountLaw::Skewed(_, variance, third) => {
            (row.variance, row.third_cumulant) = (Some(variance), Some(third));
            "skewed"
        }
    };
    row.law = name.into();
    row
}

/// At most [`MOST_BINS`] bins for values below `values`.
pub fn bins(values: u64, keys: u64) -> Option<Bins> {
    Bins::fitting(values, keys, MOST_BINS)
}

pub fn findings(sample: &Sample) -> Vec<TestRow> {
    let finding = |draw: &Draw| {
        let bins = bins(draw.values(), sample.keys())?;
        let mut counts = vec![0; bins.count() as usize];
        for value in draw.data.iter() {
            counts[bins.of(*value) as usize] += 1;
        }
        Some(pearson("T1", draw.name(), &counts, bins.shares()))
    };
    sample.draws.iter().filter_map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_what_the_bins_hold() {
        for (values, keys, most) in [(10, 400, 4), (958_511, 1 << 20, 1_024), (7, 800, 32)] {
            let bins = Bins::fitting(values, keys, most).unwrap();
            let mut by_value = vec![0.0; bins.count() as usize];
            for value in 0..values {
                by_value[bins.of(value) as usize] += 1.0 / values as f64;
            }
            for (share, by_value) in bins.shares().zip(&by_value) {
                assert!((share - by_value).abs() < 1e-9, "{bins:?}");
            }
        }
    }

    #[test]
    fn no_more_bins_than_keys_fill() {
        let count = |values, keys| Bins::fitting(values, keys, 1_024).map(Bins::count);
        assert_eq!(count(1 << 48, 102_400), Some(1_024));
        assert_eq!(count(1 << 48, 102_399), Some(512));
        assert_eq!(count(1_000, 1 << 20), Some(1_000));
        assert_eq!(count(1_000, 25_643), Some(256));
        assert_eq!(count(2, 199), None);
        assert_eq!(count(2, 99), None);
    }

    #[test]
    fn the_largest_layouts_do_not_overflow() {
        let bins = Bins::fitting(1 << 48, 1 << 24, 4_096).unwrap();
        assert_eq!(bins.of((1 << 48) - 1), 4_095);
    }

    #[test]
    fn what_cannot_be_is_infinite() {
        let shares = || [0.5, 0.0, 0.5].into_iter();
        let finding = pearson("T", String::new(), &[5, 0, 5], shares());
        assert_eq!(
            (finding.statistic, finding.degrees_of_freedom),
            (0.0, Some(1))
        );
        let finding = pearson("T", String::new(), &[5, 1, 5], shares());
        assert_eq!(finding.statistic, f64::INFINITY);
    }
}
