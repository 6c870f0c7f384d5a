//! Measures the speed of filters. Each filter has a loop compiled for it, in which the keys are
//! made; time is the thread's CPU time; repetitions of the filters are interleaved.
//!
//! Net time is gross time minus a dry run that only makes the keys, as in RocksDB's `filter_bench`.

mod clock;
mod definition;
mod field;
mod grid;
mod roofline;
mod threads;

pub use bouquet_catalogue::{
    BenchLoop, CHUNK, FilterBytes, Insertable, Kind, NON_MEMBERS as MEMBERS_END, Shared, Sharing,
    StoredKeys, Stream, dry_walk, single,
};
pub use clock::timed;
pub use definition::{Column, Definition, Effort, SpeedPlan};
pub use field::Field;
pub use grid::GridRun;
pub use threads::SharedRun;
