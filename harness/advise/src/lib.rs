//! What advises: which filter to take for a workload.

// A part of the program, not a library to be published: its items are documented where
// their names do not say enough, and have what the program needs.
#![allow(missing_docs, missing_debug_implementations)]
#![allow(clippy::len_without_is_empty, clippy::new_without_default)]

pub mod recommend;
