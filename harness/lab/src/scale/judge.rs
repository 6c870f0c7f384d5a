//! What the locations say.

use statrs::distribution::{ChiSquared, ContinuousCDF, DiscreteCDF, Poisson};

use super::sample::{MODULI, REGIONS, Sample};

/// The chance that a run of nothing but right schemes fails, all its tests
/// together. The faults looked for are gross, so it can be this small.
pub const LEVEL: f64 = 1e-6;

/// What is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    /// Every region of the range is met.
    Reach,
    /// High-order bins of each part and probe.
    Bins,
    /// Residues of each part and probe.
    Residues,
    /// Equal values among draws.
    Birthday,
    /// Keys with the same set of locations.
    Sets,
}

impl Check {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reach => "reach",
            Self::Bins => "bins",
            Self::Residues => "residues",
            Self::Birthday => "birthday",
            Self::Sets => "sets",
        }
    }
}

/// The smallest p-value of a check, times the number of its tests.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Finding {
    pub check: Check,
    pub p: f64,
}

/// One finding a check.
pub fn findings(sample: &Sample) -> Vec<Finding> {
    let reach = if sample.regions_met == REGIONS {
        1.0
    } else {
        0.0
    };
    let bins = sample
        .tallies
        .iter()
        .map(|tally| pearson(&tally.bins, &tally.bin_shares()));
    let residues = sample.tallies.iter().flat_map(|tally| {
        MODULI.map(|modulus| pearson(&tally.residues(modulus), &tally.residue_shares(modulus)))
    });
    let birthday = sample
        .pairs
        .iter()
        .map(|pairs| poisson(pairs.equal, pairs.expected()));
    // Sets are compared by a hash of 64 bits.
    let keys = sample.keys as f64;
    let sets = poisson(sample.same_sets, keys * keys / 2.0 / 2f64.powi(64));
    [
        (Check::Reach, vec![reach]),
        (Check::Bins, bins.collect()),
        (Check::Residues, residues.collect()),
        (Check::Birthday, birthday.collect()),
        (Check::Sets, vec![sets]),
    ]
    .map(|(check, ps)| Finding {
        check,
        p: bonferroni(&ps),
    })
    .into()
}

fn bonferroni(ps: &[f64]) -> f64 {
    let smallest = ps.iter().copied().fold(1.0, f64::min);
    (smallest * ps.len() as f64).min(1.0)
}

/// So many degrees of freedom can be too even. With one, exactly half of the
/// draws are even in one sample of 300, and that says nothing.
const MANY: u64 = 30;

/// Pearson's test of counts against shares, two-sided if there are many; 1
/// where there is nothing to test.
fn pearson(counts: &[u64], shares: &[f64]) -> f64 {
    let total = counts.iter().sum::<u64>() as f64;
    let expected = || shares.iter().map(|share| total * share);
    let statistic: f64 = counts
        .iter()
        .zip(expected())
        .filter(|(_, expected)| *expected > 0.0)
        .map(|(count, expected)| (*count as f64 - expected).powi(2) / expected)
        .sum();
    let cells = expected().filter(|expected| *expected > 0.0).count() as u64;
    let freedom = cells.saturating_sub(1);
    let Ok(law) = ChiSquared::new(freedom as f64) else {
        return 1.0;
    };
    let above = law.sf(statistic);
    if freedom < MANY {
        return above;
    }
    (2.0 * above.min(law.cdf(statistic))).min(1.0)
}

/// The two-sided p-value of a count under Poisson's law.
fn poisson(count: u64, mean: f64) -> f64 {
    let Ok(law) = Poisson::new(mean) else {
        return 1.0;
    };
    let at_least = if count == 0 { 1.0 } else { law.sf(count - 1) };
    (2.0 * at_least.min(law.cdf(count))).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_far_off_have_no_p() {
        assert!(poisson(12_000, 10_667.0) < 1e-30);
        assert!(poisson(10_700, 10_667.0) > 0.5);
        assert!(poisson(5, 1e-8) < 1e-30);
        assert_eq!(poisson(0, 1e-8), 1.0);
        assert!(poisson(0, 100.0) < 1e-30);
    }

    #[test]
    fn uneven_counts_are_found() {
        assert!(pearson(&[1_000, 1_000, 1_000], &[0.25, 0.25, 0.5]) < 1e-30);
        assert!(pearson(&[1_010, 990, 2_000], &[0.25, 0.25, 0.5]) > 0.1);
        assert_eq!(pearson(&[7], &[1.0]), 1.0);
        assert_eq!(pearson(&[500, 500], &[0.5, 0.5]), 1.0);
        let even = [1_000; 256];
        assert!(pearson(&even, &[1.0 / 256.0; 256]) < 1e-30);
    }
}
