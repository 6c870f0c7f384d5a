//! Filters with loops of their own, for measuring speed.

mod ours;
#[cfg(feature = "peers")]
mod peers;
mod shared;

use anyhow::Result;

pub use ours::blocked_bytes;
#[cfg(feature = "peers")]
pub use peers::static_holders;
pub use shared::{Sharing, sharings};

use super::Entry;
use crate::speed::{Kind, Lane};

/// What a filter is made of, as far as its speed goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// All probes of a key in one block.
    Blocked,
    /// Probes anywhere: also of counters, in partitions, in stages.
    Spread,
    /// Cuckoo and quotient filters.
    Fingerprints,
    /// Built of all keys at once.
    Static,
}

impl Family {
    pub fn name(self) -> &'static str {
        match self {
            Self::Blocked => "blocked",
            Self::Spread => "spread",
            Self::Fingerprints => "fingerprints",
            Self::Static => "static",
        }
    }
}

/// Makes a filter with its loop for keys of a kind.
pub type MakeLane = fn(Kind, capacity: u64, target_fpr: f64) -> Result<Box<dyn Lane>>;

/// A filter in the race.
pub struct Racer {
    pub name: &'static str,
    pub about: String,
    /// `ours` or `peer`.
    pub role: &'static str,
    /// Crate and version.
    pub release: String,
    pub family: Family,
    /// A false negative fails the run.
    pub promises_no_false_negatives: bool,
    /// Among the few of a quick run.
    pub is_quick: bool,
    pub make: MakeLane,
    /// What it takes, where no allocator counts.
    pub memory_bytes: Option<fn(capacity: u64, target_fpr: f64) -> Result<u64>>,
}

impl Racer {
    pub fn is_static(&self) -> bool {
        self.family == Family::Static
    }
}

/// Every filter, ours first.
pub fn racers() -> Vec<Racer> {
    let racers = ours::racers().into_iter();
    #[cfg(feature = "peers")]
    let racers = racers.chain(peers::racers());
    racers.collect()
}

/// One of ours, or of others as the scoreboard has it.
fn racer(entry: Entry, release: &str, family: Family, make: MakeLane) -> Racer {
    Racer {
        name: entry.name,
        about: entry.about.into(),
        role: if entry.role == "ours" { "ours" } else { "peer" },
        release: release.into(),
        family,
        promises_no_false_negatives: entry.promises_no_false_negatives,
        is_quick: entry.role == "ours",
        make,
        memory_bytes: None,
    }
}

/// What insertion gives: whether a key was new is not asked for here, of none.
trait Accepted {
    fn accepted(self) -> bool;
}

impl Accepted for bool {
    #[inline(always)]
    fn accepted(self) -> bool {
        true
    }
}

impl<T, E> Accepted for Result<T, E> {
    #[inline(always)]
    fn accepted(self) -> bool {
        self.is_ok()
    }
}
