//! T2: remainders of the slot, one probe index at a time.

use bouquet_stats::CountLaw;

use super::{
    LEAST_EXPECTED,
    binning::{Bins, pearson},
    law::{Finding, Sides},
    locations::Sample,
    t1_bins,
    t4_birthday::finding,
};

const MODULI: [u64; 5] = [2, 3, 5, 7, 64];

pub fn findings(sample: &Sample) -> Vec<Finding> {
    let mut findings = Vec::new();
    for draw in sample.draws() {
        // Where T1 has a bin for every value, remainders say nothing new.
        if t1_bins::bins(draw.values(), sample.keys()).is_none_or(Bins::is_exact) {
            continue;
        }
        for modulus in MODULI {
            if sample.keys() as f64 / (modulus as f64) < LEAST_EXPECTED {
                continue;
            }
            let counts = count(draw.data, modulus);
            let item = format!("{} mod {modulus}", draw.name());
            let mut shares = shares(draw.values(), modulus);
            findings.push(match (&counts[..], shares.next()) {
                // One count: the chi-square law has no steps, and this has some that show.
                ([even, _], Some(chance)) => {
                    let trials = sample.keys();
                    let law = CountLaw::Binomial { trials, chance };
                    finding("T2", item, *even, law, Sides::Both)
                }
                (_, first) => pearson("T2", item, &counts, first.into_iter().chain(shares)),
            });
        }
    }
    findings
}

/// A constant divisor costs a multiplication.
fn count(data: &[u64], modulus: u64) -> Vec<u64> {
    let mut counts = vec![0; modulus as usize];
    let mut by = |remainder: fn(u64) -> u64| {
        for value in data {
            counts[remainder(*value) as usize] += 1;
        }
    };
    match modulus {
        2 => by(|x| x % 2),
        3 => by(|x| x % 3),
        5 => by(|x| x % 5),
        7 => by(|x| x % 7),
        _ => by(|x| x % 64),
    }
    counts
}

/// The share of 0..values that leaves each remainder.
pub(super) fn shares(values: u64, modulus: u64) -> impl Iterator<Item = f64> {
    (0..modulus).map(move |r| {
        let with = values / modulus + u64::from(r < values % modulus);
        with as f64 / values as f64
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_counted() {
        for modulus in MODULI {
            let all: Vec<u64> = (0..1_000).collect();
            let counts = count(&all, modulus);
            for (share, count) in shares(1_000, modulus).zip(counts) {
                assert_eq!(share, count as f64 / 1_000.0);
            }
        }
    }
}
