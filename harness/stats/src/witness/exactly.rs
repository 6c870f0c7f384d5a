//! From a Poisson number of things to a number that is fixed.

use std::f64::consts::TAU;

use super::complex::Complex;

/// What is left out of the integral: e to the minus this.
const FAR: f64 = 80.0;

/// The mean of something with exactly `number` things, from its mean `of(angle)` where
/// their number is Poisson with mean `number` e^(i angle).
///
/// If f(n) is the mean with n things, then e^z F(z) = sum of f(n) z^n/n!, F(z) being the
/// mean where their number is Poisson with mean z. So f(n) is a coefficient of a power
/// series, and Cauchy's integral over the circle |z| = n gives it (Flajolet and
/// Sedgewick, "Analytic Combinatorics", 2009, chapters IV and VIII; "analytic
/// depoissonization" in Jacquet and Szpankowski, Theoretical Computer Science 201, 1998).
/// The integrand is a bell of width 1/sqrt(n), over which equal steps are as good as
/// exact. Divided by the same sum for F = 1, which is 1.
pub fn exactly(number: u64, mut of: impl FnMut(f64) -> Complex) -> f64 {
    let number = number as f64;
    let half = (5.0 * number.sqrt()).ceil() as u64 + 32;
    let step = TAU / (2 * half + 1) as f64;
    let (mut sum, mut weights) = (of(0.0).re, 1.0);
    for point in 1..=half {
        let angle = step * point as f64;
        let sine = (angle / 2.0).sin();
        let fall = 2.0 * number * sine * sine;
        if fall > FAR {
            break;
        }
        let weight = Complex::new(-fall, number * sine_less_angle(angle)).exp();
        // With the point on the other side, which is its mirror image.
        sum += 2.0 * (weight * of(angle)).re;
        weights += 2.0 * weight.re;
    }
    sum / weights
}

/// sin x - x, with all its digits.
fn sine_less_angle(angle: f64) -> f64 {
    if angle > 0.1 {
        return angle.sin() - angle;
    }
    let square = angle * angle;
    let rest = 1.0 - square / 20.0 * (1.0 - square / 42.0 * (1.0 - square / 72.0));
    -angle * square / 6.0 * rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_series_of_the_sine() {
        for angle in [0.03, 0.099_999, 0.100_001] {
            let (got, want) = (sine_less_angle(angle), f64::sin(angle) - angle);
            assert!((got - want).abs() < 1e-16, "{angle}: {got} {want}");
        }
    }

    /// Under a Poisson number the mean of n is z, of n (n - 1) z^2, of q^n e^(-z (1 - q)).
    #[test]
    fn moments_of_a_number_that_is_fixed() {
        for number in [1, 2, 7, 100, 12_345, 1 << 30] {
            let n = number as f64;
            let close = |got: f64, want: f64| {
                let allowed = 1e-11 * if want == 0.0 { 1.0 } else { want };
                assert!((got - want).abs() <= allowed, "{number}: {got} {want}");
            };
            let z = |angle| Complex::turn(angle) * n;
            close(exactly(number, |_| Complex::real(0.25)), 0.25);
            close(exactly(number, z), n);
            close(exactly(number, |angle| z(angle) * z(angle)), n * (n - 1.0));
            let power = exactly(number, |angle| (z(angle) * (-0.1 / n)).exp());
            close(power, (n * (-0.1 / n).ln_1p()).exp());
        }
        assert_eq!(exactly(0, |_| Complex::real(0.25)), 0.25);
    }
}
