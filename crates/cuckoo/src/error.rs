//! Errors: which limit was reached, and what to do.

use core::{error::Error, fmt};

use bouquet_core::Incompatible;

/// Why a key was rejected. The key was not inserted, and the filter is unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Full {
    /// Both buckets of the key are full, and the place beside the slots is already in use because
    /// an earlier search for room failed.
    Slots {
        /// The number of keys stored, including copies.
        keys: u64,
        /// The number of slots.
        slots: u64,
    },
    /// Both buckets of the key contain only copies of its fingerprint, because it was inserted that
    /// many times.
    Copies {
        /// The number of copies stored.
        copies: u32,
    },
}

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Slots { keys, slots } => write!(
                f,
                "the filter is full: it holds {keys} keys in {slots} slots and found no room for \
                 this one; make one with a larger capacity, or remove keys"
            ),
            Self::Copies { copies } => write!(
                f,
                "the key was inserted {copies} times and there is no room for another copy: call \
                 `contains` before inserting, or take a counting filter"
            ),
        }
    }
}

impl Error for Full {}

/// Why two filters were not united. The filter is unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum UnionError {
    /// The filters differ in the number of buckets, the width of fingerprints, or the seed.
    Incompatible(Incompatible),
    /// There is no room for the keys of both filters.
    Full(Full),
}

impl fmt::Display for UnionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Incompatible(error) => error.fmt(f),
            Self::Full(error) => write!(f, "the filter has no room for the keys of both: {error}"),
        }
    }
}

impl Error for UnionError {}

impl From<Incompatible> for UnionError {
    fn from(error: Incompatible) -> Self {
        Self::Incompatible(error)
    }
}

impl From<Full> for UnionError {
    fn from(error: Full) -> Self {
        Self::Full(error)
    }
}
