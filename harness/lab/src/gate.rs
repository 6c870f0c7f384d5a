//! What `bouquet gate` measures: raw rows of three tiers, which `render::gate`
//! compares with a baseline.

mod definition;
mod exact;
mod reference;
mod statistical;
mod time;

pub use definition::{Definition, Guarded};
pub use exact::{check_room, exact, loads};
pub use statistical::{Effort as Sampling, statistical};
pub use time::{Effort as Timing, times};

/// Of the filters and of the split of the keys. It has bits in every byte, so that a filter
/// which drops some of them is seen.
const SEED: u64 = 0x1e37_79b9_7f4a_7c15;
/// Non-members whose answers are recorded; most are "no".
const OTHERS: u64 = 50_000;
