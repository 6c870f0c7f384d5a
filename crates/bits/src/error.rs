//! Errors: what was wrong, and what to do.

use core::{error::Error, fmt};

/// The memory could not be allocated: the allocator had none, or it is more than
/// an array may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory {
    /// The requested bytes.
    pub bytes: u64,
}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "cannot allocate {} bytes of memory: request fewer bits, or free memory first",
            self.bytes
        )
    }
}

impl Error for OutOfMemory {}

/// A bit that a [`BitSet`](crate::BitSet) cannot have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GrowError {
    /// It is not below the limit of the set.
    PastLimit {
        /// The bit.
        bit: u64,
        /// The limit.
        limit: u64,
    },
    /// There is no memory for all bits up to it.
    OutOfMemory(OutOfMemory),
}

impl fmt::Display for GrowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PastLimit { bit, limit } => write!(
                f,
                "bit {bit} is not below the limit of {limit} bits: check where it comes from, or \
                 give the set a higher limit"
            ),
            Self::OutOfMemory(error) => error.fmt(f),
        }
    }
}

impl Error for GrowError {}

impl From<OutOfMemory> for GrowError {
    fn from(error: OutOfMemory) -> Self {
        Self::OutOfMemory(error)
    }
}

/// Words that do not make an array of the length given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum WordsError {
    /// More or fewer words than the length takes.
    Count {
        /// The requested length, in bits.
        len: u64,
        /// The words that it takes.
        expected: u64,
        /// The words given.
        found: u64,
    },
    /// A bit past the length is set.
    StrayBit {
        /// The requested length, in bits.
        len: u64,
        /// The lowest bit past it that is set.
        bit: u64,
    },
}

impl fmt::Display for WordsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Count {
                len,
                expected,
                found,
            } => write!(
                f,
                "{len} bits take {expected} words of 64 bits, but there are {found}: check the \
                 length"
            ),
            Self::StrayBit { len, bit } => write!(
                f,
                "bit {bit} is set past the length of {len} bits: check the length, or clear the \
                 bits past it"
            ),
        }
    }
}

impl Error for WordsError {}

/// Two arrays of different lengths cannot be combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LengthMismatch {
    /// The bits of the array that was to change.
    pub left: u64,
    /// The bits of the other.
    pub right: u64,
}

impl fmt::Display for LengthMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the arrays differ in length: {} bits here, {} there; make both of the same length",
            self.left, self.right
        )
    }
}

impl Error for LengthMismatch {}
