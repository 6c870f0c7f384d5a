//! What a verdict expects, computed a second time.
//!
//! A crate of a filter says what FPR and what fill to expect of it, and whoever takes a
//! filter's measure by its own formula sees no fault of the formula. So verdicts go by
//! what stands here: from plain numbers (slots, probes, groups, keys), and by another
//! method than any crate's.
//!
//! # Method
//!
//! Where the number of throws is not fixed but Poisson, slots are set independently of
//! each other; where the number of keys is, groups of slots are. What is wanted is then a
//! product or a sum of independent things, and `exactly` takes the number back. Few
//! throws are followed one by one instead, by the law of the number of slots set
//! (`throws`). Nothing is approximated; sums are cut off where the rest is rounding.
//! Their relative error is below 1e-8. Of groups with fewer keys in all than ten times the
//! hashes it is more, for a Poisson number differs much from one so small: 1e-6 with as
//! many keys as seven hashes.

mod array;
mod complex;
mod counters;
mod exactly;
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
