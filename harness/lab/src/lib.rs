//! What measures: keys, location schemes, the filters and their peers, and every experiment on them.

// A part of the program, not a library to be published: its items are documented where
// their names do not say enough, and have what the program needs.
#![allow(missing_docs, missing_debug_implementations)]
#![allow(clippy::len_without_is_empty, clippy::new_without_default)]

pub mod answers;
pub mod battery;
pub mod experiment;
pub mod gate;
pub mod measure;
pub mod plan;
pub mod registry;
pub mod schemes;
pub mod speed;
pub mod workload;
