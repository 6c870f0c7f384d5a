//! As much of complex numbers as is needed here.

use std::ops::{Add, Mul, Sub};

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Complex {
    pub re: f64,
    pub im: f64,
}

impl Complex {
    pub const fn new(re: f64, im: f64) -> Self {
        Self { re, im }
    }

    pub const fn real(re: f64) -> Self {
        Self::new(re, 0.0)
    }

    /// That of length 1 at this angle.
    pub fn turn(angle: f64) -> Self {
        let (im, re) = angle.sin_cos();
        Self { re, im }
    }

    pub fn exp(self) -> Self {
        Self::turn(self.im) * self.re.exp()
    }

    /// 1 - e^-self, with all its digits where that is near 0.
    pub fn one_less_exp(self) -> Self {
        let size = (-self.re).exp();
        let half = (self.im / 2.0).sin();
        Self {
            re: 2.0 * size * half * half - (-self.re).exp_m1(),
            im: size * self.im.sin(),
        }
    }
}

impl Add for Complex {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.re + other.re, self.im + other.im)
    }
}

impl Sub for Complex {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::new(self.re - other.re, self.im - other.im)
    }
}

impl Mul for Complex {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }
}

impl Mul<f64> for Complex {
    type Output = Self;

    fn mul(self, by: f64) -> Self {
        Self::new(self.re * by, self.im * by)
    }
}
