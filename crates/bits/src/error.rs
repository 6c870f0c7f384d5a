//! The errors of this crate. Each message says what was wrong and what to do.

use core::{error::Error, fmt};

/// The memory could not be allocated: the allocator had none, or the request exceeds the
/// maximum size of an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory {
    /// The requested number of bytes.
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

/// Why a bit cannot be set in a [`BitSet`](crate::BitSet).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GrowError {
    /// The bit is not below the limit of the set.
    PastLimit {
        /// The number of the bit.
        bit: u64,
        /// The limit of the set.
        limit: u64,
    },
    /// There is not enough memory for all bits up to this one.
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

/// The given words do not match the given length of an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum WordsError {
    /// There are more or fewer words than the length needs.
    Count {
        /// The requested length, in bits.
        len: u64,
        /// The number of words that the length needs.
        expected: u64,
        /// The number of words given.
        found: u64,
    },
    /// A bit past the length is set.
    StrayBit {
        /// The requested length, in bits.
        len: u64,
        /// The lowest bit past the length that is set.
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

/// The error when two arrays of different lengths are combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LengthMismatch {
    /// The number of bits of the array that was to be changed.
    pub left: u64,
    /// The number of bits of the other array.
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
