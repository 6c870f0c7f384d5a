//! The calculator: computes the theoretical properties of a filter from any set of its numbers that
//! determines the others.
//!
//! Formulas that a filter's crate already has are not repeated here: the crate is called. This
//! crate has the formulas that none of our filters needs (probes that never repeat, fingerprints
//! without a reserved value), the textbook's forms next to the exact ones, and the search for a
//! number that was not given.

// This crate is part of the program and is not published as a library. Its items are documented
// where their names do not explain enough, and it has only what the program needs.
#![allow(missing_docs, missing_debug_implementations)]
#![allow(clippy::len_without_is_empty, clippy::new_without_default)]

mod answer;
mod blocked;
mod counting;
mod cuckoo;
mod distinct;
mod field;
mod model;
mod number;
mod partitioned;
#[cfg(test)]
mod reference;
mod request;
mod scalable;
mod search;
mod sharded;
mod solve;
mod standard;
#[cfg(test)]
mod witnessed;

pub use self::{
    answer::{Answer, Value},
    blocked::{BLOCKED, SPLIT_BLOCK},
    counting::COUNTING,
    cuckoo::CUCKOO,
    field::{FIELDS, Field},
    number::{Range, Steps, bytes, counts, fpr, real, reals, share, shares, whole},
    partitioned::PARTITIONED,
    request::{Flags, Form, Request},
    scalable::SCALABLE,
    sharded::SHARDED,
    standard::STANDARD,
};

use anyhow::Result;
use bouquet_core::SpecError;

/// Computes the answer to a request.
///
/// # Errors
///
/// If a flag does not apply to the filter, or if the numbers are too few, contradict each other or
/// are out of range.
pub fn answer(request: &Request) -> Result<Answer> {
    request.check()?;
    (request.form.answer)(request).map_err(|error| match request.capacity {
        // This error is about a filter and names no flag, so the flag is added.
        Some(capacity) if error.is::<SpecError>() => {
            error.context(format!("--capacity {capacity}"))
        }
        _ => error,
    })
}
