//! What `bouquet gate` measures: raw rows of three tiers, which `render::gate`
//! holds against a baseline.

mod definition;
mod exact;
mod load;
mod reference;
mod row;
mod statistical;
mod time;

pub use definition::{Definition, Guarded};
pub use exact::{check_room, exact};
pub use load::loads;
pub use statistical::{Effort as Sampling, statistical};
pub use time::{Effort as Timing, times};
