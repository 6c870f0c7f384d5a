//! What a verdict expects, computed a second time.
//!
//! A crate of a filter says what FPR and what fill to expect of it, and whoever takes a
//! filter's measure by its own formula sees no fault of the formula. So verdicts go by
//! what stands here: from plain numbers (slots, probes, groups, keys), and by code that
//! shares nothing with any crate's.
//!
//! # Method
//!
//! The chance that probes meet slots that are set is followed throw by throw, over the number
//! of those that are still empty, or by squaring what so many throws do; none of its terms is
//! negative. Over groups of slots it is a sum over the binomial law of their loads. The spread
//! of an FPR is of the first order in that of the fill where it is far below the FPR. Sums are
//! cut off where the rest is rounding. Relative errors are below 1e-8.

mod array;
mod counters;
mod form;
mod groups;
mod throws;

pub use array::{Array, fill_after};
pub use counters::met_at_least;
pub use form::{Expected, Form, OfBits, fpr_at_fill};

/// Mean and standard deviation, from one filter to the next.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Moments {
    pub mean: f64,
    pub sd: f64,
}

impl Moments {
    /// Rounding may take a variance of nothing below 0.
    fn of_variance(mean: f64, variance: f64) -> Self {
        let sd = variance.max(0.0).sqrt();
        Self { mean, sd }
    }
}

#[cfg(test)]
mod tests;
