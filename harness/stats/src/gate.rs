//! A ceiling for a rate that is too low to be pinned down.

use super::{CountLaw, USUAL_POWER};

/// Rates up to here are required to be below a ceiling: ±10 % of 1e-6 would take more than
/// a thousand million non-members.
pub const LOW_FPR: f64 = 1e-5;
/// The ceiling over what theory says.
const GATE_RATIO: f64 = 2.0;
/// Hits that theory expects at a gate: 6.6e7 non-members at 1e-6.
pub const GATE_HITS: u64 = 66;

/// One-sided: are the hits too many for the rate that theory expects, at a level
/// at which twice that rate would be seen?
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gate {
    /// Hits, and non-members asked.
    pub hits: u64,
    pub asked: u64,
    /// Hits by theory.
    pub expected: f64,
    /// The fewest hits that fail.
    pub fails_from: u64,
    /// The chance to fail at twice theory.
    pub power: f64,
}

impl Gate {
    /// A gate at the level `alpha`: a clean sample fails at most as often.
    /// `None` if no hits are expected, or all.
    pub fn new(hits: u64, asked: u64, theory: f64, alpha: f64) -> Option<Self> {
        if asked == 0 || !(theory > 0.0 && GATE_RATIO * theory < 1.0) {
            return None;
        }
        let law = |chance| CountLaw::Binomial {
            trials: asked,
            chance,
        };
        let fails_from = law(theory).critical(alpha);
        Some(Self {
            hits,
            asked,
            expected: theory * asked as f64,
            fails_from: fails_from as u64,
            power: law(GATE_RATIO * theory).tails(fails_from, 0.0).upper,
        })
    }

    /// Whether the hits are below the ceiling; `None` if so few non-members would not
    /// show twice the rate.
    pub fn passes(&self) -> Option<bool> {
        let is_below = self.hits < self.fails_from;
        (!is_below || self.power >= USUAL_POWER).then_some(is_below)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows of a ceiling at twice the rate.
    #[test]
    fn the_reference_s_gates() {
        let table = include_str!("../../data/reference/gate_power.csv");
        let mut rows = 0;
        for line in table.lines().skip(1) {
            let cell: Vec<f64> = line.split(',').map(|c| c.parse().unwrap()).collect();
            let [p, ratio, alpha, power, _, probes, fail_from] = cell[..] else {
                panic!("{line}")
            };
            if ratio != GATE_RATIO {
                continue;
            }
            rows += 1;
            let gate = Gate::new(0, probes as u64, p, alpha).unwrap();
            // The reference is of Poisson's law; hits of so rare a thing are.
            if p <= 1e-4 {
                assert_eq!(gate.fails_from as f64, fail_from, "{line}");
                let enough = (power - 1e-3..power + 0.05).contains(&gate.power);
                assert!(enough, "{line}: {gate:?}");
            }
        }
        assert_eq!(rows, 20);
    }

    #[test]
    fn three_verdicts() {
        let gate = |hits, asked| Gate::new(hits, asked, 1e-6, 1e-5).unwrap();
        let probes = 66_000_000;
        assert!((gate(0, probes).expected - 66.0).abs() < 1e-9);
        assert!(gate(0, probes).power > 0.98);
        assert_eq!(gate(66, probes).passes(), Some(true));
        assert_eq!(gate(132, probes).passes(), Some(false));
        assert_eq!(gate(1, 1_000_000).passes(), None);
        assert_eq!(gate(20, 1_000_000).passes(), Some(false));
        assert!(Gate::new(0, 0, 1e-6, 1e-5).is_none());
        assert!(Gate::new(0, 10, 0.7, 1e-5).is_none());
        assert!(Gate::new(0, 10, 0.0, 1e-5).is_none());
    }
}
