//! The FPR of a blocked filter as a short sum, without a sum over the loads of a block: most of
//! the time of making a small filter is spent on its size.
//!
//! A non-member whose probes hit i different slots is a false positive if none of them is
//! empty: by inclusion and exclusion, the sum over j of (-1)^j choose(i, j) times the
//! probability that j given slots are all empty. One key leaves them empty in its own block
//! with a probability that the layout knows, `untouched`; it is in this one of B blocks with
//! probability 1/B. So after n keys they are empty with probability
//! (1 - (1 - untouched)/B)^n.
//!
//! The terms alternate, so the sum loses digits: it is used where its rounding error does not
//! matter, and the sum over the loads decides the rest.

use core::f64::consts::{LN_2, LOG2_E};

use super::{MOST, Sizing, about_log2, fewest, tabled};
use crate::Layout;

/// The largest number of probes whose terms are not much larger than the sum.
pub(crate) const MOST_PROBES: usize = 12;

/// The rounding error of the sum is below this, relative to its largest coefficient.
const ROUNDING: f64 = 1e-14;

/// The sum for one number of probes.
#[derive(Clone, Debug)]
pub struct ClosedForm {
    terms: usize,
    /// Element j - 1: the coefficient of j slots, and the probability that a key touches one of
    /// them. The coefficient of no slots is 1.
    coefficients: [f64; MOST_PROBES],
    touched: [f64; MOST_PROBES],
}

impl ClosedForm {
    /// For `hashes` probes, each of `slots` slots;
    /// `untouched(j)` is the probability that a key in the same block leaves j of them empty.
    /// `None` for more than [`MOST_PROBES`].
    pub(crate) fn new(slots: f64, hashes: u32, untouched: impl Fn(u32) -> f64) -> Option<Self> {
        let terms = hashes as usize;
        if terms > MOST_PROBES {
            return None;
        }
        // Element j: the mean of choose(i, j) after the probes so far. One more probe hits another
        // slot with probability 1 - i/slots, which adds choose(i, j - 1).
        let mut chosen = [0.0; MOST_PROBES + 1];
        chosen[0] = 1.0;
        let share = 1.0 / slots;
        for probes in 1..=terms {
            let mut before = 0.0;
            for (j, mean) in chosen[..=probes].iter_mut().enumerate() {
                let others = *mean * (1.0 - j as f64 * share);
                *mean = others + before;
                before = others;
            }
        }
        let (mut coefficients, mut touched) = ([0.0; MOST_PROBES], [0.0; MOST_PROBES]);
        for (j, (factor, mean)) in coefficients.iter_mut().zip(&chosen[1..]).enumerate() {
            *factor = if j % 2 == 0 { -mean } else { *mean };
        }
        for (touched, j) in touched[..terms].iter_mut().zip(1..) {
            *touched = 1.0 - untouched(j);
        }
        Some(Self {
            terms,
            coefficients,
            touched,
        })
    }

    /// For eight words with one slot of a key in each: in each of j words a key leaves a given
    /// slot empty independently.
    pub(crate) const fn of_words(word_bits: f64) -> Self {
        let (mut coefficients, mut touched) = ([0.0; MOST_PROBES], [0.0; MOST_PROBES]);
        let (mut choose, mut untouched) = (1.0, 1.0);
        let mut j = 0;
        while j < 8 {
            choose *= -((8 - j) as f64) / (j + 1) as f64;
            untouched *= 1.0 - 1.0 / word_bits;
            (coefficients[j], touched[j]) = (choose, 1.0 - untouched);
            j += 1;
        }
        Self {
            terms: 8,
            coefficients,
            touched,
        }
    }

    fn fpr(&self, keys: u64, blocks: u64) -> f64 {
        let terms = self.coefficients.iter().zip(self.empty(keys, blocks));
        terms
            .take(self.terms)
            .fold(1.0, |sum, (factor, empty)| sum + factor * empty)
    }

    /// The FPR, and by how much it rises with a block less if the curve is replaced by its tangent.
    pub(super) fn fpr_and_rise(&self, keys: u64, blocks: u64) -> (f64, f64) {
        let (load, share) = (keys as f64 / blocks as f64, 1.0 / blocks as f64);
        let terms = self.coefficients.iter().zip(self.empty(keys, blocks));
        let terms = terms.zip(&self.touched).take(self.terms);
        terms.fold((1.0, 0.0), |(fpr, rise), ((factor, empty), touched)| {
            let term = factor * empty;
            let slope = term * touched / (1.0 - touched * share);
            (fpr + term, rise - load * share * slope)
        })
    }

    /// Element j - 1: the probability that j slots are empty.
    #[inline(always)]
    fn empty(&self, keys: u64, blocks: u64) -> [f64; MOST_PROBES] {
        let (keys, share) = (keys as f64, 1.0 / blocks as f64);
        let mut empty = self.touched;
        // A loop of its own, which compilers turn into vector instructions.
        for chunk in empty[..self.terms.next_multiple_of(4)]
            .as_chunks_mut::<4>()
            .0
        {
            for one in chunk {
                *one = exp_of_negative(keys * log_of_one_less(*one * share));
            }
        }
        empty
    }

    pub(super) fn slack(&self) -> f64 {
        let largest = |most: f64, factor: &f64| most.max(factor.abs());
        self.coefficients.iter().fold(1.0, largest) * ROUNDING
    }
}

/// The logarithm of 1 - x for x up to a half, by the series of the inverse hyperbolic tangent:
/// for a few terms of small arguments this is faster than `log1p`.
#[inline(always)]
fn log_of_one_less(x: f64) -> f64 {
    let z = x / (2.0 - x);
    let square = z * z;
    let tail = square * (1.0 / 7.0 + square * (1.0 / 9.0 + square * (1.0 / 11.0 + square / 13.0)));
    -2.0 * z * (1.0 + square * (1.0 / 3.0 + square * (1.0 / 5.0 + tail)))
}

/// e^x for x <= 0, and at least about 1e-300. Without branches, so that many take the time of a few.
#[inline(always)]
pub(super) fn exp_of_negative(x: f64) -> f64 {
    /// Adding it rounds to a whole number, which is then in the lowest bits.
    const TO_WHOLE: f64 = 1.5 * (1_u64 << 52) as f64;
    // The first has as many bits as leave its product with a whole number below 2^11 exact.
    const LN_2_IN_TWO: [f64; 2] = [
        f64::from_bits(0x3fe6_2e42_fee0_0000),
        f64::from_bits(0x3dea_39ef_3579_3c76),
    ];
    let x = x.max(-690.0);
    let shifted = x * LOG2_E + TO_WHOLE;
    let halvings = shifted - TO_WHOLE;
    let rest = (x - halvings * LN_2_IN_TWO[0]) - halvings * LN_2_IN_TWO[1];
    let series = INVERSE_FACTORIALS.iter().rev();
    let series = series.fold(0.0, |sum, factor| sum * rest + factor);
    series * f64::from_bits(shifted.to_bits().wrapping_add(1_023) << 52)
}

/// 1/0!, 1/1! … 1/13!: with |x| at most ln(2)/2, the next term is below 1e-17.
const INVERSE_FACTORIALS: [f64; 14] = {
    let mut inverse = [1.0; 14];
    let mut i = 1;
    while i < 14 {
        inverse[i] = inverse[i - 1] / i as f64;
        i += 1;
    }
    inverse
};

impl<L: Layout> Sizing<L> {
    /// The smallest number of blocks and the layout that
    /// [`fewest_blocks`](Self::fewest_blocks) finds; `None` if an FPR is too close to the
    /// target or to another for this precision.
    pub(super) fn by_closed_form(&self, target_fpr: f64, guess: u64) -> Option<(u64, L)> {
        if L::HASHES.start() == L::HASHES.end() {
            return None;
        }
        // About by how much the layout exceeds a classic filter, so that few steps suffice.
        let bits = about_log2(target_fpr) * about_log2(target_fpr);
        let guess = (guess as f64 * (1.0 + 0.0009 * bits)) as u64;
        let mut search = Search::<L> {
            keys: self.keys,
            forms: [const { None }; MOST_PROBES],
            is_close: false,
            hashes: self.start(guess.clamp(1, MOST)),
            layout: core::marker::PhantomData,
        };
        let blocks = fewest(guess, target_fpr, |blocks| {
            let mut fpr = search.fpr(search.hashes, blocks);
            if fpr > target_fpr && !search.is_hopeless(blocks, target_fpr) {
                fpr = search.best(blocks, fpr);
            }
            search.beside(search.hashes, fpr, target_fpr)
        });
        let fpr = search.fpr(search.hashes, blocks);
        search.best(blocks, fpr);
        (!search.is_close && blocks < MOST).then(|| (blocks, L::with_hashes(search.hashes)))
    }
}

/// The closed forms computed so far, and whether one of them was needed where it is not precise
/// enough.
struct Search<L> {
    keys: u64,
    forms: [Option<ClosedForm>; MOST_PROBES],
    is_close: bool,
    hashes: u32,
    layout: core::marker::PhantomData<L>,
}

impl<L: Layout> Search<L> {
    /// The FPR with this number of hashes; 1 if it takes the sum over the loads.
    fn fpr(&mut self, hashes: u32, blocks: u64) -> f64 {
        let keys = self.keys;
        let fpr = match L::with_hashes(hashes).of_one_block() {
            Some(of_one) => tabled::mean(of_one, keys, blocks),
            None => self.form(hashes).map(|form| form.fpr(keys, blocks)),
        };
        self.is_close |= fpr.is_none();
        fpr.unwrap_or(1.0)
    }

    fn form(&mut self, hashes: u32) -> Option<&ClosedForm> {
        let known = self.forms.get_mut(hashes as usize - 1)?;
        if known.is_none() {
            *known = L::with_hashes(hashes).closed_form();
        }
        known.as_ref()
    }

    /// `fpr`, that of this number of hashes, which is compared with `other`.
    fn beside(&mut self, hashes: u32, fpr: f64, other: f64) -> f64 {
        let slack = |hashes: u32| {
            let form = self.forms.get(hashes as usize - 1).and_then(Option::as_ref);
            form.map_or(tabled::ROUNDING * fpr, ClosedForm::slack)
        };
        self.is_close |= (fpr - other).abs() <= 4.0 * slack(hashes).max(slack(self.hashes));
        fpr
    }

    /// Whether no number of hashes meets the target: the best of a classic filter with as many bits
    /// for each key has the FPR 2^-(ln(2) bits), and a mean over loads is higher, since the FPR as
    /// a function of the load is convex where it is low (Jensen's inequality). 0.1 is more than the
    /// error of [`about_log2`].
    fn is_hopeless(&self, blocks: u64, target_fpr: f64) -> bool {
        let bits = blocks as f64 * L::BLOCK_BITS as f64 / self.keys as f64;
        target_fpr < 0.05 && bits * LN_2 < -about_log2(target_fpr) - 0.1
    }

    /// Moves to the number of hashes with the lowest FPR and returns that, from the FPR of the
    /// present number: the FPR has a single minimum.
    fn best(&mut self, blocks: u64, mut lowest: f64) -> f64 {
        let from = self.hashes;
        for down in [true, false] {
            // Where fewer were better, more than at first are not.
            while down || self.hashes >= from {
                let next = if down {
                    self.hashes - 1
                } else {
                    self.hashes + 1
                };
                if !L::HASHES.contains(&next) || self.is_close {
                    break;
                }
                let fpr = self.fpr(next, blocks);
                self.beside(next, fpr, lowest);
                if fpr > lowest {
                    break;
                }
                (self.hashes, lowest) = (next, fpr);
            }
        }
        lowest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Line, Words32, Words64, layout::Arithmetic, math::Curves};

    #[test]
    fn it_is_the_mean_over_loads() {
        fn check<L: Layout>(layout: L) {
            let (mut curve, form) = (Curves::alone(layout), layout.closed_form().unwrap());
            for blocks in [1, 2, 3, 10, 1_000, 1 << 30] {
                for load in [0.1, 1.0, 20.0, 50.0, 90.0, 300.0] {
                    let keys = (load * blocks as f64) as u64;
                    let want = curve.expected_fpr(layout.hashes(), keys, blocks);
                    let got = form.fpr(keys, blocks);
                    let off = (got - want).abs() / form.slack();
                    assert!(off < 1.0, "{layout:?} {blocks} {keys}: {off}");
                }
            }
        }
        check(Words64);
        check(Words32);
        for hashes in 1..=MOST_PROBES as u32 {
            check(Line::new(hashes).unwrap());
        }
        let beyond = Line::new(MOST_PROBES as u32 + 1).unwrap();
        assert!(beyond.closed_form().is_none());
    }

    #[test]
    fn it_decides_like_the_mean_over_loads() {
        fn check<L: Layout>(specs: u64, halvings: u64) {
            let mut decided = 0;
            for i in 0..specs {
                let keys = 1 + i * i % 9_973;
                let fpr = 0.5_f64.powi(1 + (i % halvings) as i32) * 0.97;
                let mut sizing = Sizing::<L>::new(keys);
                let guess = (keys as f64 * -about_log2(fpr) * 1.44) as u64 / L::BLOCK_BITS + 1;
                let one_k = sizing.of_one_k(fpr);
                if let Some(found) = one_k.or_else(|| sizing.by_closed_form(fpr, guess)) {
                    assert!(found == sizing.by_loads(fpr, guess), "{keys} {fpr}");
                    decided += 1;
                }
            }
            assert!(decided > specs / 2, "{decided}");
        }
        check::<Words64>(3_000, 23);
        check::<Words32>(3_000, 23);
        check::<Line>(2_000, 33);
    }
}
