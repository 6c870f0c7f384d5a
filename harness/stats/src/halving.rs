//! Where a statement that holds from some number on begins to hold.

/// That number within `low..high`, at whose ends it does not hold and holds, to this
/// part of itself.
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
