//! What `bouquet gate` measures: raw rows of three tiers, which `render::gate`
//! holds against a baseline.

mod definition;
mod exact;
mod load;
mod reference;
mod statistical;
mod time;

pub use definition::{Definition, Guarded};
pub use exact::{check_room, exact};
pub use load::loads;
pub use statistical::{Effort as Sampling, statistical};
pub use time::{Effort as Timing, times};

/// Of the filters and of the split of the keys: a seed that a definition can have, with bits
/// in every byte, so that no part of it can be forgotten.
const SEED: u64 = 0x1e37_79b9_7f4a_7c15;
/// Non-members whose answers are recorded; most are "no".
const OTHERS: u64 = 50_000;
