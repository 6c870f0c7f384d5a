//! How high counters climb.

use statrs::function::gamma::ln_gamma;

/// Terms from here on are rounding.
const NEGLIGIBLE: f64 = 1e-17;

/// The chance that one of so many counters is met so often or more by so many throws:
/// each term of the binomial law by itself, from the logarithms of its factorials.
pub fn met_at_least(counters: u64, throws: u64, times: u64) -> f64 {
    if throws < times {
        return 0.0;
    }
    if counters <= 1 {
        return 1.0;
    }
    let (n, m) = (throws as f64, counters as f64);
    let (hit, missed) = (-m.ln(), (-1.0 / m).ln_1p());
    let exactly = |j: u64| {
        let j = j as f64;
        let ways = ln_gamma(n + 1.0) - ln_gamma(j + 1.0) - ln_gamma(n - j + 1.0);
        (ways + j * hit + (n - j) * missed).exp()
    };
    if times as f64 <= n / m {
        return 1.0 - (0..times).map(exactly).sum::<f64>();
    }
    let mut sum = 0.0;
    for j in times..=throws {
        let term = exactly(j);
        sum += term;
        if term <= NEGLIGIBLE * sum {
            break;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Outcomes of all throws into three counters, one by one.
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

    /// Of 4 bits at 1 %: one counter in 3 * 10^14, as Fan et al. bound it from above.
    #[test]
    fn a_rare_one_keeps_its_digits() {
        let rare = met_at_least(9_585_000, 7_000_000, 15);
        assert!((3.4e-15..3.6e-15).contains(&rare), "{rare}");
        assert_eq!(met_at_least(1, 4, 4), 1.0);
        assert_eq!(met_at_least(64, 10_000_000, 255), 1.0);
    }
}
