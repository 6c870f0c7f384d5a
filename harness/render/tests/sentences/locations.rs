//! The p-values of locations, by another way.

use crate::records::Row;

/// Of the logarithm of the gamma function, by Stirling's series from 10 on.
fn ln_gamma(x: f64) -> f64 {
    if x < 10.0 {
        return ln_gamma(x + 1.0) - x.ln();
    }
    let series = 1.0 / (12.0 * x) - 1.0 / (360.0 * x.powi(3)) + 1.0 / (1260.0 * x.powi(5));
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series
}

/// The two tails of the gamma law of this shape: by the series below its mean, by the
/// continued fraction above.
fn tails(shape: f64, x: f64) -> (f64, f64) {
    if x <= 0.0 {
        return (0.0, 1.0);
    }
    let front = (shape * x.ln() - x - ln_gamma(shape)).exp();
    if x < shape + 1.0 {
        let (mut term, mut sum, mut at) = (1.0 / shape, 1.0 / shape, shape);
        while term > 1e-16 * sum {
            at += 1.0;
            term *= x / at;
            sum += term;
        }
        return (front * sum, 1.0 - front * sum);
    }
    let fraction = (1..2000)
        .rev()
        .map(f64::from)
        .fold(x - shape + 4001.0, |below, i| {
            x - shape + 2.0 * i - 1.0 - i * (i - shape) / below
        });
    (1.0 - front / fraction, front / fraction)
}

/// Of a chi-square statistic; of what is left out nothing is said here.
pub fn p_value(row: &Row) -> f64 {
    let (df, statistic) = (row.number("degrees_of_freedom"), row.number("statistic"));
    let (below, above) = tails(df / 2.0, statistic / 2.0);
    match row.text("sides") {
        "upper" => above,
        _ => (2.0 * below.min(above)).min(1.0),
    }
}

/// Where a finding begins: by Holm, 0.001 over those that are none.
pub fn threshold(p: &[f64]) -> f64 {
    let mut sorted = p.to_vec();
    sorted.sort_by(f64::total_cmp);
    let left = |at: usize| (p.len() - at) as f64;
    let each = sorted.iter().enumerate();
    let found = each.take_while(|(at, p)| **p * left(*at) < 1e-3).count();
    1e-3 / left(found).max(1.0)
}

/// The battery's rows with what each is: a cell's, and found or not.
pub fn cell(row: &Row) -> [&str; 6] {
    let keys = ["subject", "key_set", "seed", "probes", "keys", "replicate"];
    keys.map(|key| row.text(key))
}
