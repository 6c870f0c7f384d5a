//! A filter that consists of shards behind locks.

// First, because rustdoc shows the methods of a type in the order of the modules.
mod filter;

mod batch;
pub(crate) mod codec;
mod fold;
mod shard;
mod traits;

pub use filter::ShardedBloom;
