//! How fast filters are: loops compiled for each, keys made in them, the
//! processor's time of the thread, repetitions in turn.
//!
//! Net is gross less a dry run that only makes the keys, as in RocksDB's
//! `filter_bench`.

mod bench_loop;
mod clock;
mod counted;
mod definition;
mod fastest;
mod field;
mod grid;
mod keys;
mod roofline;
mod sharing;
mod stored_keys;
mod threads;

pub use bench_loop::{BenchLoop, Insertable, batched, look_up_in_batches, single};
#[cfg(feature = "peers")]
pub use bench_loop::{of_integers, of_urls};
pub use clock::timed;
pub use definition::{Column, Definition, Effort, Overrides, SpeedPlan};
pub use field::Field;
pub use grid::GridRun;
pub use keys::{CHUNK, Integers, Kind, NON_MEMBERS as MEMBERS_END, Stream, each_chunk};
pub use sharing::{MakeShared, Shared, Sharing};
pub use stored_keys::{
    FilterBytes, SetLoops, StoredKeys, dry_walk, filter_loops, set_loops, set_loops_with,
};
pub use threads::SharedRun;
