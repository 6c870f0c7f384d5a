//! How fast filters are: loops compiled for each, keys made in them, the
//! processor's time of the thread, repetitions in turn.
//!
//! Net is gross less a dry run that only makes the keys, as in RocksDB's
//! `filter_bench`.

mod clock;
mod counted;
mod definition;
mod fastest;
mod field;
mod grid;
mod kept;
mod keys;
mod lane;
mod roofline;
mod sharing;
mod threads;

pub use clock::timed;
pub use counted::counted;
pub use definition::{Column, Definition, Effort, Overrides, Races};
pub use field::Field;
pub use grid::{Measured, Race};
pub use kept::{FilterBytes, Hold, StoredKeys, dry_walk, held, held_filter, held_with};
pub use keys::{CHUNK, Integers, Kind, STRANGERS as MEMBERS_END, Stream, each_chunk};
pub use lane::{BenchLoop, Insertable, Way, ask_in_batches, batched, single};
#[cfg(feature = "peers")]
pub use lane::{of_integers, of_urls};
pub use sharing::{MakeShared, Shared, Sharing};
pub use threads::SharedRun;
