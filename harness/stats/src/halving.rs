//! Bisection: finds the number from which on a condition holds.

/// The smallest number in `low..high` for which `holds` is true, with the relative precision
/// `part`. The condition must be false at `low` and true from some number up to `high`.
pub fn halving(mut low: f64, mut high: f64, part: f64, holds: impl Fn(f64) -> bool) -> f64 {
    while high - low > part * high {
        let middle = (low + high) / 2.0;
        if holds(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}
