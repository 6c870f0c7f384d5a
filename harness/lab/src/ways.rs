//! The ways into a filter and out of it. The one place that knows them, so that
//! whoever fills a filter or asks it does it by each.
//!
//! A way more is a variant of [`In`] or [`Out`] with its arm in `fill` or `ask`, and a
//! method of [`Subject`](crate::registry::Subject) that a filter may lack.

mod answers;
mod batches;
mod fill;
mod mapped;
mod trial;

pub use answers::{Answers, Count, count, differing};
pub use fill::{Filled, Kind};
#[cfg(test)]
pub use trial::Differences;
pub use trial::{Trial, transcript};

use crate::registry::Entry;

bouquet_ground::named! {
    /// A way into a filter.
    #[derive(PartialOrd, Ord)]
    pub enum In {
        Singly = "singly",
        Batches = "in batches",
        /// By the trait `Extend`, which has a quicker way where no count is asked for.
        Extend = "by extend",
        /// Each key by the hash that it was given before.
        Hashes = "by hash",
        HashBatches = "by hash in batches",
        /// By the constructor that takes all keys and sizes the filter for them.
        FromKeys = "by from_keys",
        /// Every second key into one filter, the others into another, which are made one.
        Union = "by union",
        /// Singly, written out and read back before, on the way and after.
        Reload = "across a reload",
    }
}

bouquet_ground::named! {
    /// A way to ask a filter.
    #[derive(PartialOrd, Ord)]
    pub enum Out {
        Singly = "singly",
        Batches = "in batches",
        /// Each key by the hash that it was given before.
        Hashes = "by hash",
        HashBatches = "by hash in batches",
        /// Each key by the hash of its parts, which a stream was given one after the other.
        Parts = "by the hash of its parts",
        /// What answers from the bytes that the filter is written out as, key by key.
        View = "by a view",
        /// The same from a file that is mapped into memory, in batches.
        Mapped = "by a mapped view",
    }
}

impl In {
    /// The first is what the others are compared with.
    pub const ALL: [Self; 8] = [
        Self::Singly,
        Self::Batches,
        Self::Extend,
        Self::Hashes,
        Self::HashBatches,
        Self::FromKeys,
        Self::Union,
        Self::Reload,
    ];

    /// How a filter that was filled so is asked. What answers by hash and what a view
    /// answers follow from what the filter is and is stored as, which is compared with
    /// the first: that one alone is asked by every way.
    fn asked(self) -> &'static [Out] {
        match self {
            Self::Singly => &Out::ALL,
            _ => &Out::OF_KEYS,
        }
    }

    /// What a filter that was filled so has in common with the one that it is
    /// against. This is all that ways may do otherwise.
    fn alike(self, entry: &Entry) -> Alike {
        match self {
            // Its hash function is another in every filter.
            _ if !entry.reproducible_by_seed => Alike::Nothing,
            // It sorts its keys before it inserts them; where keys make room for each
            // other, they come to stand in other places, in which they answer as well.
            Self::FromKeys if entry.relocates => Alike::Answers,
            _ => Alike::Bytes,
        }
    }
}

impl Out {
    /// The first is what the others are compared with.
    pub const ALL: [Self; 7] = [
        Self::Singly,
        Self::Batches,
        Self::Hashes,
        Self::HashBatches,
        Self::Parts,
        Self::View,
        Self::Mapped,
    ];

    /// Those that take keys as they are: what a filter is asked by again and again.
    pub const OF_KEYS: [Self; 2] = [Self::Singly, Self::Batches];
}

/// What two filters of the same keys have in common; members answer in any case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Alike {
    Nothing,
    /// To every key.
    Answers,
    /// All, to the bytes that they are stored as.
    Bytes,
}

#[cfg(test)]
mod tests;
