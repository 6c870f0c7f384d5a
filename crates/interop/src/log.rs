//! The natural logarithm, correctly rounded.
//!
//! Some systems compute a size as a logarithm times a number, truncated, so that the last bit of
//! the logarithm can change the size; and RedisBloom stores the logarithm itself in its chunks.
//! These systems use the logarithm of their platform. Those of glibc and the JVM differ from the
//! correctly rounded value in few cases, that of `libm` in many.

use core::f64::consts::{LN_2, SQRT_2};

use libm::fma;

/// A number as the sum of two `f64`, where the second is the rounding error of the first: about 100
/// bits of precision.
#[derive(Clone, Copy)]
struct Double {
    high: f64,
    low: f64,
}

impl Double {
    const LN_2: Self = Self {
        high: LN_2,
        low: 2.319_046_813_846_299_6e-17,
    };

    /// The exact sum of `a` and `b` (Knuth's TwoSum).
    fn of_sum(a: f64, b: f64) -> Self {
        let high = a + b;
        let of_b = high - a;
        let low = (a - (high - of_b)) + (b - of_b);
        Self { high, low }
    }

    fn plus(self, other: Self) -> Self {
        let sum = Self::of_sum(self.high, other.high);
        Self::of_sum(sum.high, sum.low + (self.low + other.low))
    }

    fn times(self, other: Self) -> Self {
        let high = self.high * other.high;
        let cross = self.high * other.low + self.low * other.high;
        Self::of_sum(high, fma(self.high, other.high, -high) + cross)
    }

    fn over(self, other: Self) -> Self {
        let high = self.high / other.high;
        let rest = fma(-high, other.high, self.high) + (self.low - high * other.low);
        Self::of_sum(high, rest / other.high)
    }
}

impl From<f64> for Double {
    fn from(high: f64) -> Self {
        Self { high, low: 0.0 }
    }
}

/// Number of terms of the series: (3 - sqrt(8))^(2 * 22) is below 2^-110.
const TERMS: u32 = 22;

/// ln(x), correctly rounded except for about one argument in 10^10. For a negative x, zero,
/// infinity or NaN it returns the result of `libm`.
///
/// With x = 2^e y, 1/sqrt(2) < y < sqrt(2) and s = (y - 1)/(y + 1), the result is
/// e ln 2 + 2 (s + s^3/3 + s^5/5 + ...).
pub(crate) fn log(x: f64) -> f64 {
    if !(x > 0.0 && x < f64::INFINITY) {
        return libm::log(x);
    }
    let (mut y, mut e) = libm::frexp(x);
    if y < SQRT_2 / 2.0 {
        (y, e) = (2.0 * y, e - 1);
    }
    let s = Double::from(y - 1.0).over(Double::of_sum(y, 1.0));
    let square = s.times(s);
    let series = (0..TERMS).rev().fold(Double::from(0.0), |sum, term| {
        let odd = Double::from(f64::from(2 * term + 1));
        Double::from(1.0).over(odd).plus(sum.times(square))
    });
    let of_y = s.times(series).times(Double::from(2.0));
    let of_power = Double::LN_2.times(Double::from(f64::from(e)));
    of_power.plus(of_y).high
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected values were computed with 60 digits.
    #[test]
    fn known_answers() {
        for (x, bits) in KNOWN {
            assert_eq!(log(x).to_bits(), bits, "{x}: {}", log(x));
        }
        assert_eq!(log(1.0), 0.0);
        assert_eq!(log(0.0), f64::NEG_INFINITY);
        assert!(log(-1.0).is_nan() && log(f64::NAN).is_nan());
        assert_eq!(log(f64::INFINITY), f64::INFINITY);
    }

    const KNOWN: [(f64, u64); 18] = [
        (0.01, 0xc012_6bb1_bbb5_5515),
        (0.005, 0xc015_317a_1b94_9c53),
        (0.001, 0xc01b_a18a_998f_ffa0),
        (0.1, 0xc002_6bb1_bbb5_5515),
        (0.5, 0xbfe6_2e42_fefa_39ef),
        (2.0, 0x3fe6_2e42_fefa_39ef),
        (1e-09, 0xc034_b927_f32b_ffb8),
        (0.999, 0xbf50_6467_0d97_9b73),
        (0.9999999999999999, 0xbca0_0000_0000_0000),
        (1.0000000000000002, 0x3caf_ffff_ffff_ffff),
        (5e-324, 0xc087_4385_446d_71c3),
        (1.7976931348623157e+308, 0x4086_2e42_fefa_39ef),
        (0.7071067811865475, 0xbfd6_2e42_fefa_39f1),
        (core::f64::consts::FRAC_1_SQRT_2, 0xbfd6_2e42_fefa_39ee),
        (SQRT_2, 0x3fd6_2e42_fefa_39f0),
        (core::f64::consts::PI, 0x3ff2_50d0_48e7_a1bd),
        (1e-60, 0xc061_44f6_9ff9_ffc4),
        (0.03, 0xc00c_0d6e_3a14_28a6),
    ];
}
