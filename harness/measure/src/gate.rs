//! The measurements of `bouquet gate`: exact results, statistics and times, which the crate
//! `bouquet_report` compares with a baseline.

mod definition;
mod exact;
mod reference;
mod statistical;
mod time;

pub use definition::{Definition, Guarded};
pub use exact::{check_room, exact, loads};
pub use statistical::{Effort as Sampling, statistical};
pub use time::{Effort as Timing, times};

/// The seed of the filters, and of the division of keys into members and non-members. None of its
/// bytes is zero, so that the gate detects a filter that ignores some bytes of its seed.
const SEED: u64 = 0x1e37_79b9_7f4a_7c15;
/// The number of non-members to look up in each filter.
const OTHERS: u64 = 50_000;
