//! Recommends a filter for a workload.

// This crate is a part of the program and not a published library: its items are documented where
// their names do not say enough, and have only the methods that the program needs.
#![allow(missing_docs, missing_debug_implementations)]
#![allow(clippy::len_without_is_empty, clippy::new_without_default)]

pub mod recommend;
