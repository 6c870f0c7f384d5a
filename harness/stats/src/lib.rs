//! The statistical tests and intervals from which verdicts are computed.
//!
//! This crate reads no files, prints nothing and builds no filters. Confidence levels and p-values
//! are numbers between 0 and 1, not percentages.

// This crate is part of the program and is not published as a library. Its items are documented
// where their names do not explain enough, and it has only what the program needs.
#![allow(missing_docs, missing_debug_implementations)]
#![allow(clippy::len_without_is_empty, clippy::new_without_default)]

mod chi_square;
mod count;
mod histogram;
mod holm;
mod interval;
mod median;
mod normal;
mod rate;
pub mod reference;
mod uniform;

pub use chi_square::{chi_square_p, chi_square_upper_p, noncentrality_seen};
pub use count::CountLaw;
pub use histogram::bin_deviation;
pub use holm::holm;
pub use interval::{Interval, proportion};
pub use median::{median, sign_test_above};
pub use normal::{fill_z, z_two_sided};
pub use rate::{Asked, LOW_FPR, LOW_HITS, PooledRate, found_from};
pub use uniform::uniform;
