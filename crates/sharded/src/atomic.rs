//! A filter that is one array of atomic words.

// First, because rustdoc shows the methods of a type in the order of the modules.
mod filter;

mod batch;
mod codec;
mod fold;
mod inspect;

pub use filter::AtomicBloom;
