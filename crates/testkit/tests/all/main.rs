//! All integration tests are one program, because linking several programs takes longer.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod conformance;
mod drawn;
#[cfg(feature = "gate")]
mod gate;
mod mutants;
mod sorted;
mod static_filters;
