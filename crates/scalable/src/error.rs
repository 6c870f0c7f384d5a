//! The errors of this crate. Each message says which limit was reached or what was wrong, and
//! what to do.

use core::{error::Error, fmt};

use bouquet_core::{Incompatible, SpecError};

use crate::{MAX_GROWTH, MAX_KEYS_PER_BIT, MAX_TIGHTENING};

/// Why a filter that would have to grow cannot. The key was not inserted; all keys before it
/// are present.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Full {
    /// The policy does not allow more stages.
    Stages {
        /// The largest number of stages allowed.
        max: u32,
    },
    /// The next stage would exceed the number of bytes that the policy allows.
    Bytes {
        /// The largest number of bytes allowed for the bits.
        max: u64,
        /// The number of bytes that all stages, including the next one, would take.
        needed: u64,
    },
    /// The next stage cannot be created: its memory cannot be allocated, its size exceeds every
    /// limit, or its FPR is below what the hasher can reach.
    NextStage(SpecError),
}

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stages { max } => write!(
                f,
                "the filter is full: it has the {max} stages that its policy allows; allow more, \
                 or begin with a larger capacity"
            ),
            Self::Bytes { max, needed } => write!(
                f,
                "the filter is full: with the next stage its bits would take {needed} bytes, and \
                 its policy allows {max}"
            ),
            Self::NextStage(error) => {
                write!(f, "the filter is full: no next stage can be made: {error}")
            }
        }
    }
}

impl Error for Full {}

/// What is wrong with a [`Policy`](crate::Policy), or with stages that should become one
/// filter.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum PolicyError {
    /// A growth factor outside its range.
    GrowthOutOfRange {
        /// The requested growth factor.
        growth: u32,
    },
    /// A tightening ratio outside its range.
    TighteningOutOfRange {
        /// The requested tightening ratio.
        tightening: f64,
    },
    /// A maximum of 0 stages.
    ZeroStages,
    /// The first stage exceeds the largest number of bytes allowed.
    Bytes {
        /// The largest number of bytes allowed for the bits.
        max: u64,
        /// The number of bytes that the first stage takes.
        needed: u64,
    },
    /// The first stage cannot be created.
    FirstStage(SpecError),
    /// No stages were given.
    NoStages,
    /// Stages have different hashers, so one hash of a key cannot be used for all of them.
    HashersDiffer,
    /// A stage is sized for more than [`MAX_KEYS_PER_BIT`] keys per bit.
    StageTooSmall {
        /// The number of keys that the stage claims to be sized for.
        capacity: u64,
        /// The number of bits of its filter.
        size_bits: u64,
    },
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GrowthOutOfRange { growth } => write!(
                f,
                "growth {growth} is not within 1 to {MAX_GROWTH}: give 1 for stages of one size, \
                 2 to double, or a cap of one stage for a filter that does not grow",
            ),
            Self::TighteningOutOfRange { tightening } => write!(
                f,
                "tightening {tightening} is not above 0 and at most {MAX_TIGHTENING}: give a \
                 ratio such as 0.8"
            ),
            Self::ZeroStages => f.write_str("a cap of 0 stages: allow at least 1"),
            Self::Bytes { max, needed } => write!(
                f,
                "a cap of {max} bytes: the first stage takes {needed}; allow as many, or begin \
                 with a smaller capacity"
            ),
            Self::FirstStage(error) => write!(f, "the first stage cannot be made: {error}"),
            Self::NoStages => f.write_str("no stages: give at least 1"),
            Self::HashersDiffer => {
                f.write_str("the stages differ in their hashers: make all with one")
            }
            Self::StageTooSmall {
                capacity,
                size_bits,
            } => write!(
                f,
                "a stage of {size_bits} bits for {capacity} keys: give the spec that its filter \
                 was sized for, at most {MAX_KEYS_PER_BIT} keys per bit"
            ),
        }
    }
}

impl Error for PolicyError {}

/// Why two filters cannot be united. Neither filter has changed.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum UnionError {
    /// The hashers have different seeds, so one hash of a key cannot be used for the stages of
    /// both.
    Incompatible(Incompatible),
    /// The filters have different policies.
    Policy {
        /// The parameter in which the policies differ.
        parameter: &'static str,
        /// The value in the filter that was to be changed.
        left: f64,
        /// The value in the other filter.
        right: f64,
    },
    /// Both together have more stages than the policy allows.
    Stages {
        /// The largest number of stages allowed.
        max: u32,
        /// The number of stages of both filters.
        needed: u64,
    },
    /// Both together have more bytes than the policy allows.
    Bytes {
        /// The largest number of bytes allowed for the bits.
        max: u64,
        /// The number of bytes of both filters.
        needed: u64,
    },
}

impl fmt::Display for UnionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Incompatible(error) => error.fmt(f),
            Self::Policy {
                parameter,
                left,
                right,
            } => write!(
                f,
                "the policies differ in {parameter}: {left} here, {right} there; make both filters \
                 with one policy"
            ),
            Self::Stages { max, needed } => write!(
                f,
                "together the filters have {needed} stages, and the policy allows {max}; allow \
                 more, or insert the keys again"
            ),
            Self::Bytes { max, needed } => write!(
                f,
                "together the bits of the filters take {needed} bytes, and the policy allows {max}; \
                 allow more, or insert the keys again"
            ),
        }
    }
}

impl Error for UnionError {}

impl From<Incompatible> for UnionError {
    fn from(error: Incompatible) -> Self {
        Self::Incompatible(error)
    }
}
