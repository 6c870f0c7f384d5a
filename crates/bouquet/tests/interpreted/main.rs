//! Runs every operation of every filter, with few keys, so that the interpreter Miri can run them.
//! Miri detects errors that no other test detects: accesses outside of an allocation, to
//! uninitialised memory or through an invalid pointer, and data races between threads.
//!
//! `scripts/proofs miri` runs these tests under Miri; an ordinary test run executes them natively.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod checks;
mod files;
mod filters;
mod foreign;
mod threads;
