//! The FPR of a filter whose blocks have eight words with one slot of a key in each, without a
//! sum over the loads: most of the time of making a small filter is spent on its size.

use libm::exp;

use super::{MOST, about_log2, fewest};
use crate::Layout;

/// The binomial coefficients of 8 after the first, which is 1, with alternating signs.
const CHOOSE: [f64; 8] = [-8.0, 28.0, -56.0, 70.0, -56.0, 28.0, -8.0, 1.0];

/// A bound on the rounding error of [`fpr`]: some hundred times that of the largest term.
const ROUNDING: f64 = 1e-12;

/// The smallest number of blocks that keeps the FPR at or below `target_fpr`; `None` if the
/// layout has no such words, or if an FPR is too close to the target for this precision.
pub(super) fn fewest_blocks<L: Layout>(keys: u64, target_fpr: f64, guess: u64) -> Option<u64> {
    if L::RANGES != 8 {
        return None;
    }
    let word_bits = (L::BLOCK_BITS / 8) as f64;
    // About by how much the layouts exceed a classic filter, so that two or three steps suffice.
    let bits = about_log2(target_fpr) * about_log2(target_fpr);
    let guess = (guess as f64 * (1.0 + bits * (0.0011 + 2.3e-6 * bits))) as u64;
    let mut is_close = false;
    let blocks = fewest(guess, target_fpr, |blocks| {
        let fpr = fpr(keys, blocks, word_bits);
        is_close |= (fpr - target_fpr).abs() <= ROUNDING;
        fpr
    });
    (!is_close && blocks < MOST).then_some(blocks)
}

/// The mean of (1 - q^i)^8 over the number i of keys in a block, where q = 1 - 1/b for words of
/// b bits. Multiplied out it is a sum of powers q^(j i), and the mean of each is
/// (1 - (1 - q^j)/B)^n: n keys, each in this one of B blocks with probability 1/B.
fn fpr(keys: u64, blocks: u64, word_bits: f64) -> f64 {
    let share = 1.0 / blocks as f64;
    let q = 1.0 - 1.0 / word_bits;
    let (mut sum, mut power) = (1.0, 1.0);
    for choose in CHOOSE {
        power *= q;
        let x = (1.0 - power) * share;
        sum += choose * exp(keys as f64 * log_of_one_less(x));
    }
    sum
}

/// The logarithm of 1 - x, for x up to a quarter: the series of the inverse hyperbolic tangent,
/// whose next term is below 1e-11 of the first.
fn log_of_one_less(x: f64) -> f64 {
    let z = x / (2.0 - x);
    let square = z * z;
    let tail = square * (1.0 / 7.0 + square * (1.0 / 9.0 + square / 11.0));
    -2.0 * z * (1.0 + square * (1.0 / 3.0 + square * (1.0 / 5.0 + tail)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Line, Words32, Words64, math::Curves};

    #[test]
    fn it_is_the_mean_over_loads() {
        fn check<L: Layout>(layout: L) {
            let mut curve = Curves::alone(layout);
            for blocks in [1, 2, 3, 10, 1_000, 1 << 30] {
                for load in [0.1, 1.0, 20.0, 50.0, 90.0, 300.0] {
                    let keys = (load * blocks as f64) as u64;
                    let want = curve.expected_fpr(8, keys, blocks);
                    let got = fpr(keys, blocks, (L::BLOCK_BITS / 8) as f64);
                    assert!(
                        (got - want).abs() < ROUNDING / 4.0,
                        "{layout:?} {blocks} {keys}"
                    );
                }
            }
        }
        check(Words64);
        check(Words32);
    }

    #[test]
    fn none_if_it_cannot_decide() {
        assert_eq!(fewest_blocks::<Line>(1_000, 0.01, 20), None);
        assert_eq!(fewest_blocks::<Words64>(1_000, 1e-13, 100), None);
        assert_eq!(
            fewest_blocks::<Words64>(1_000_000, 0.01, 20_000),
            Some(19_726)
        );
    }
}
