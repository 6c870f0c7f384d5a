//! Closed-form formulas that more than one filter needs. Each states its source and where it is
//! no longer accurate. Formulas of a single variant are in its crate.
//!
//! All are computed in `f64` with `libm`, so that they give the same bits on every machine.

mod cardinality;
mod fpr;
mod moments;
mod occupancy;
mod parts;
mod sizing;
mod smallest;

pub use cardinality::{estimated_keys, keys_until_fpr};
pub use fpr::{
    FprCurve, expected_fill, expected_fpr, fill_variance, fpr_given_fill, hash_floor, power,
    textbook_fpr, with_hash_floor,
};
pub use occupancy::{Occupancy, fpr_deviation};
pub use parts::{best_capacity, steps_for};
pub use sizing::{
    MAX_HASHES, Parameters, best_hashes, estimate_parameters, min_bits_exact, min_bits_in_steps,
};
