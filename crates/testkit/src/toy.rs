//! A filter that is slow, short and obviously right, and its mutants.
//!
//! [`Toy`] is the textbook Bloom filter with a byte for each slot, and, with
//! [`Toy::counting`], the textbook counting filter. It has every capability, so
//! that every law can be tried on it. Each [`Fault`] breaks one law, and
//! that law has to detect it: a law that passes its mutants proves
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
