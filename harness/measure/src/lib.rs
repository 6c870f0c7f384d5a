//! The measuring part of the harness: key sets, location schemes for evaluation, experiments with
//! the filters of the catalogue, and the measurements of the gate.

// This crate is part of the program and is not published as a library. Its items are documented
// where their names do not explain enough, and it has only what the program needs.
#![allow(missing_docs, missing_debug_implementations)]
#![allow(clippy::len_without_is_empty, clippy::new_without_default)]

pub mod answers;
pub mod battery;
pub mod cells;
pub mod experiment;
pub mod gate;
pub mod plan;
pub mod schemes;
pub mod speed;
pub mod workload;

pub use bouquet_catalogue::registry;
