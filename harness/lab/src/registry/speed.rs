//! Filters with loops of their own, for measuring speed.

#[cfg(feature = "peers")]
mod peers;
mod shared;

#[cfg(feature = "peers")]
pub use peers::static_set_makers;
pub use shared::sharings;

use bouquet_catalogue::judged;

use super::{contestant::Contestant, ours::contestant as own};

/// Every filter, ours first.
pub fn contestants() -> Vec<Contestant> {
    let contestants = judged!(own);
    #[cfg(feature = "peers")]
    let contestants = contestants
        .into_iter()
        .chain(peers::contestants())
        .collect();
    contestants
}
