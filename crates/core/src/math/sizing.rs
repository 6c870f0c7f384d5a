//! Computes how many bits and hashes a classic filter needs.

use core::{
    f64::consts::LN_2,
    ops::{Range, RangeInclusive},
};

use libm::{ceil, exp, floor, log, log1p, round};

use super::{
    expected_fill, fill_variance, fpr::fpr_by_hashes, fpr_given_fill, moments::NearFpr, smallest,
};
use crate::{MAX_SIZE_BITS, Spec, SpecError};

/// The largest number of hashes per key. More probes than the bits of the widest hash would add
/// nothing.
pub const MAX_HASHES: u32 = 128;

/// With more hashes than this, and more keys than hashes, the exact FPR takes milliseconds to
/// compute. Then an upper bound is used in its place; it is at most 1 % too high, which costs a
/// few bits in ten thousand, and seldom a step.
const MANY_HASHES: u32 = 40;

/// Up to this many bits, the best k is found with the exact formula.
const EXACT_HASHES_BITS: u64 = 1 << 16;

/// Above the relative rounding errors of a size.
const ROUNDING: f64 = 1e-9;

/// From this many keys on, and for these targets, the guess of a size in bits is wrong by less than
/// the error: ten times what was observed in 400,000 specs of up to 10^9 keys.
const GUESSED_KEYS: u64 = 30;
const GUESSED_FPRS: RangeInclusive<f64> = 1e-9..=0.5;
const GUESS_ERROR: f64 = 0.5;

/// From [`GUESSED_KEYS`] keys on, the best k is one of the two integers around ln(2) m/n. Only if the
/// fraction is in this range is it not known which: in all sizes for 30 to 120 keys and in 10^6
/// others, the higher one was best from 0.44 on, and the lower one up to 0.86.
const UNSURE: Range<f64> = 0.35..0.93;

/// For a guess, the integer that is nearest to log2(1/p) is best if the fraction is not in this
/// range.
const EITHER: Range<f64> = 0.3..0.7;

/// If the FPRs of few keys have to be computed for more hashes than the first guess, they are
/// computed for this many more at once. Mostly the best k is below the guess.
const SPARE_HASHES: u32 = 8;

/// A size and a number of hashes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameters {
    /// Bits of storage (m).
    pub size_bits: u64,
    /// Probes per key (k).
    pub hashes: u32,
}

/// The textbook sizing: m = ceil(-n ln p / ln(2)^2), k = round(ln(2) m / n), at least 1.
///
/// This is what most libraries do. It is here for comparison and to build the same filter as
/// such a library. **It misses the target**: the FPR at `keys` keys is 1.004 p for p = 1 %, and
/// 1.09 p or 5.7 p for ten keys or one. [`min_bits_exact`] gives the size that meets the
/// target.
///
/// # Errors
///
/// Those of [`Spec::new`], and [`SpecError::TooLarge`].
pub fn estimate_parameters(keys: u64, target_fpr: f64) -> Result<Parameters, SpecError> {
    Spec::new(keys, target_fpr)?;
    let size_bits = checked_size(ceil(textbook_bits(keys as f64, log(target_fpr))))?;
    let hashes = round(size_bits as f64 / keys as f64 * LN_2);
    Ok(Parameters {
        size_bits,
        hashes: (hashes as u32).clamp(1, MAX_HASHES),
    })
}

/// The smallest m for which some k keeps the exact FPR at `keys` keys at or
/// below `target_fpr`, with the smallest such k.
///
/// # Errors
///
/// Those of [`Spec::new`], and [`SpecError::TooLarge`].
///
/// # Cost
///
/// Some microseconds; with fewer than about twenty keys, as much as a dozen evaluations of
/// [`expected_fpr`](super::expected_fpr).
pub fn min_bits_exact(keys: u64, target_fpr: f64) -> Result<Parameters, SpecError> {
    let Parameters {
        size_bits,
        mut hashes,
    } = min_bits_in_steps(keys, target_fpr, 1)?;
    while hashes > 1 && NearFpr::new(size_bits, hashes - 1, keys).is_at_most(target_fpr) {
        hashes -= 1;
    }
    Ok(Parameters { size_bits, hashes })
}

/// The smallest multiple of `step` bits (a `step` of 0 counts as 1) that meets the target as in
/// [`min_bits_exact`], with the [best](best_hashes) k for that size. With more than 40 hashes, below
/// a target of 1e-12, it is seldom a step more, since an upper bound of the FPR is used.
///
/// # Errors
///
/// Those of [`min_bits_exact`].
///
/// # Cost
///
/// About a third of a microsecond, or one where the FPR is close to the target; in steps of 64 bits
/// and for fewer than 30 keys, a look-up in a table.
pub fn min_bits_in_steps(keys: u64, target_fpr: f64, step: u64) -> Result<Parameters, SpecError> {
    Spec::new(keys, target_fpr)?;
    let step = step.max(1);
    if step == smallest::STEP
        && let Some(found) = smallest::in_steps(keys, target_fpr)
    {
        return Ok(found);
    }
    let log_fpr = log(target_fpr);
    let textbook = textbook_bits(keys as f64, log_fpr);
    checked_size(textbook)?;
    let guess = guessed_bits(keys as f64, log_fpr);
    // With fewer bits no k is enough. In general: the exact FPR is at least (1 - e^(-k n/m))^k, since
    // a power is convex, and that at least 2^(-ln(2) m/n).
    let least = if GUESSED_KEYS <= keys && GUESSED_FPRS.contains(&target_fpr) {
        guess - GUESS_ERROR
    } else {
        textbook
    };
    let least = (least * (1.0 - ROUNDING)) as u64;
    let guess = ceil(guess / step as f64) as u64;
    let (steps, hashes) = smallest(guess.max(1), |steps| {
        if steps * step < least {
            return None;
        }
        let (hashes, reached) = best(steps * step, keys);
        reached.is_at_most(target_fpr).then_some(hashes)
    });
    let size_bits = checked_size(steps as f64 * step as f64)?;
    Ok(Parameters { size_bits, hashes })
}

/// The number of hashes that gives the lowest FPR with `keys` keys in
/// `size_bits` bits; ties go to the smaller k.
///
/// It is ln(2) m/n rounded, except in small filters, where it is smaller. Up to m = 2^16 the
/// exact formula is used. Above that, a second-order approximation is used, which at that size
/// is within 1e-6 of the exact FPR up to k = 20; so it can only confuse values of k whose FPRs
/// hardly differ.
pub fn best_hashes(size_bits: u64, keys: u64) -> u32 {
    if size_bits > EXACT_HASHES_BITS {
        second_order_best(size_bits, keys).0
    } else {
        best(size_bits, keys).0
    }
}

/// The best k and its FPR; with many hashes, a close upper bound of the FPR.
fn best(size_bits: u64, keys: u64) -> (u32, NearFpr) {
    let is_small = size_bits <= EXACT_HASHES_BITS;
    let textbook = textbook_hashes(size_bits, keys);
    if is_small && textbook < MANY_HASHES {
        return one_of_two(size_bits, keys)
            .unwrap_or_else(|| exact_best(textbook, size_bits, keys));
    }
    let (hashes, _) = second_order_best(size_bits, keys);
    if hashes > MANY_HASHES && keys > u64::from(hashes) {
        return (hashes, NearFpr::known(bounded_fpr(size_bits, hashes, keys)));
    }
    if is_small {
        return exact_best(hashes, size_bits, keys);
    }
    (hashes, NearFpr::new(size_bits, hashes, keys))
}

/// The best k by the exact formula, with one evaluation or two; `None` with few keys.
fn one_of_two(size_bits: u64, keys: u64) -> Option<(u32, NearFpr)> {
    let ideal = size_bits as f64 / keys as f64 * LN_2;
    let low = ideal.max(1.0) as u32;
    if keys < GUESSED_KEYS || keys <= u64::from(low) + 1 {
        return None;
    }
    let of = |hashes| (hashes, NearFpr::new(size_bits, hashes, keys));
    let fraction = ideal - f64::from(low);
    if UNSURE.contains(&fraction) {
        let (less, more) = (of(low), of(low + 1));
        return Some(if more.1.is_below(&less.1, false) {
            more
        } else {
            less
        });
    }
    Some(of(low + u32::from(fraction > UNSURE.end)))
}

/// The best k by the exact formula, searched from `start`.
fn exact_best(start: u32, size_bits: u64, keys: u64) -> (u32, NearFpr) {
    if keys > start.into() {
        return lowest(
            start,
            |hashes| NearFpr::new(size_bits, hashes, keys),
            NearFpr::is_below,
        );
    }
    // The series of moments does not apply to this few keys.
    let mut known = fpr_by_hashes(size_bits, start, keys);
    let fpr_of = |hashes| {
        if hashes as usize > known.len() {
            known = fpr_by_hashes(size_bits, MAX_HASHES.min(hashes + SPARE_HASHES), keys);
        }
        NearFpr::known(known[hashes as usize - 1])
    };
    lowest(start, fpr_of, NearFpr::is_below)
}

/// An upper bound of the FPR near half fill. There the exact FPR is higher than the
/// second-order approximation by 0.009 to 0.011 k^4/m^2, relative.
fn bounded_fpr(size_bits: u64, hashes: u32, keys: u64) -> f64 {
    let relative = f64::from(hashes) * f64::from(hashes) / size_bits as f64;
    second_order_fpr(size_bits, hashes, keys) * (1.0 + 0.02 * relative * relative)
}

fn second_order_best(size_bits: u64, keys: u64) -> (u32, f64) {
    lowest(
        textbook_hashes(size_bits, keys),
        |hashes| second_order_fpr(size_bits, hashes, keys),
        |fpr, other, or_equal| fpr < other || (or_equal && fpr == other),
    )
}

fn textbook_hashes(size_bits: u64, keys: u64) -> u32 {
    let hashes = round(size_bits as f64 / keys.max(1) as f64 * LN_2);
    (hashes.min(f64::from(MAX_HASHES)) as u32).max(1)
}

/// Walks from `start` down or up to the number of hashes with the lowest FPR; the FPR has a
/// single minimum, and ties go to the smaller k. `is_below` returns whether one FPR is below
/// another, or also if they are equal when its last argument is `true`.
fn lowest<T>(
    start: u32,
    mut fpr_of: impl FnMut(u32) -> T,
    is_below: impl Fn(&T, &T, bool) -> bool,
) -> (u32, T) {
    let mut best = (start, fpr_of(start));
    for down in [true, false] {
        loop {
            let next = if down { best.0 - 1 } else { best.0 + 1 };
            if next == 0 || next > MAX_HASHES {
                break;
            }
            let fpr = fpr_of(next);
            if !is_below(&fpr, &best.1, down) {
                break;
            }
            best = (next, fpr);
        }
        if best.0 < start {
            // The FPRs for more hashes than `start` are not lower.
            break;
        }
    }
    best
}

/// The smallest value from 1 on for which `keeps` returns `Some`, and what it returned. The
/// search starts at `guess`, doubles its stride until it has bracketed the value, then bisects.
fn smallest<T>(guess: u64, keeps: impl Fn(u64) -> Option<T>) -> (u64, T) {
    let mut stride = 1;
    let mut fails = guess;
    let mut holds = match keeps(guess) {
        Some(kept) => {
            let mut holds = (guess, kept);
            loop {
                fails = holds.0.saturating_sub(stride);
                match if fails == 0 { None } else { keeps(fails) } {
                    Some(kept) => holds = (fails, kept),
                    None => break holds,
                }
                stride *= 2;
            }
        }
        None => loop {
            let next = fails + stride;
            if let Some(kept) = keeps(next) {
                break (next, kept);
            }
            fails = next;
            stride *= 2;
        },
    };
    while holds.0 - fails > 1 {
        let middle = fails + (holds.0 - fails) / 2;
        match keeps(middle) {
            Some(kept) => holds = (middle, kept),
            None => fails = middle,
        }
    }
    holds
}

/// The mean of fill^k, to second order in the deviation of the fill.
fn second_order_fpr(size_bits: u64, hashes: u32, keys: u64) -> f64 {
    let throws = f64::from(hashes) * keys as f64;
    let fill = expected_fill(size_bits, throws);
    let k = f64::from(hashes);
    let curvature = k * (k - 1.0) / 2.0 * fpr_given_fill(fill, hashes) / (fill * fill);
    fpr_given_fill(fill, hashes) + curvature * fill_variance(size_bits, throws)
}

/// A guess of the size: the m at which the mean fill to the power k equals the target, for the
/// better of the two integers k around log2 of 1/target, plus a term for the variance of the fill
/// near half fill. A key leaves a slot empty with probability (1 - 1/m)^k, about e^(-k/(m - 1/2)).
fn guessed_bits(keys: f64, log_fpr: f64) -> f64 {
    let ideal = -log_fpr / LN_2;
    let bits_of = |hashes: f64| {
        let k = hashes.clamp(1.0, f64::from(MAX_HASHES));
        -k * keys / log1p(-exp(log_fpr / k)) + 0.5 + 0.22 * (k - 1.0)
    };
    let low = floor(ideal);
    if EITHER.contains(&(ideal - low)) {
        return bits_of(low).min(bits_of(low + 1.0));
    }
    bits_of(round(ideal))
}

fn textbook_bits(keys: f64, log_fpr: f64) -> f64 {
    -keys * log_fpr / (LN_2 * LN_2)
}

fn checked_size(size_bits: f64) -> Result<u64, SpecError> {
    if size_bits > MAX_SIZE_BITS as f64 {
        return Err(SpecError::TooLarge { size_bits });
    }
    Ok(size_bits as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::expected_fpr;
    use alloc::vec::Vec;

    fn rows(csv: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
        csv.lines().skip(1).map(|line| line.split(',').collect())
    }

    fn integer(cell: &str) -> u64 {
        cell.parse().unwrap()
    }

    #[test]
    fn the_field_s_sizing() {
        let mut count = 0;
        for row in rows(include_str!("../../tests/data/sizing.csv")) {
            let got = estimate_parameters(integer(row[0]), row[1].parse().unwrap()).unwrap();
            assert_eq!(got.size_bits, integer(row[2]), "{row:?}");
            assert_eq!(u64::from(got.hashes), integer(row[4]), "{row:?}");
            assert_eq!(
                u64::from(best_hashes(got.size_bits, integer(row[0]))),
                integer(row[9]),
                "{row:?}"
            );
            count += 1;
        }
        assert_eq!(count, 98);
    }

    #[test]
    fn the_exact_sizing() {
        let mut count = 0;
        for row in rows(include_str!("../../tests/data/min_m_exact.csv")) {
            let got = min_bits_exact(integer(row[0]), row[1].parse().unwrap()).unwrap();
            assert_eq!(got.size_bits, integer(row[5]), "{row:?}");
            // The reference takes the first k that meets p, starting from the textbook k - 10;
            // in one row (one key at 1e-9, k = 24) a smaller k meets it too.
            let first_tried = if row[..2] == ["1", "1e-09"] {
                22
            } else {
                integer(row[6])
            };
            assert_eq!(u64::from(got.hashes), first_tried, "{row:?}");
            count += 1;
        }
        assert_eq!(count, 32);
    }

    #[test]
    fn second_order_is_close_above_the_exact_search() {
        for (m, k, n) in [
            (100_000, 7, 10_000),
            (100_000, 20, 5_000),
            (70_000, 30, 1_600),
        ] {
            let (exact, second) = (expected_fpr(m, k, n), second_order_fpr(m, k, n));
            assert!(
                (second / exact - 1.0).abs() < 1e-5,
                "{m} {k} {n}: {exact} {second}"
            );
        }
    }

    #[test]
    fn steps_keep_the_promise_and_are_the_least() {
        for keys in (1..200).chain([1_000, 54_321, 1_000_000, 10_000_000_000]) {
            for fpr in [0.999, 0.5, 0.1, 0.01, 1e-3, 1e-6, 1e-12] {
                let Parameters { size_bits, hashes } = min_bits_in_steps(keys, fpr, 64).unwrap();
                assert_eq!(size_bits % 64, 0);
                assert!(expected_fpr(size_bits, hashes, keys) <= fpr, "{keys} {fpr}");
                if size_bits > 64 {
                    let less = size_bits - 64;
                    let fpr_of_less = expected_fpr(less, best_hashes(less, keys), keys);
                    assert!(fpr_of_less > fpr, "{keys} {fpr}");
                }
            }
        }
    }

    /// The same decisions, all made with the moments or exactly.
    #[test]
    fn the_table_and_the_variance_change_no_size() {
        let mut word = 0_u64;
        let mut random = || {
            word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (word ^ (word >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
            (mixed ^ (mixed >> 32)) as f64 / u64::MAX as f64
        };
        for _ in 0..100_000 {
            let keys = exp(random() * 9.3) as u64;
            let fpr = exp(-random() * 20.7) * 0.999;
            let Parameters { size_bits, hashes } = min_bits_in_steps(keys, fpr, 64).unwrap();
            let reached = |size_bits, hashes| NearFpr::precise(size_bits, hashes, keys);
            let (met, k) = (reached(size_bits, hashes), hashes);
            assert!(met.is_at_most(fpr), "{keys} {fpr}");
            if size_bits <= EXACT_HASHES_BITS {
                assert!(
                    k == 1 || met.is_below(&reached(size_bits, k - 1), false),
                    "{keys} {fpr}"
                );
                assert!(
                    met.is_below(&reached(size_bits, k + 1), true),
                    "{keys} {fpr}"
                );
            }
            if size_bits > 64 {
                let k = best_hashes(size_bits - 64, keys);
                assert!(!reached(size_bits - 64, k).is_at_most(fpr), "{keys} {fpr}");
            }
        }
    }

    #[test]
    fn many_hashes_are_bounded() {
        for hashes in [41, 50, 64, 80, 100, 128] {
            for keys in [1, 2, 5, 20, 1_000].map(|times| times * u64::from(hashes) + 1) {
                let size_bits = (keys as f64 * f64::from(hashes) / LN_2) as u64;
                let exact = expected_fpr(size_bits, hashes, keys);
                let bound = bounded_fpr(size_bits, hashes, keys);
                assert!(
                    exact < bound,
                    "{size_bits} {hashes} {keys}: {exact} {bound}"
                );
                assert!(
                    bound < 1.01 * exact,
                    "{size_bits} {hashes} {keys}: {exact} {bound}"
                );
            }
        }
    }

    #[test]
    fn no_size_past_the_end() {
        assert!(matches!(
            min_bits_exact(1 << 50, 0.01),
            Err(SpecError::TooLarge { .. })
        ));
        assert!(matches!(
            estimate_parameters(u64::MAX, 1e-9),
            Err(SpecError::TooLarge { .. })
        ));
        assert!(min_bits_exact(0, 0.01).is_err());
        assert!(estimate_parameters(1, f64::NAN).is_err());
    }
}
