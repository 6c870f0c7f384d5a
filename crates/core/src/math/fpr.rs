//! The false-positive rate of the classic filter: one array, k probes.

use alloc::{vec, vec::Vec};

use libm::{exp, expm1, log1p, pow};

use super::MAX_HASHES;

/// The exact FPR of a classic filter of m = `size_bits` and k = `hashes` with
/// `keys` different keys: the mean over all filters, for independent probes
/// that may repeat.
///
/// # Method
///
/// A recurrence over the probes gives the probability that the k probes of a non-member hit j
/// different slots. Let P_j(t) be the probability that j given slots are all set after t random
/// throws. The next throw hits one of the j slots with probability j/m, and then j - 1 slots
/// remain:
///
/// ```text
/// P_j(t+1) = (1 - j/m) P_j(t) + (j/m) P_{j-1}(t),   P_0 = 1,   P_j(0) = 0 for j > 0
/// ```
///
/// All terms are positive, so nothing cancels, unlike in the inclusion-exclusion form of the
/// same number (Bose et al., "On the false-positive rate of Bloom filters", IPL 108, 2008;
/// Christensen, Roginsky and Jimeno, IPL 110, 2010). The kn steps are one matrix to the power
/// kn, computed by repeated squaring; the diagonal (1 - j/m)^t is computed directly at each
/// squaring, which keeps the relative error near 1e-14 for any kn. So no approximation is
/// needed at any size.
///
/// # Cost
///
/// O(k^3 log(kn)): microseconds at k = 7, a fraction of a millisecond at k = 40, milliseconds
/// at k = 128. Values of `hashes` above [`MAX_HASHES`] are replaced by [`MAX_HASHES`].
///
/// ```
/// # use bouquet_core::math::{expected_fpr, textbook_fpr};
/// // m = 32, n = 3, k = 4: the textbook form is 11 % too low.
/// assert!((expected_fpr(32, 4, 3) - 0.010754444).abs() < 1e-9);
/// assert!((textbook_fpr(32.0, 4, 3.0) - 0.009563).abs() < 1e-6);
/// ```
pub fn expected_fpr(size_bits: u64, hashes: u32, keys: u64) -> f64 {
    FprCurve::new(size_bits, hashes).at(keys)
}

/// [`expected_fpr`] for one m and k and many numbers of keys. Everything that does not depend
/// on the number of keys is computed once: after the first evaluation, each costs O(k^2
/// log(kn)).
///
/// ```
/// # use bouquet_core::math::{FprCurve, expected_fpr};
/// let mut curve = FprCurve::new(9_600, 7);
/// for keys in [0, 500, 1_000, 2_000] {
///     assert_eq!(curve.at(keys), expected_fpr(9_600, 7, keys));
/// }
/// ```
#[derive(Clone, Debug)]
pub struct FprCurve {
    m: f64,
    k: usize,
    met: Vec<f64>,
    /// The maps of 1, 2, 4 … throws, computed as they are needed.
    steps: Vec<Step>,
}

impl FprCurve {
    /// Creates the curve for m = `size_bits` and k = `hashes`, at most [`MAX_HASHES`].
    pub fn new(size_bits: u64, hashes: u32) -> Self {
        let m = size_bits.max(1) as f64;
        let k = hashes.clamp(1, MAX_HASHES) as usize;
        Self {
            m,
            k,
            met: different_slots(m, k),
            steps: Vec::new(),
        }
    }

    /// The FPR with `keys` different keys.
    pub fn at(&mut self, keys: u64) -> f64 {
        if keys == 0 {
            return 0.0;
        }
        let set = self.all_set(self.k as u128 * u128::from(keys));
        let fpr: f64 = self.met.iter().zip(&set).map(|(met, set)| met * set).sum();
        fpr.min(1.0)
    }

    /// The probabilities P_0 … P_k after `throws` throws.
    fn all_set(&mut self, throws: u128) -> Vec<f64> {
        let (m, k) = (self.m, self.k);
        let mut state = vec![0.0; k + 1];
        state[0] = 1.0;
        if throws <= (k * k) as u128 {
            // This few throws are faster one by one, and their rounding errors do not
            // accumulate.
            let (none, share) = chances(m, k);
            for _ in 0..throws {
                throw(&mut state, &none, &share);
            }
            return state;
        }
        for power in 0..(u128::BITS - throws.leading_zeros()) as usize {
            if power == self.steps.len() {
                let step = self.steps.last().map(Step::doubled);
                self.steps
                    .push(step.unwrap_or_else(|| Step::one_throw(m, k)));
            }
            if throws >> power & 1 == 1 {
                state = self.steps[power].apply(&state);
            }
        }
        state
    }
}

/// [`expected_fpr`] for k = 1, 2, 3 … up to `most`, for little more than the cost of the last
/// one: P_j(t) does not depend on k, and the FPR at k needs P_j after kn throws. Use it only if
/// there are no more keys than hashes; then the throws are few enough to be computed one by
/// one.
pub(super) fn fpr_by_hashes(size_bits: u64, most: u32, keys: u64) -> Vec<f64> {
    let (m, most) = (size_bits.max(1) as f64, most as usize);
    let (none, share) = chances(m, most);
    let (mut met, mut set) = (vec![0.0; most + 1], vec![0.0; most + 1]);
    (met[0], set[0]) = (1.0, 1.0);
    let fpr_of = |k: usize| {
        probe(m, &mut met[..=k]);
        for _ in 0..keys {
            throw(&mut set, &none, &share);
        }
        let both = met[..=k].iter().zip(&set);
        let fpr: f64 = both.map(|(met, set)| met * set).sum();
        fpr.min(1.0)
    };
    (1..=most).map(fpr_of).collect()
}

/// The distribution of the number of different slots that k probes hit: element j is the
/// probability of exactly j slots.
fn different_slots(m: f64, k: usize) -> Vec<f64> {
    let mut met = vec![0.0; k + 1];
    met[0] = 1.0;
    for _ in 0..k {
        probe(m, &mut met);
    }
    met
}

/// Updates the distribution by one more probe.
fn probe(m: f64, met: &mut [f64]) {
    for j in (1..met.len()).rev() {
        let again = met[j] * (j as f64 / m);
        let fresh = met[j - 1] * ((m - (j - 1) as f64) / m).max(0.0);
        met[j] = again + fresh;
    }
    met[0] = 0.0;
}

/// For j = 0 … k slots, the probability that a throw hits none of them, and that it hits one of
/// them.
fn chances(m: f64, k: usize) -> (Vec<f64>, Vec<f64>) {
    let share = (0..=k).map(|j| (j as f64 / m).min(1.0));
    share.map(|share| (1.0 - share, share)).unzip()
}

/// Updates P_0, P_1 … by one more throw, which hits one of j slots with probability `share[j]`
/// and none of them with probability `none[j]`.
fn throw(state: &mut [f64], none: &[f64], share: &[f64]) {
    let (none, share) = (&none[..state.len()], &share[..state.len()]);
    for j in (1..state.len()).rev() {
        state[j] = none[j] * state[j] + share[j] * state[j - 1];
    }
}

/// The linear map from P(t) to P(t + `throws`): a lower triangular matrix.
#[derive(Clone, Debug)]
struct Step {
    m: f64,
    k: usize,
    throws: f64,
    /// The matrix row by row, each row up to the diagonal.
    cells: Vec<f64>,
}

impl Step {
    fn one_throw(m: f64, k: usize) -> Self {
        let mut step = Self {
            m,
            k,
            throws: 1.0,
            cells: vec![0.0; Self::start(k + 1)],
        };
        step.set_diagonal();
        for j in 1..=k {
            step.cells[Self::start(j) + j - 1] = (j as f64 / m).min(1.0);
        }
        step
    }

    /// The index in `cells` at which row j begins.
    fn start(j: usize) -> usize {
        j * (j + 1) / 2
    }

    fn row(&self, j: usize) -> &[f64] {
        &self.cells[Self::start(j)..Self::start(j + 1)]
    }

    /// Sets the diagonal to (1 - j/m)^throws, the probability that none of j given slots is
    /// hit. It is computed directly and not by multiplication, because there the relative error
    /// would double with every squaring.
    fn set_diagonal(&mut self) {
        for j in 0..=self.k {
            let share = j as f64 / self.m;
            let none = if share < 1.0 {
                exp(self.throws * log1p(-share))
            } else {
                0.0
            };
            self.cells[Self::start(j) + j] = none;
        }
    }

    fn doubled(&self) -> Self {
        let cells = vec![0.0; self.cells.len()];
        let mut double = Self {
            m: self.m,
            k: self.k,
            throws: 2.0 * self.throws,
            cells,
        };
        for j in 0..=self.k {
            let sums = &mut double.cells[Self::start(j)..Self::start(j + 1)];
            for (through, a) in self.row(j).iter().enumerate() {
                for (sum, b) in sums.iter_mut().zip(self.row(through)) {
                    *sum += a * b;
                }
            }
        }
        double.set_diagonal();
        double
    }

    fn apply(&self, state: &[f64]) -> Vec<f64> {
        let dot = |j| self.row(j).iter().zip(state).map(|(a, p)| a * p).sum();
        (0..=self.k).map(dot).collect()
    }
}

/// The textbook FPR (1 - e^(-kn/m))^k (Bloom 1970, in the usual limit form).
///
/// Always too low, by about (0.153 k(k-1) + 0.35 k)/m relative at half fill: negligible at a
/// million bits, a tenth at a hundred bits. Use it to start a search or to compare with
/// published figures; [`expected_fpr`] is exact.
pub fn textbook_fpr(size_bits: f64, hashes: u32, keys: f64) -> f64 {
    let k = f64::from(hashes);
    pow(-expm1(-k * keys / size_bits), k)
}

/// The FPR of one classic filter whose share `fill` of bits is set: fill^k.
///
/// Exact for the given bits, with independent probes that may repeat. The FPR varies from
/// filter to filter with the fill, by a relative standard deviation of 0.55 k/sqrt(m) at half
/// fill.
pub fn fpr_given_fill(fill: f64, hashes: u32) -> f64 {
    pow(fill, f64::from(hashes))
}

/// `base` to the power `exponent`, by squaring: with rounding errors of a few units in the last
/// place, and several times as fast as a power with any exponent.
///
/// ```
/// # use bouquet_core::math::power;
/// assert_eq!((power(0.5, 3), power(2.0, 0)), (0.125, 1.0));
/// ```
pub fn power(mut base: f64, mut exponent: u32) -> f64 {
    let mut product = 1.0;
    while exponent > 0 {
        if exponent % 2 == 1 {
            product *= base;
        }
        base *= base;
        exponent /= 2;
    }
    product
}

/// The mean share of slots that are set after `throws` throws into m slots:
/// 1 - (1 - 1/m)^throws.
pub fn expected_fill(size_bits: u64, throws: f64) -> f64 {
    let m = size_bits.max(1) as f64;
    if m == 1.0 {
        return if throws > 0.0 { 1.0 } else { 0.0 };
    }
    -expm1(throws * log1p(-1.0 / m))
}

/// The variance, over all filters, of the share of m slots that are set after `throws` throws:
/// that of the classical occupancy problem (Johnson and Kotz, "Urn Models", 1977, eq. 3.7), in
/// a form without cancellation.
pub fn fill_variance(size_bits: u64, throws: f64) -> f64 {
    let m = size_bits.max(1) as f64;
    if m < 3.0 || throws <= 0.0 {
        // With m = 2, the two slots are never both empty; with m = 1, the fill does not vary.
        let empty = if m == 2.0 && throws > 0.0 {
            pow(0.5, throws)
        } else {
            0.0
        };
        return empty / 2.0 - empty * empty;
    }
    // Var = q1/m + (1 - 1/m) q2 - q1^2, where q_j is the probability that j given slots stay
    // empty. The ratio q2/q1^2 - 1 is tiny, so it is computed directly and not as a difference.
    let log_q1 = throws * log1p(-1.0 / m);
    let q1 = exp(log_q1);
    // (1 - 2/m) / (1 - 1/m)^2 = 1 - 1/(m - 1)^2
    let excess = expm1(throws * log1p(-1.0 / ((m - 1.0) * (m - 1.0))));
    let q1_squared = q1 * q1;
    (q1 * -expm1(log_q1) / m + (1.0 - 1.0 / m) * q1_squared * excess).max(0.0)
}

/// The FPR of a filter whose bits give `fpr`, with the hash-collision floor added.
#[inline]
pub fn with_hash_floor(fpr: f64, keys: u64, hash_bits: u32) -> f64 {
    let floor = hash_floor(keys, hash_bits);
    fpr + floor - fpr * floor
}

/// The share of non-members whose hash of `hash_bits` bits equals the hash of one of `keys`
/// members: 1 - (1 - 2^-hash_bits)^keys, independent of m and k.
#[inline]
pub fn hash_floor(keys: u64, hash_bits: u32) -> f64 {
    // Computes 2^-hash_bits by setting the exponent bits: `pow` would take longer than the
    // rest.
    let chance = f64::from_bits(u64::from(1_023_u32.saturating_sub(hash_bits)) << 52);
    let sum = keys as f64 * chance;
    // The other terms of both series are smaller than half a unit in the last place.
    if chance.max(sum) < f64::EPSILON / 8.0 {
        return sum;
    }
    -expm1(keys as f64 * log1p(-chance))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Enumerates all outcomes of the throws one by one: slow, but obviously correct.
    fn by_enumeration(m: u32, k: u32, n: u32) -> f64 {
        let throws = k * n;
        let (mut hits, mut all) = (0u64, 0u64);
        for code in 0..u64::from(m).pow(throws) {
            let mut set = 0u64;
            let mut rest = code;
            for _ in 0..throws {
                set |= 1 << (rest % u64::from(m));
                rest /= u64::from(m);
            }
            hits += u64::from(set.count_ones()).pow(k);
            all += u64::from(m).pow(k);
        }
        hits as f64 / all as f64
    }

    #[test]
    fn tiny_filters_match_enumeration() {
        for (m, k, n) in [
            (1, 1, 1),
            (2, 1, 3),
            (2, 3, 2),
            (3, 2, 2),
            (5, 2, 3),
            (4, 3, 2),
        ] {
            let (got, want) = (expected_fpr(m.into(), k, n.into()), by_enumeration(m, k, n));
            assert!(
                (got / want - 1.0).abs() < 1e-14,
                "m={m} k={k} n={n}: {got} {want}"
            );
        }
    }

    #[test]
    fn reference_rows_match() {
        let mut rows = 0;
        for line in include_str!("../../tests/data/classic_fpr_exact.csv")
            .lines()
            .skip(1)
        {
            let cell: Vec<&str> = line.split(',').collect();
            let number = |i: usize| -> f64 { cell[i].parse().unwrap() };
            let (m, k, n) = (number(0) as u64, number(1) as u32, number(2) as u64);
            let close = |got: f64, want: f64, tolerance: f64, what: &str| {
                let allowed = tolerance * want + 1e-8 * f64::from(want == 0.0);
                assert!((got - want).abs() <= allowed, "{what} {line}: {got} {want}");
            };
            // The reference values have 12 significant digits: half a unit of the last digit is
            // 5e-12.
            close(expected_fpr(m, k, n), number(4), 5.1e-12, "fpr");
            close(
                textbook_fpr(m as f64, k, n as f64),
                number(5),
                5.1e-12,
                "textbook",
            );
            let throws = f64::from(k) * n as f64;
            close(expected_fill(m, throws), number(10), 5.1e-12, "fill");
            close(
                libm::sqrt(fill_variance(m, throws)),
                number(11),
                5.1e-6,
                "fill sd",
            );
            rows += 1;
        }
        assert_eq!(rows, 864);
    }

    #[test]
    fn few_keys_have_the_fpr_of_each_k_at_once() {
        for (m, most, n) in [
            (1, 4, 1),
            (2, 3, 2),
            (64, 40, 1),
            (1 << 10, 64, 5),
            (65_536, 128, 30),
        ] {
            let all = fpr_by_hashes(m, most, n);
            assert_eq!(all.len(), most as usize);
            for (k, got) in (1..=most).zip(all) {
                let want = expected_fpr(m, k, n);
                assert!(
                    (got / want - 1.0).abs() < 1e-12,
                    "m={m} k={k} n={n}: {got} {want}"
                );
            }
        }
    }

    #[test]
    fn edges() {
        assert_eq!(expected_fpr(64, 3, 0), 0.0);
        assert_eq!(expected_fpr(1, 5, 1), 1.0);
        assert_eq!(expected_fpr(64, 3, u64::MAX), 1.0);
        assert_eq!(expected_fill(1, 1.0), 1.0);
        assert_eq!(fill_variance(1, 3.0), 0.0);
        assert_eq!(fill_variance(2, 0.0), 0.0);
        assert_eq!(fill_variance(2, 1.0), 0.0);
        // Two throws into two slots hit one slot or both, each with probability one half.
        assert_eq!(fill_variance(2, 2.0), 0.0625);
        assert!((hash_floor(500_000_000, 64) / 2.7105e-11 - 1.0).abs() < 1e-4);
    }
}
