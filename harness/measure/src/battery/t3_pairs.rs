//! T3 tests pairs of probes of a key: their joint distribution in up to 32 x 32 bins, their
//! difference mod m in bins, and the remainder of this difference mod 840, which shows for example
//! that the difference is always even.
//!
//! With double hashing, the difference of probes i and j is always a multiple of gcd(j - i, m). The
//! test then expects a difference that is uniform over these multiples and takes no other value.

use super::{
    LEAST_EXPECTED,
    locations::{Draw, Sample},
    t1_bins::{self, Bins, pearson},
};
use crate::schemes::Lattice;
use bouquet_record::TestRow;

/// The largest number of bins per side of the joint histogram.
const MOST_SIDE: u64 = 32;
/// Differences are tested modulo 840 = 2^3 * 3 * 5 * 7, or modulo 60 if there are few keys.
const MODULUS: u64 = 840;
const MODULUS_OF_FEW: u64 = 60;
/// The largest step of a [`Lattice`] for which the joint distribution is tested.
const MOST_STEP: u64 = 1_024;

pub fn findings(sample: &Sample) -> Vec<TestRow> {
    let draws = &sample.draws;
    let binned: Vec<_> = draws.iter().map(Binned::of).collect();
    let joint = |[x, y]: [usize; 2], lattice| match (&binned[x], &binned[y]) {
        (Some(of_x), Some(of_y)) => joint(name(&draws[x], &draws[y]), [of_x, of_y], lattice),
        _ => None,
    };
    let mut findings = Vec::new();
    for (at, lattice) in sample.pairs() {
        let [a, b] = at.map(|at| &draws[at]);
        findings.extend(joint(at, lattice));
        findings.extend(difference(a, b, lattice));
        findings.extend(remainder(a, b, lattice));
    }
    let free = Lattice { step: 1, offset: 0 };
    let crossings = sample.crossings().into_iter();
    findings.extend(crossings.filter_map(|at| joint(at, free)));
    findings
}

/// The bins of the values that one probe chooses, and the bin of each key, stored because computing
/// it takes a division. With so few bins, every cell of a joint histogram gets enough keys.
struct Binned {
    bins: Bins,
    of_keys: Vec<u8>,
}

impl Binned {
    fn of(draw: &Draw) -> Option<Self> {
        let cells = draw.data.len() as f64 / LEAST_EXPECTED;
        let most = (cells.sqrt() as u64).min(MOST_SIDE);
        let bins = Bins::fitting(draw.values(), draw.data.len() as u64, most)?;
        let of_keys = draw
            .data
            .iter()
            .map(|value| bins.of(*value) as u8)
            .collect();
        Some(Self { bins, of_keys })
    }
}

fn name(a: &Draw, b: &Draw) -> String {
    if a.part == b.part {
        format!("{} and {}", a.name(), b.probe)
    } else {
        format!("{} and {}", a.name(), b.name())
    }
}

fn joint(name: String, [a, b]: [&Binned; 2], lattice: Lattice) -> Option<TestRow> {
    if lattice.step > MOST_STEP {
        return None;
    }
    let sides = [a.bins, b.bins];
    let columns = b.bins.count() as usize;
    let mut counts = vec![0; a.bins.count() as usize * columns];
    for (x, y) in a.of_keys.iter().zip(&b.of_keys) {
        counts[usize::from(*x) * columns + usize::from(*y)] += 1;
    }
    let shares = if lattice.step == 1 {
        independent_shares(sides)
    } else {
        lattice_shares(sides, lattice)
    };
    Some(pearson("T3", name + " joint", &counts, shares.into_iter()))
}

fn independent_shares([x, y]: [Bins; 2]) -> Vec<f64> {
    let y: Vec<f64> = y.shares().collect();
    x.shares()
        .flat_map(|p| y.iter().map(move |q| p * q).collect::<Vec<_>>())
        .collect()
}

/// For each cell of the joint histogram, the fraction of the pairs (u, v) with v = u + offset mod
/// step that are in this cell. The pairs are counted by the remainder of u mod step.
fn lattice_shares([x, y]: [Bins; 2], lattice: Lattice) -> Vec<f64> {
    let Lattice { step, offset } = lattice;
    let classes = |bins: Bins, bin: u64| -> Vec<f64> {
        let (first, end) = (bins.first(bin), bins.first(bin + 1));
        let below = |n: u64, r: u64| n / step + u64::from(r < n % step);
        (0..step)
            .map(|r| (below(end, r) - below(first, r)) as f64)
            .collect()
    };
    let rows: Vec<_> = (0..x.count()).map(|bin| classes(x, bin)).collect();
    let columns: Vec<_> = (0..y.count()).map(|bin| classes(y, bin)).collect();
    let values = x.values();
    let all = values as f64 * (values / step) as f64;
    let mut shares = Vec::new();
    for row in &rows {
        for column in &columns {
            let with = |r: u64| row[r as usize] * column[((r + offset) % step) as usize];
            shares.push((0..step).map(with).sum::<f64>() / all);
        }
    }
    shares
}

fn difference(a: &Draw, b: &Draw, lattice: Lattice) -> Option<TestRow> {
    let bins = t1_bins::bins(a.values() / lattice.step, a.data.len() as u64)?;
    let mut counts = vec![0; bins.count() as usize];
    let beside = each_difference(a, b, lattice, |steps| {
        counts[bins.of(steps) as usize] += 1;
    });
    let mut finding = pearson("T3", name(a, b) + " difference", &counts, bins.shares());
    if beside {
        finding.statistic = f64::INFINITY;
    }
    Some(finding)
}

fn remainder(a: &Draw, b: &Draw, lattice: Lattice) -> Option<TestRow> {
    let (values, keys) = (a.values() / lattice.step, a.data.len() as u64);
    // If each difference has its own bin, the remainders add no information.
    if t1_bins::bins(values, keys).is_none_or(Bins::is_exact) {
        return None;
    }
    let filled = |modulus: &u64| keys as f64 >= LEAST_EXPECTED * *modulus as f64;
    let modulus = [MODULUS, MODULUS_OF_FEW].into_iter().find(filled)?;
    let mut counts = vec![0; modulus as usize];
    // Dividing by a constant is much faster than by a variable.
    each_difference(a, b, lattice, |steps| {
        let remainder = match modulus {
            MODULUS => steps % MODULUS,
            _ => steps % MODULUS_OF_FEW,
        };
        counts[remainder as usize] += 1;
    });
    let item = format!("{} difference mod {modulus}", name(a, b));
    Some(pearson("T3", item, &counts, shares(values, modulus)))
}

/// For each remainder mod `modulus`, the fraction of the numbers 0..values that have it.
fn shares(values: u64, modulus: u64) -> impl Iterator<Item = f64> {
    (0..modulus).map(move |r| {
        let with = values / modulus + u64::from(r < values % modulus);
        with as f64 / values as f64
    })
}

/// Calls `visit` with the difference of each key's two values, divided by the step of the lattice.
/// Returns true if a key has a difference that the lattice excludes.
fn each_difference(a: &Draw, b: &Draw, lattice: Lattice, mut visit: impl FnMut(u64)) -> bool {
    let (m, Lattice { step, offset }) = (a.values(), lattice);
    let less = |a: u64, b: u64| if a >= b { a - b } else { a + m - b };
    let mut beside = false;
    for (u, v) in a.data.iter().zip(&*b.data) {
        let from_offset = less(less(*v, *u), offset);
        // Most pairs have step 1, which needs no division.
        if step == 1 {
            visit(from_offset);
        } else {
            beside |= from_offset % step != 0;
            visit(from_offset / step);
        }
    }
    beside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_a_lattice_are_counted() {
        for (values, step, offset) in [(24, 4, 1), (30, 2, 0), (21, 3, 2), (64, 4, 0)] {
            let x = Bins::fitting(values, 1_000, 8).unwrap();
            let y = Bins::fitting(values, 1_000, 5).unwrap();
            let mut counted = vec![0.0; (x.count() * y.count()) as usize];
            let mut all = 0.0;
            for u in 0..values {
                for v in 0..values {
                    if (v + values - u) % step == offset {
                        counted[(x.of(u) * y.count() + y.of(v)) as usize] += 1.0;
                        all += 1.0;
                    }
                }
            }
            let shares = lattice_shares([x, y], Lattice { step, offset });
            for (share, count) in shares.iter().zip(&counted) {
                assert!(
                    (share - count / all).abs() < 1e-12,
                    "{values} {step} {offset}"
                );
            }
        }
    }

    #[test]
    fn remainders_have_their_shares() {
        for modulus in [MODULUS, MODULUS_OF_FEW] {
            for (r, share) in shares(1_000, modulus).enumerate() {
                let with = (0..1_000).filter(|x| x % modulus == r as u64).count();
                assert_eq!(share, with as f64 / 1_000.0);
            }
        }
    }

    #[test]
    fn a_difference_beside_the_lattice_cannot_be() {
        let part = crate::schemes::Part::slot(2, 8).pairs(crate::schemes::Pairs::Stride);
        let columns = vec![vec![0; 1_000], (0..1_000).map(|i| i % 8).collect()];
        let sample = Sample::of(8, vec![part], columns);
        let [a, b] = &sample.draws[..] else { panic!() };
        let even = Lattice { step: 2, offset: 0 };
        let found = difference(a, b, even).unwrap();
        assert_eq!(found.statistic, f64::INFINITY);
        let free = Lattice { step: 1, offset: 0 };
        let found = difference(a, b, free).unwrap();
        assert_eq!(found.statistic, 0.0);
    }
}
