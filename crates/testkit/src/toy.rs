//! A slow, short and obviously correct filter, and its mutants.
//!
//! [`Toy`] is the textbook Bloom filter with one byte per slot; [`Toy::counting`] makes the
//! textbook counting filter. It supports every operation, so that every law can be tested on it.
//! Each [`Fault`] violates a law, and that law must detect it: a law that its mutants pass proves
//! nothing.

mod capability;
mod capped;
mod codec;
mod fault;
mod filter;
mod geometry;
mod hasher;
mod membership;
mod value;

pub use capped::{CappedToy, Full};
pub use codec::{CodecToy, ToyView};
pub use fault::{CodecFault, Fault, HasherFault};
pub use filter::Toy;
pub use geometry::ToyGeometry;
pub use hasher::{ToyHasher, ToyStream};
