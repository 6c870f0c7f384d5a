//! T5a: the fill of a filter against exact occupancy. T5b: its false positives
//! given its fill; too many only.
//!
//! The keys are cut into filters that are about half full, each of which is
//! asked for the keys of the next. Layouts of parts are filled part by part
//! (T5a), as far as a part has values enough; the FPR of their filters given
//! their bits is measured by `evaluate`.

use bouquet_stats::{CountLaw, witness::fill_after};

use super::{
    binning::Bins,
    law::{Finding, Sides},
    locations::Sample,
    t1_bins,
    t4_birthday::finding,
};
use crate::schemes::{Pairs, Part};

/// T5 needs an array; up to so many slots.
pub const MOST_SLOTS: u64 = 1 << 24;
/// From so many slots on, a first-order correction is right for schemes whose
/// probes depend on each other. Below, nothing exact is known of them.
const LEAST_SLOTS_OF_DEPENDENT: u64 = 1 << 14;
/// Below this fill there is nothing to see.
const LEAST_FILL: f64 = 0.02;

pub fn findings(sample: &Sample) -> Vec<Finding> {
    let Some(part) = sample.whole() else {
        return sample
            .draws()
            .iter()
            .filter(|draw| !t1_bins::bins(draw.values(), sample.keys()).is_none_or(Bins::is_exact))
            .filter_map(|draw| {
                let groups = Groups::new(draw.values(), sample.keys(), 1.0)?;
                let fills = groups.fills(&[draw.data]);
                Some(fill_finding(draw.name(), &groups, &fills, 1.0))
            })
            .collect();
    };
    let Some(slots_a_key) = slots_a_key(part) else {
        return Vec::new();
    };
    let Some(groups) = Groups::new(part.values, sample.keys(), slots_a_key) else {
        return Vec::new();
    };
    let columns: Vec<&[u64]> = (0..sample.probes())
        .map(|probe| sample.column(probe))
        .collect();
    let fills = groups.fills(&columns);
    vec![
        fill_finding("all probes".into(), &groups, &fills, slots_a_key),
        hits_finding(&groups, &fills, sample.probes()),
    ]
}

/// The mean number of different slots that a key sets.
fn slots_a_key(part: &Part) -> Option<f64> {
    let (k, m) = (part.probes.len() as u32, part.values);
    if part.pairs == Pairs::Independent {
        return Some(m as f64 * fill_after(m, k.into()).mean);
    }
    if m < LEAST_SLOTS_OF_DEPENDENT {
        return None;
    }
    let mut equal = 0.0;
    for j in 0..k {
        for i in 0..j {
            let lattice = part.pairs.lattice(i, j, m)?;
            if lattice.offset == 0 {
                equal += lattice.step as f64 / m as f64;
            }
        }
    }
    Some(f64::from(k) - equal)
}

/// Filters of so many slots, each with its share of the keys.
struct Groups {
    slots: u64,
    members: usize,
    /// Filters; each is asked for `non_members` keys after its members.
    filters: usize,
    non_members: usize,
}

/// What became of one filter.
struct Filled {
    set: u64,
    hits: u64,
}

impl Groups {
    fn new(slots: u64, keys: u64, slots_a_key: f64) -> Option<Self> {
        let half = (slots as f64 * std::f64::consts::LN_2 / slots_a_key)
            .round()
            .max(1.0);
        let (members, filters, non_members) = if 2.0 * half <= keys as f64 {
            let filters = keys as usize / half as usize - 1;
            (half as usize, filters, half as usize)
        } else {
            // One filter, as full as a quarter of the keys as non-members allows.
            let members = (keys / 4 * 3) as usize;
            (members, 1, keys as usize - members)
        };
        let fill = members as f64 * slots_a_key / slots as f64;
        (slots <= MOST_SLOTS && fill >= LEAST_FILL).then_some(Self {
            slots,
            members,
            filters,
            non_members,
        })
    }

    fn fills(&self, columns: &[&[u64]]) -> Vec<Filled> {
        let mut bits = vec![0u64; self.slots.div_ceil(64) as usize];
        let fill = |filter: usize| {
            bits.fill(0);
            let start = filter * self.members;
            let middle = start + self.members;
            for column in columns {
                for slot in &column[start..middle] {
                    bits[(slot / 64) as usize] |= 1 << (slot % 64);
                }
            }
            let found = |key: &usize| {
                columns.iter().all(|column| {
                    let slot = column[*key];
                    bits[(slot / 64) as usize] >> (slot % 64) & 1 == 1
                })
            };
            Filled {
                set: bits.iter().map(|word| u64::from(word.count_ones())).sum(),
                hits: (middle..middle + self.non_members).filter(found).count() as u64,
            }
        };
        (0..self.filters).map(fill).collect()
    }
}

/// Each key sets a given slot with the same chance, whatever its probes have to
/// do with each other, so that the mean is exact; the variance is that of
/// independent throws.
fn fill_finding(item: String, groups: &Groups, fills: &[Filled], slots_a_key: f64) -> Finding {
    let m = groups.slots as f64;
    let keys = groups.members as f64;
    let filters = groups.filters as f64;
    let empty = (keys * (-slots_a_key / m).ln_1p()).exp();
    // As many throws as leave the same share empty.
    let throws = if m > 1.0 {
        empty.ln() / (-1.0 / m).ln_1p()
    } else {
        keys
    };
    let law = CountLaw::Skewed {
        mean: filters * m * (1.0 - empty),
        variance: filters * (m * fill_after(groups.slots, throws.round() as u64).sd).powi(2),
        third: 0.0,
    };
    finding(
        "T5a",
        item,
        fills.iter().map(|f| f.set).sum(),
        law,
        Sides::Both,
    )
}

fn hits_finding(groups: &Groups, fills: &[Filled], probes: u32) -> Finding {
    let asked = groups.non_members as f64;
    let (mut mean, mut variance, mut third) = (0.0, 0.0, 0.0);
    for filled in fills {
        let p = (filled.set as f64 / groups.slots as f64).powi(probes as i32);
        mean += asked * p;
        variance += asked * p * (1.0 - p);
        third += asked * p * (1.0 - p) * (1.0 - 2.0 * p);
    }
    let law = if mean < 100.0 {
        CountLaw::Poisson { mean }
    } else {
        CountLaw::Skewed {
            mean,
            variance,
            third,
        }
    };
    let hits = fills.iter().map(|f| f.hits).sum();
    finding("T5b", "hits given fill".into(), hits, law, Sides::Upper)
}
