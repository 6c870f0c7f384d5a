//! The FPR of the classic filter, computed from the moments of the number of empty slots: ten
//! times as fast as the exact form, with a bound on the error.

use libm::{exp, expm1, fabs, log1p};

use super::{expected_fpr, fpr_given_fill, power};

/// The series is not used if the squared relative deviation of the FPR from filter to filter is
/// above this.
const MOST_SPREAD: f64 = 1.5;

/// With fewer slots than this, some of the moments are not defined.
const FEWEST_SLOTS: u64 = 16;

/// The first constant bounds the relative rounding error of the FPR, in this form and in the
/// exact one. The second bounds the rounding error of the sixth moment times m, which matters
/// if there are many probes. Both are a few times the observed errors.
const ROUNDING: f64 = 3e-13;
const MOMENT_ROUNDING: f64 = 2e-13;

/// The error of the FPR by mean and variance, relative to it, is at most this times k^3/m^2: twice
/// what was observed.
const BY_VARIANCE: f64 = 0.12;

/// An FPR that is computed only as precisely as a comparison needs it.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearFpr {
    size_bits: u64,
    hashes: u32,
    keys: u64,
    precision: Precision,
    near: f64,
    /// The exact FPR lies within `slack` of `near`; 0 if `near` is the exact FPR.
    slack: f64,
}

/// The ways to compute an FPR; each takes about ten times as long as the one before it.
#[derive(Clone, Copy, Debug)]
enum Precision {
    Variance,
    Moments,
    Exact,
}

impl NearFpr {
    /// Computes the FPR for m = `size_bits`, k = `hashes` and `keys` keys.
    pub(super) fn new(size_bits: u64, hashes: u32, keys: u64) -> Self {
        let fpr = Self {
            size_bits,
            hashes,
            keys,
            precision: Precision::Exact,
            near: 0.0,
            slack: 0.0,
        };
        match by_variance(size_bits, hashes, keys) {
            Some(found) => fpr.with(Precision::Variance, found),
            None => fpr.by_moments(),
        }
    }

    /// [`new`](Self::new) without the form by mean and variance.
    #[cfg(test)]
    pub(super) fn precise(size_bits: u64, hashes: u32, keys: u64) -> Self {
        Self::new(size_bits, hashes, keys).by_moments()
    }

    /// Wraps an FPR that is already known exactly.
    pub(super) fn known(fpr: f64) -> Self {
        Self {
            size_bits: 1,
            hashes: 1,
            keys: 0,
            precision: Precision::Exact,
            near: fpr,
            slack: 0.0,
        }
    }

    /// Whether the exact FPR is at most `target`.
    pub(super) fn is_at_most(&self, target: f64) -> bool {
        if fabs(self.near - target) > self.slack {
            return self.near < target;
        }
        match self.refined() {
            Some(refined) => refined.is_at_most(target),
            None => self.near <= target,
        }
    }

    /// Whether the exact FPR is below the other's, or equal to it if `or_equal`.
    pub(super) fn is_below(&self, other: &Self, or_equal: bool) -> bool {
        if fabs(self.near - other.near) > self.slack + other.slack {
            return self.near < other.near;
        }
        match (self.refined(), other.refined()) {
            (None, None) => self.near < other.near || (or_equal && self.near == other.near),
            (this, that) => this
                .unwrap_or(*self)
                .is_below(&that.unwrap_or(*other), or_equal),
        }
    }

    /// The next more precise value; `None` if this one is exact.
    fn refined(&self) -> Option<Self> {
        match self.precision {
            Precision::Variance => Some(self.by_moments()),
            Precision::Moments => Some(self.exact()),
            Precision::Exact => None,
        }
    }

    fn by_moments(&self) -> Self {
        match by_moments(self.size_bits, self.hashes, self.keys) {
            Some(found) => self.with(Precision::Moments, found),
            None => self.exact(),
        }
    }

    fn exact(&self) -> Self {
        let fpr = expected_fpr(self.size_bits, self.hashes, self.keys);
        self.with(Precision::Exact, (fpr, 0.0))
    }

    fn with(&self, precision: Precision, (near, slack): (f64, f64)) -> Self {
        Self {
            precision,
            near,
            slack,
            ..*self
        }
    }
}

/// The mean of fill^k by the mean and the variance of the fill, and a bound on the error; `None` if
/// the fill is not near one half or if there are many hashes for so few bits.
///
/// In the deviation of the fill it has the second order, and the fourth as of a normal distribution:
/// three times the square of the variance. The third is smaller by a factor of k.
///
/// The same formulas as [`expected_fill`](super::expected_fill) and
/// [`fill_variance`](super::fill_variance), with the first terms of the series in place of the
/// logarithm and of the smaller exponential, and the power by squaring: most of a search for a
/// size is spent here.
fn by_variance(size_bits: u64, hashes: u32, keys: u64) -> Option<(f64, f64)> {
    let (m, k) = (size_bits as f64, f64::from(hashes));
    if size_bits < 64 || hashes < 1 || k * k > m {
        return None;
    }
    let throws = k * keys as f64;
    let x = 1.0 / m;
    let log = -x * (1.0 + x * (1.0 / 2.0 + x * (1.0 / 3.0 + x * (1.0 / 4.0 + x / 5.0))));
    let empty = exp(throws * log);
    let fill = 1.0 - empty;
    if !(0.3..=0.7).contains(&fill) {
        return None;
    }
    let y = 1.0 / ((m - 1.0) * (m - 1.0));
    let exponent = throws * y * (1.0 + y / 2.0);
    let excess = -exponent * (1.0 - exponent / 2.0 * (1.0 - exponent / 3.0));
    let variance = empty * fill * x + (1.0 - x) * empty * empty * excess;
    let spread = variance / (fill * fill);
    let second = k * (k - 1.0) / 2.0 * spread;
    let fourth = second * (k - 2.0) * (k - 3.0) / 4.0 * spread;
    let fpr = power(fill, hashes) * (1.0 + second + fourth);
    Some((fpr, fpr * (BY_VARIANCE * k * k * k * x * x + 1e-9 * k)))
}

/// The mean of (1 - Y/m)^k over all filters, where Y is the number of empty slots, and a bound
/// on the error; `None` if the series does not apply.
///
/// # Method
///
/// With mu the mean of Y, q = mu/m and Z = Y/mu - 1,
///
/// ```text
/// (1 - Y/m)^k = (1 - q)^k (1 - r Z)^k,   r = q/(1 - q)
/// ```
///
/// The mean of the last factor is a finite sum over the moments of Z, of which the first six
/// are used; with up to six probes these are all of them. The factorial moments of Y, the
/// number of empty boxes in the classical occupancy problem (Johnson and Kotz, "Urn Models",
/// 1977), are mu^j (1 + e_j). For a Poisson variable all e_j are 0, so each moment of Z is the
/// moment of a Poisson variable plus a form that is linear in the e_j. The e_j are of the order
/// of 1/m and are computed directly, so that nothing significant cancels.
fn by_moments(size_bits: u64, hashes: u32, keys: u64) -> Option<(f64, f64)> {
    if size_bits < FEWEST_SLOTS || keys == 0 || hashes < 1 {
        return None;
    }
    let (m, k) = (size_bits as f64, f64::from(hashes));
    let throws = k * keys as f64;
    let fill = -expm1(throws * log1p(-1.0 / m));
    let empty = 1.0 - fill;
    if !(0.05..=0.95).contains(&fill) {
        return None;
    }
    let ratio = empty / fill;
    let moments = central_moments(m, throws, 1.0 / (m * empty));
    let spread = k * k * ratio * ratio * moments[0];
    if spread > MOST_SPREAD {
        return None;
    }
    // `factor` is the binomial coefficient times the power of -r.
    let mut factor = -k * ratio;
    let mut sum = 0.0;
    let mut last = [0.0; 2];
    for (j, moment) in (2u32..).zip(moments) {
        factor *= -ratio * (k - f64::from(j - 1)) / f64::from(j);
        let term = factor * moment;
        sum += term;
        last = [last[1], fabs(term)];
    }
    let fpr = fpr_given_fill(fill, hashes) * (1.0 + sum);
    let rest = if hashes > 6 {
        spread * (last[0] + last[1])
    } else {
        0.0
    };
    let rounding = ROUNDING + MOMENT_ROUNDING * fabs(factor) / m;
    Some((fpr, fpr * (rest + rounding)))
}

/// The second to sixth moments of Z after `throws` throws into m slots; `w` is 1/mu.
fn central_moments(m: f64, throws: f64, w: f64) -> [f64; 5] {
    // 1 + e_j is the product over i < j of
    //     (1 - i/m) (the probability that slot i + 1 stays empty if i others do) / q,
    // where probability / q is (1 - i/((m - i)(m - 1)))^throws.
    let mut e = [0.0; 7];
    for j in 2..=6 {
        let i = (j - 1) as f64;
        let grown = expm1(throws * log1p(-i / ((m - i) * (m - 1.0))));
        let factor = grown - (i / m) * (1.0 + grown);
        e[j] = e[j - 1] + (1.0 + e[j - 1]) * factor;
    }
    let [.., e2, e3, e4, e5, e6] = e;
    let (w2, w3, w4) = (w * w, w * w * w, w * w * w * w);
    [
        w + e2,
        w2 + e3 + (3.0 * w - 3.0) * e2,
        3.0 * w2 + w3 + e4 + (6.0 * w - 4.0) * e3 + (7.0 * w2 - 12.0 * w + 6.0) * e2,
        10.0 * w3
            + w4
            + e5
            + (10.0 * w - 5.0) * e4
            + (25.0 * w2 - 30.0 * w + 10.0) * e3
            + (15.0 * w3 - 35.0 * w2 + 30.0 * w - 10.0) * e2,
        15.0 * w3
            + 25.0 * w4
            + w4 * w
            + e6
            + (15.0 * w - 6.0) * e5
            + (65.0 * w2 - 60.0 * w + 15.0) * e4
            + (90.0 * w3 - 150.0 * w2 + 90.0 * w - 20.0) * e3
            + (31.0 * w4 - 90.0 * w3 + 105.0 * w2 - 60.0 * w + 15.0) * e2,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_holds() {
        let mut tried = 0;
        for hashes in (1..=40).chain([48, 64, 100, 128]) {
            for keys in (1..40).chain([50, 70, 100, 200, 500, 1_000, 10_000]) {
                for load in [0.3, 0.5, 0.6, 0.68, 0.75, 0.9, 1.2, 2.0] {
                    let size_bits = (f64::from(hashes) * keys as f64 / load) as u64;
                    let Some((near, slack)) = by_moments(size_bits, hashes, keys) else {
                        continue;
                    };
                    let exact = expected_fpr(size_bits, hashes, keys);
                    assert!(
                        fabs(near - exact) < slack / 2.0,
                        "{size_bits} {hashes} {keys}: {near} {exact}, within {slack}"
                    );
                    tried += 1;
                }
            }
        }
        assert!(tried > 14_000, "{tried}");
    }

    #[test]
    fn the_bound_by_variance_holds() {
        let (mut tried, mut most) = (0, 0.0_f64);
        for hashes in (1..=40).chain([48, 64, 100, 128]) {
            for keys in (1..40).chain([50, 70, 100, 200, 500, 1_000, 10_000]) {
                for load in [0.3, 0.4, 0.5, 0.6, 0.68, 0.75, 0.9, 1.2, 2.0] {
                    let size_bits = (f64::from(hashes) * keys as f64 / load) as u64;
                    let Some((near, slack)) = by_variance(size_bits, hashes, keys) else {
                        continue;
                    };
                    let exact = expected_fpr(size_bits, hashes, keys);
                    most = most.max(fabs(near - exact) / slack);
                    tried += 1;
                }
            }
        }
        assert!(tried > 6_000, "{tried}");
        assert!(most < 0.5, "{most}");
    }

    #[test]
    fn close_cases_are_decided_by_the_exact_form() {
        for (size_bits, hashes, keys) in [(64, 5, 5), (9_600, 7, 1_000), (64, 40, 1)] {
            let near = NearFpr::new(size_bits, hashes, keys);
            let exact = expected_fpr(size_bits, hashes, keys);
            assert!(near.is_at_most(exact));
            assert!(!near.is_at_most(exact * (1.0 - 2e-16)));
            assert!(near.is_below(&near, true) && !near.is_below(&near, false));
            let better = NearFpr::new(size_bits + 64, hashes, keys);
            assert!(better.is_below(&near, false) && !near.is_below(&better, true));
        }
    }
}
