//! Why a filter cannot be built.

use core::{error::Error, fmt};

/// Why a filter cannot be built of its keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// The memory could not be allocated.
    OutOfMemory {
        /// The requested memory in bytes.
        bytes: u64,
    },
    /// More keys than a filter can have, about 2^41.
    TooManyKeys {
        /// The keys.
        keys: u64,
    },
    /// A part could not be built in so many attempts, each with slots of its own for every key.
    /// With the hashers of this family this does not happen.
    Attempts {
        /// The attempts.
        attempts: u32,
    },
    /// The passes over the keys of [`Builder::from_passes`](crate::Builder::from_passes) gave
    /// different keys.
    PassesDiffer,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::OutOfMemory { bytes } => write!(
                f,
                "cannot allocate {bytes} bytes of memory: build the filter in passes, or of fewer \
                 keys"
            ),
            Self::TooManyKeys { keys } => {
                write!(f, "{keys} keys are too many for one filter: build several")
            }
            Self::Attempts { attempts } => write!(
                f,
                "the keys have no solution in {attempts} attempts: their hashes are not random, \
                 use another hasher"
            ),
            Self::PassesDiffer => f.write_str(
                "a later pass gave other keys than the first: give the same keys in every pass",
            ),
        }
    }
}

impl Error for BuildError {}
