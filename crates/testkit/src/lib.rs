#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]

#[macro_use]
mod ensure;
pub mod bench;
mod facts;
pub mod forge;
#[cfg(feature = "gate")]
pub mod gate;
pub mod golden;
pub mod keys;
pub mod laws;
mod macros;
mod rng;
pub mod thrift;
pub mod toy;

pub use laws::Verdict;
pub use rng::{Rng, mix};

/// Public only for the macros.
#[doc(hidden)]
pub use bouquet_core as core;
#[doc(hidden)]
pub use bouquet_format as format;
