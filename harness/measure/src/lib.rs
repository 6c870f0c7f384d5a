//! Measures the filters of the crate `bouquet_catalogue`: their FPR, memory, speed and uniformity,
//! and what `bouquet gate` compares with a baseline.

// Only the program `bouquet` uses this crate, which is not published: items whose names explain
// enough have no documentation, and methods that the program does not need are left out.
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
