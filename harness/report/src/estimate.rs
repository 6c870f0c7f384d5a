//! A value estimated from a sample.

use super::{levels::CONFIDENCE, number};
use bouquet_stats::{Interval, median, proportion};

/// A measured value with its confidence interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    pub value: f64,
    pub interval: Interval,
}

impl Estimate {
    /// The share of `hits` among `asked` queries.
    pub fn share(hits: u64, asked: u64) -> Self {
        Self {
            value: hits as f64 / asked.max(1) as f64,
            interval: proportion(hits, asked, CONFIDENCE),
        }
    }

    /// The median; `None` if there are too few values.
    pub fn median(values: impl Iterator<Item = f64>) -> Option<Self> {
        let (value, interval) = median(&values.collect::<Vec<f64>>(), CONFIDENCE)?;
        Some(Self { value, interval })
    }

    /// The estimate divided by a known number.
    pub fn over(self, whole: f64) -> Self {
        let Interval { low, high } = self.interval;
        Self {
            value: self.value / whole,
            interval: Interval::new(low / whole, high / whole),
        }
    }

    pub fn ends(self) -> [f64; 2] {
        [self.interval.low, self.interval.high]
    }

    /// For a rate: the value, or the upper end of the interval if there was no hit.
    pub fn at_most(self) -> f64 {
        if self.value > 0.0 {
            self.value
        } else {
            self.interval.high
        }
    }

    /// A share, with as many digits as its interval justifies.
    pub fn in_short(self) -> String {
        number::measured(self.value, self.interval)
    }

    /// The same with the interval.
    pub fn in_words(self) -> String {
        number::measured_with_interval(self.value, self.interval)
    }

    /// The value with its interval, each number formatted by `of`.
    pub fn words(self, of: impl Fn(f64) -> String) -> String {
        let [low, high] = self.ends().map(&of);
        format!("{} ({low} to {high})", of(self.value))
    }
}
