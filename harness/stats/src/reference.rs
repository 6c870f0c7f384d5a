//! Computes the expected FPR and fill ratio of filters independently of the filters' crates.
//!
//! The crate of a filter also computes these values. But a test that compares a filter with its own
//! formula cannot detect an error in that formula. Verdicts therefore use the values of this
//! module, which are computed from plain numbers (slots, probes, groups, keys) by code that shares
//! nothing with the crates.
//!
//! # Method
//!
//! Inserting a key is modelled as throws at random slots. A Markov chain with one step per throw
//! gives the probability that all slots probed by a lookup are set; its state is the number of
//! these slots that are still empty. For many throws, its matrix is raised to a power by squaring.
//! No term is negative, so no digits are lost. For groups of slots, the result is averaged over the
//! binomial distribution of the keys per group. If the standard deviation of an FPR is far below
//! the FPR, it is computed to first order from that of the fill ratio. Sums end when the remaining
//! terms are below rounding errors. The results have relative errors below 1e-8.

mod array;
mod form;
mod groups;
mod throws;

pub use array::{Array, fill_after, met_at_least};
pub use form::{Expected, Form, OfBits, fpr_at_fill};

/// Mean and standard deviation of a quantity that varies from one filter to the next.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Moments {
    pub mean: f64,
    pub sd: f64,
}

impl Moments {
    /// Rounding can make a zero variance slightly negative.
    fn of_variance(mean: f64, variance: f64) -> Self {
        let sd = variance.max(0.0).sqrt();
        Self { mean, sd }
    }
}

#[cfg(test)]
mod tests;
