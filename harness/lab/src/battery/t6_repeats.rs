//! T6: slots that one key meets twice.
//!
//! Of independent probes any two pairs are independent, so that their sum has
//! a known law. Of others each pair of probes by itself has: the claimed
//! chance of being equal, binomial over the keys.

use bouquet_stats::CountLaw;

use super::{
    law::{Finding, Sides, equal_pairs},
    locations::{Draw, Sample},
    t4_birthday::finding,
};
use crate::schemes::Pairs;

pub fn findings(sample: &Sample) -> Vec<Finding> {
    let mut findings = Vec::new();
    for part in sample.parts() {
        if part.pairs == Pairs::Independent && part.values > 1 && part.probes.len() > 1 {
            let equal = sample
                .pairs()
                .iter()
                .filter(|(a, ..)| a.part == part)
                .map(count)
                .sum();
            let (k, m) = (part.probes.len() as f64, part.values as f64);
            let law = equal_pairs(k, m, sample.keys() as f64);
            findings
                .extend(law.map(|law| finding("T6", part.name.into(), equal, law, Sides::Both)));
        }
    }
    for pair in sample.pairs() {
        let (a, b, lattice) = &pair;
        if a.part.pairs == Pairs::Independent {
            continue;
        }
        let chance = if lattice.offset == 0 {
            lattice.step as f64 / a.values() as f64
        } else {
            0.0
        };
        let law = CountLaw::Binomial {
            trials: sample.keys(),
            chance,
        };
        let item = format!("{} and {}", a.name(), b.probe);
        findings.push(finding("T6", item, count(&pair), law, Sides::Both));
    }
    findings
}

fn count((a, b, _): &(Draw<'_>, Draw<'_>, crate::schemes::Lattice)) -> u64 {
    let both = a.data.iter().zip(b.data);
    both.filter(|(x, y)| x == y).count() as u64
}
