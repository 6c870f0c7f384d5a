//! Filters with loops of their own, for measuring speed.

#[cfg(feature = "peers")]
mod peers;
mod shared;

#[cfg(feature = "peers")]
pub use peers::static_holders;
pub use shared::sharings;

use bouquet_catalogue::judged;

use super::{ours::racer as own, racer::Racer};

/// Every filter, ours first.
pub fn racers() -> Vec<Racer> {
    let racers = judged!(own);
    #[cfg(feature = "peers")]
    let racers = racers.into_iter().chain(peers::racers()).collect();
    racers
}
