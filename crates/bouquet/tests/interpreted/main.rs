//! Every operation of every filter, on as few keys as the interpreter Miri gets through: it
//! sees what no other test does, an access outside of an allocation, to memory that is not
//! initialised, through a pointer that has no right to it, or of two threads without an order.
//!
//! `scripts/proofs miri` runs them in it; among all tests they run as they are.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod checks;
mod files;
mod filters;
mod foreign;
mod threads;
