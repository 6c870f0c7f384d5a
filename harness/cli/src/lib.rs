//! The program `bouquet`: evaluates Bloom filters on real keys.

#![allow(
    missing_debug_implementations,
    reason = "only the program uses this library"
)]

mod advise;
mod cmd;
mod files;
mod flags;
mod output;
mod study;

pub use cmd::main;
// Public only for the fuzz targets.
pub use files::{Chunk, Keys};
