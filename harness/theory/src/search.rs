//! Searches for a number that was not given.

use std::f64::consts::LN_2;

use bouquet_core::MAX_SIZE_BITS;

/// The textbook's bits per key for an FPR, from which a search starts.
pub fn textbook_bits_per_key(fpr: f64) -> f64 {
    -fpr.ln() / (LN_2 * LN_2)
}

/// The smallest size for which `keeps` is true, in units of `unit` bits; `None` if there is none.
pub fn least_units(unit: u64, keys: u64, fpr: f64, keeps: impl Fn(u64) -> bool) -> Option<u64> {
    let guess = keys as f64 * textbook_bits_per_key(fpr) / unit as f64;
    smallest(guess as u64, MAX_SIZE_BITS / unit, keeps)
}

/// The smallest number from 1 to `most` for which `holds` is true; it must then be true for all
/// larger numbers. Starts at `guess`, doubles the stride until the number is bracketed, and then
/// bisects.
pub fn smallest(guess: u64, most: u64, holds: impl Fn(u64) -> bool) -> Option<u64> {
    let mut stride = guess / 64 + 1;
    let mut found = guess.clamp(1, most);
    let mut fails;
    if holds(found) {
        while found > stride && holds(found - stride) {
            found -= stride;
            stride = stride.saturating_mul(2);
        }
        fails = found.saturating_sub(stride);
    } else {
        loop {
            if found == most {
                return None;
            }
            fails = found;
            found = found.saturating_add(stride).min(most);
            stride = stride.saturating_mul(2);
            if holds(found) {
                break;
            }
        }
    }
    while found - fails > 1 {
        let middle = fails + (found - fails) / 2;
        if holds(middle) {
            found = middle;
        } else {
            fails = middle;
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::smallest;

    #[test]
    fn the_smallest_is_found_from_every_guess() {
        const MOST: u64 = 1 << 40;
        for guess in [0, 1, 64, 12_345, MOST, u64::MAX] {
            for want in [1, 2, 3, 63, 64, 65, 12_345, MOST] {
                assert_eq!(smallest(guess, MOST, |n| n >= want), Some(want), "{guess}");
            }
            assert_eq!(smallest(guess, MOST, |_| false), None);
            assert_eq!(smallest(guess, 1, |n| n == 1), Some(1));
        }
    }
}
