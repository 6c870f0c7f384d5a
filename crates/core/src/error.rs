//! Errors: what was wrong, and what to do.

use core::{error::Error, fmt};

use crate::{KeyHasher, MAX_SIZE_BITS};

/// Why a filter cannot be made as asked.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum SpecError {
    /// A capacity of 0 keys.
    ZeroCapacity,
    /// A target FPR that is no number strictly between 0 and 1.
    FprOutOfRange {
        /// The FPR asked for.
        target_fpr: f64,
    },
    /// A target FPR that the hasher does not reach at this capacity, however many
    /// bits the filter gets.
    BelowHashFloor {
        /// The FPR asked for.
        target_fpr: f64,
        /// The lowest FPR possible at this capacity.
        floor: f64,
        /// Independent bits in the hash.
        hash_bits: u32,
    },
    /// A target FPR that fingerprints do not reach, however wide they can be.
    BelowFingerprintFloor {
        /// The FPR asked for.
        target_fpr: f64,
        /// The lowest FPR possible.
        floor: f64,
        /// Bits of the widest fingerprint.
        fingerprint_bits: u32,
    },
    /// A target FPR at which this layout takes many times the bits of a standard
    /// filter.
    Wasteful {
        /// The FPR asked for.
        target_fpr: f64,
        /// The layout.
        layout: &'static str,
        /// Its bits, as a multiple of a standard filter's.
        ratio: f64,
        /// The ratio that is not to be passed.
        most: f64,
    },
    /// More bits than a filter may have.
    TooLarge {
        /// The bits that the request comes to; `f64`, for they may pass `u64`.
        size_bits: f64,
    },
    /// A size of 0 bits.
    ZeroSizeBits,
    /// A number of bits per key that is no positive number.
    BitsPerKeyOutOfRange {
        /// The bits per key asked for.
        bits_per_key: f64,
    },
    /// A number of hashes outside the range.
    HashesOutOfRange {
        /// The hashes asked for.
        hashes: u32,
        /// The most that are possible.
        max: u32,
    },
    /// Fewer bits than hashes, where each hash has a part of the bits for its
    /// own.
    FewerBitsThanHashes {
        /// The bits asked for.
        size_bits: u64,
        /// The hashes asked for.
        hashes: u32,
    },
    /// A growth of a filter by stages that is outside the range.
    GrowthOutOfRange {
        /// The growth asked for.
        growth: u32,
        /// The most that is possible.
        max: u32,
    },
    /// The memory could not be had.
    OutOfMemory {
        /// The bytes asked for.
        bytes: u64,
    },
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::ZeroCapacity => f.write_str(
                "capacity is 0: give the number of keys the filter is to hold, at least 1",
            ),
            Self::FprOutOfRange { target_fpr } => write!(
                f,
                "target FPR {target_fpr} is not between 0 and 1: give a share such as 0.01 for 1 %"
            ),
            Self::BelowHashFloor {
                target_fpr,
                floor,
                hash_bits,
            } => write!(
                f,
                "target FPR {target_fpr:e} is not above {floor:.1e}, the least that a hash of \
                 {hash_bits} bits allows at this capacity: raise the target, lower the capacity{}",
                if hash_bits < 128 {
                    ", or take a hasher of 128 bits"
                } else {
                    ""
                }
            ),
            Self::Wasteful {
                target_fpr,
                layout,
                ratio,
                most,
            } => write!(
                f,
                "target FPR {target_fpr:e} takes {ratio:.1} times the bits of a standard filter in \
                 blocks of the layout {layout}, and at most {most} times are allowed: take \
                 StandardBloom, or raise the target"
            ),
            Self::BelowFingerprintFloor {
                target_fpr,
                floor,
                fingerprint_bits,
            } => write!(
                f,
                "target FPR {target_fpr:e} is below {floor:.1e}, the least that fingerprints of \
                 {fingerprint_bits} bits allow: raise the target, or take a Bloom filter"
            ),
            Self::TooLarge { size_bits } => write!(
                f,
                "the filter would take {size_bits:.3e} bits, more than the {MAX_SIZE_BITS} \
                 possible: lower the capacity, raise the FPR, or spread the keys over several \
                 filters"
            ),
            Self::ZeroSizeBits => f.write_str("size is 0 bits: give at least 1"),
            Self::BitsPerKeyOutOfRange { bits_per_key } => write!(
                f,
                "{bits_per_key} bits per key is not a positive number: give one such as 10"
            ),
            Self::HashesOutOfRange { hashes, max } => {
                write!(f, "{hashes} hashes: give a number from 1 to {max}")
            }
            Self::FewerBitsThanHashes { size_bits, hashes } => write!(
                f,
                "{size_bits} bits are too few for {hashes} hashes, which need at least one each: \
                 give {hashes} bits or more, or {size_bits} hashes or fewer"
            ),
            Self::GrowthOutOfRange { growth, max } => {
                write!(f, "a growth of {growth}: give a number from 1 to {max}")
            }
            Self::OutOfMemory { bytes } => write!(
                f,
                "{bytes} bytes of memory could not be had: lower the capacity or raise the FPR"
            ),
        }
    }
}

impl Error for SpecError {}

/// The parameter in which two filters differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Parameter {
    /// The size m in bits.
    SizeBits,
    /// The hashes k.
    Hashes,
    /// The seed or secret key of the hasher.
    Seed,
    /// Any other part of the geometry, by name.
    Other(&'static str),
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SizeBits => "size_bits (m)",
            Self::Hashes => "hashes (k)",
            Self::Seed => "seed of the hasher",
            Self::Other(name) => name,
        })
    }
}

/// Two filters cannot be combined: bit i of one does not mean what bit i of
/// the other means.
///
/// Filters of another hasher *type* do not get this far: that is a type error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Incompatible {
    /// The parameter in which they differ.
    pub parameter: Parameter,
    /// Its value in the filter that was to be changed.
    pub left: u64,
    /// Its value in the other.
    pub right: u64,
}

impl Incompatible {
    /// Refuses filters that differ in `parameter`.
    ///
    /// ```
    /// use bouquet_core::{Incompatible, Parameter};
    ///
    /// assert!(Incompatible::unless_equal(Parameter::Hashes, 7u32, 7u32).is_ok());
    /// assert!(Incompatible::unless_equal(Parameter::SizeBits, 640u64, 704u64).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// Itself.
    pub fn unless_equal(
        parameter: Parameter,
        left: impl Into<u64>,
        right: impl Into<u64>,
    ) -> Result<(), Self> {
        let (left, right) = (left.into(), right.into());
        if left == right {
            return Ok(());
        }
        Err(Self {
            parameter,
            left,
            right,
        })
    }

    /// Refuses filters whose hashers are not equal. It names the seeds, by which
    /// alone hashers of one type may differ.
    ///
    /// # Errors
    ///
    /// Itself.
    pub fn unless_same_hasher<H: KeyHasher>(left: &H, right: &H) -> Result<(), Self> {
        if left == right {
            return Ok(());
        }
        Err(Self {
            parameter: Parameter::Seed,
            left: left.seed(),
            right: right.seed(),
        })
    }
}

impl fmt::Display for Incompatible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            parameter,
            left,
            right,
        } = self;
        write!(
            f,
            "the filters differ in {parameter}: {left} here, {right} there; make both from the \
             same Spec and hasher"
        )
    }
}

impl Error for Incompatible {}

/// A batch stopped at a key that was refused. The keys before it are held, it
/// and those after it are not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refused<E> {
    /// The index in the batch of the key that was refused.
    pub index: usize,
    /// Why.
    pub error: E,
}

impl<E: fmt::Display> fmt::Display for Refused<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "key {} of the batch was refused: {}",
            self.index, self.error
        )
    }
}

impl<E: Error + 'static> Error for Refused<E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.error)
    }
}
