//! The probability that counters reach a value.

use crate::CountLaw;

/// The probability that a given counter is hit at least `times` times by this number of throws at
/// this number of counters.
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

    /// Enumerates all outcomes of the throws at three counters.
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

    /// With 4-bit counters at 1 %: one counter in 3 * 10^14; Fan et al. give an upper bound.
    #[test]
    fn a_rare_one_keeps_its_digits() {
        let rare = met_at_least(9_585_000, 7_000_000, 15);
        assert!((3.4e-15..3.6e-15).contains(&rare), "{rare}");
        assert_eq!(met_at_least(1, 4, 4), 1.0);
        assert_eq!(met_at_least(64, 10_000_000, 255), 1.0);
    }
}
