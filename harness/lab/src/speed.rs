//! Measures the speed of filters. Each filter has a loop compiled for it, in which the keys are
//! made; time is the thread's CPU time; repetitions of the filters are interleaved.
//!
//! Net time is gross time minus a dry run that only makes the keys, as in RocksDB's `filter_bench`.

mod bench_loop;
mod clock;
mod definition;
mod field;
mod grid;
mod keys;
mod roofline;
mod threads;

pub use bench_loop::{
    BenchLoop, FilterBytes, Insertable, Own, dry_walk, look_up_in_batches, of_bytes, of_integers,
    single,
};
pub use clock::timed;
pub use definition::{Column, Definition, Effort, Overrides, SpeedPlan};
pub use field::Field;
pub use grid::GridRun;
pub use keys::{CHUNK, Integers, Kind, NON_MEMBERS as MEMBERS_END, StoredKeys, Stream, each_chunk};
pub use threads::{MakeShared, Shared, SharedRun, Sharing};
