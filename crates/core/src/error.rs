//! The errors of filters. Each message says what was wrong and what to do.

use core::{error::Error, fmt};

use crate::{KeyHasher, MAX_SIZE_BITS};

/// Why a filter cannot be created as requested.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum SpecError {
    /// A capacity of 0 keys.
    ZeroCapacity,
    /// A span of 0 ticks of a clock.
    ZeroSpan,
    /// A target FPR that is not a number strictly between 0 and 1.
    FprOutOfRange {
        /// The target FPR.
        target_fpr: f64,
    },
    /// A target FPR that the hasher cannot reach at this capacity, however many bits the filter
    /// gets.
    BelowHashFloor {
        /// The target FPR.
        target_fpr: f64,
        /// The lowest FPR possible at this capacity.
        floor: f64,
        /// The number of independent bits in the hash.
        hash_bits: u32,
    },
    /// A target FPR that cannot be reached even with the widest possible fingerprints.
    BelowFingerprintFloor {
        /// The target FPR.
        target_fpr: f64,
        /// The lowest FPR possible.
        floor: f64,
        /// The width in bits of the widest fingerprint.
        fingerprint_bits: u32,
    },
    /// A target FPR at which this layout needs many times the bits of a standard filter.
    Wasteful {
        /// The target FPR.
        target_fpr: f64,
        /// The name of the layout.
        layout: &'static str,
        /// The bits of the layout, as a multiple of the bits of a standard filter.
        ratio: f64,
        /// The largest ratio allowed.
        most: f64,
    },
    /// More bits than a filter may have.
    TooLarge {
        /// The bits that the request needs; `f64`, because they may exceed `u64`.
        size_bits: f64,
    },
    /// More bits than a filter of another system can have.
    AboveLimit {
        /// The bits that the request needs.
        size_bits: f64,
        /// The largest number of bits possible in that system.
        max: u64,
        /// What sets the limit, such as a Redis string.
        of: &'static str,
    },
    /// A size of 0 bits.
    ZeroSizeBits,
    /// A number of bits per key that is not a positive number.
    BitsPerKeyOutOfRange {
        /// The requested bits per key.
        bits_per_key: f64,
    },
    /// A number of hashes outside the range.
    HashesOutOfRange {
        /// The requested number of hashes.
        hashes: u32,
        /// The largest number allowed.
        max: u32,
    },
    /// Fewer bits than hashes, in a filter that gives each hash a range of bits of its own.
    FewerBitsThanHashes {
        /// The requested number of bits.
        size_bits: u64,
        /// The requested number of hashes.
        hashes: u32,
    },
    /// A growth factor of a scalable filter that is outside the allowed range.
    GrowthOutOfRange {
        /// The requested growth factor.
        growth: u32,
        /// The largest growth factor allowed.
        max: u32,
    },
    /// The memory could not be allocated.
    OutOfMemory {
        /// The requested memory in bytes.
        bytes: u64,
    },
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::ZeroCapacity => f.write_str(
                "capacity must be at least 1: give the number of keys that the filter is sized for",
            ),
            Self::ZeroSpan => {
                f.write_str("span must be at least 1: give the ticks for which a key is remembered")
            }
            Self::FprOutOfRange { target_fpr } => write!(
                f,
                "target FPR {target_fpr} is not between 0 and 1: give a share such as 0.01 for 1 %"
            ),
            Self::BelowHashFloor {
                target_fpr,
                floor,
                hash_bits,
            } if hash_bits < 128 => write!(
                f,
                "target FPR {target_fpr:e} at this capacity needs a hash of 128 bits, because one \
                 of {hash_bits} bits allows no less than {floor:.1e}: use Xxh3Wide, lower the \
                 capacity or raise the FPR"
            ),
            Self::BelowHashFloor {
                target_fpr,
                floor,
                hash_bits,
            } => write!(
                f,
                "target FPR {target_fpr:e} is not above {floor:.1e}, the least that a hash of \
                 {hash_bits} bits allows at this capacity: lower the capacity or raise the FPR"
            ),
            Self::Wasteful {
                target_fpr,
                layout,
                ratio,
                most,
            } => write!(
                f,
                "target FPR {target_fpr:e} takes {ratio:.1} times the bits of a standard filter in \
                 blocks of the layout {layout}, and at most {most} times are allowed: use \
                 StandardBloom, or raise the FPR"
            ),
            Self::BelowFingerprintFloor {
                target_fpr,
                floor,
                fingerprint_bits,
            } => write!(
                f,
                "target FPR {target_fpr:e} is below {floor:.1e}, the least that fingerprints of \
                 {fingerprint_bits} bits allow: raise the FPR, or take a Bloom filter"
            ),
            Self::TooLarge { size_bits } => write!(
                f,
                "the filter would take {size_bits:.3e} bits, more than the {MAX_SIZE_BITS} \
                 possible: lower the capacity, raise the FPR, or spread the keys over several \
                 filters"
            ),
            Self::AboveLimit { size_bits, max, of } => write!(
                f,
                "{size_bits} bits are more than the {max} bits that {of} can have: lower the \
                 capacity or raise the FPR"
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
                "cannot allocate {bytes} bytes of memory: lower the capacity or raise the FPR"
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
    /// The number of hashes k.
    Hashes,
    /// The seed or secret key of the hasher.
    Seed,
    /// Another parameter of the geometry, by name.
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
/// A filter with another hasher *type* cannot cause this error: the compiler rejects it as a
/// type error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Incompatible {
    /// The parameter in which the two filters differ.
    pub parameter: Parameter,
    /// The value of the parameter in the filter that was to be changed.
    pub left: u64,
    /// The value of the parameter in the other filter.
    pub right: u64,
}

impl Incompatible {
    /// An error with these values of the parameter in the filter that was to be changed and in
    /// the other.
    pub const fn new(parameter: Parameter, left: u64, right: u64) -> Self {
        Self {
            parameter,
            left,
            right,
        }
    }

    /// Returns an error that names `parameter` unless `left` equals `right`.
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
    /// `Self`, if the values differ.
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

    /// Returns an error unless the hashers are equal. The error names the seeds, because
    /// hashers of one type can differ only in them.
    ///
    /// # Errors
    ///
    /// `Self`, if the hashers differ.
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

/// The error of a batch of inserts that stopped at a rejected key. The keys before that key are
/// present in the filter; the rejected key and the keys after it were not inserted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct BatchError<E> {
    /// The index in the batch of the rejected key.
    pub index: usize,
    /// Why the key was rejected.
    pub error: E,
}

impl<E> BatchError<E> {
    /// An error at this index of the batch.
    pub const fn new(index: usize, error: E) -> Self {
        Self { index, error }
    }
}

impl<E: fmt::Display> fmt::Display for BatchError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "key {} of the batch was rejected: {}",
            self.index, self.error
        )
    }
}

impl<E: Error + 'static> Error for BatchError<E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.error.source()
    }
}
