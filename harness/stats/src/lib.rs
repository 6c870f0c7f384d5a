//! The statistical tests and intervals from which verdicts are computed.
//!
//! Nothing here reads files, prints or knows about filters. Confidence levels and p-values are
//! numbers between 0 and 1, not percentages.

// This crate is part of the program and is not published as a library. Its items are documented
// where their names do not explain enough, and it has only what the program needs.
#![allow(missing_docs, missing_debug_implementations)]
#![allow(clippy::len_without_is_empty, clippy::new_without_default)]

mod chi_square;
mod count;
mod halving;
mod histogram;
mod holm;
mod interval;
mod mean;
mod median;
mod normal;
mod rate;
mod uniform;
pub mod witness;

pub use chi_square::{chi_square_p, chi_square_upper_p};
pub use count::CountLaw;
pub use histogram::bin_deviation;
pub use holm::holm;
pub use interval::{Interval, proportion};
pub use mean::fill_z;
pub use median::{median, sign_test_above};
pub use normal::z_two_sided;
pub use rate::{Asked, LOW_FPR, LOW_HITS, PooledRate, found_from};
pub use uniform::uniform;
