//! The calculator: what theory says of a filter, from any set of its numbers
//! that settles the rest.
//!
//! No formula is here that a filter's crate has: the crates are asked. What is
//! here is what no filter of ours does (probes that never repeat, fingerprints
//! without a reserved value), the textbook's forms beside the exact ones, and
//! the search for the number that was left out.

// A part of the program, not a library to be published: its items are documented where
// their names do not say enough, and have what the program needs.
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

/// What theory says.
///
/// # Errors
///
/// A flag that is not the filter's, and numbers that do not settle the rest,
/// that contradict each other or that are out of range.
pub fn answer(request: &Request) -> Result<Answer> {
    request.check()?;
    (request.form.answer)(request).map_err(|error| match request.capacity {
        // It speaks of a filter, not of a flag.
        Some(capacity) if error.is::<SpecError>() => {
            error.context(format!("--capacity {capacity}"))
        }
        _ => error,
    })
}
