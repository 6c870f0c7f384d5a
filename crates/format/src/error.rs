//! Why bytes are no filter: where, what was found, and what to do.

use core::{error::Error, fmt};

use bouquet_core::SpecError;

/// Why bytes are not the filter that was asked for, and at which byte that
/// shows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DecodeError {
    /// The byte at which it shows, counted from the first one given.
    pub offset: u64,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong with bytes that are to be a filter.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Problem {
    /// The bytes do not begin as a file of this format does.
    NotThisFormat,
    /// A version of the format that this release does not know.
    Version {
        /// The version found.
        found: u16,
    },
    /// Fewer bytes than the header says, or than a header takes.
    Truncated {
        /// The bytes needed.
        needed: u64,
        /// The bytes there are.
        found: u64,
    },
    /// More bytes than the header says.
    TooLong {
        /// The bytes expected.
        expected: u64,
        /// The bytes there are.
        found: u64,
    },
    /// The checksum of a header is not that of its bytes.
    HeaderChecksum {
        /// The checksum of the bytes.
        computed: u64,
        /// The checksum in the header.
        found: u64,
    },
    /// The checksum at the end is not that of the bytes before it.
    Checksum {
        /// The checksum of the bytes.
        computed: u64,
        /// The checksum at the end.
        found: u64,
    },
    /// A filter of another kind.
    Variant {
        /// The ID found.
        found: u16,
        /// The ID expected.
        expected: u16,
    },
    /// A filter of another hasher.
    Hasher {
        /// The ID found.
        found: u16,
        /// The ID expected.
        expected: u16,
    },
    /// The hasher has a secret key, which no file holds; or it has none, and the
    /// file says that it has.
    Keyed {
        /// Whether the file says that the hasher is keyed.
        found: bool,
    },
    /// The hasher given has another seed, or another key.
    Seed {
        /// The seed found, or the check value of the key.
        found: u64,
        /// The one of the hasher given.
        given: u64,
        /// Whether it is the check value of a secret key.
        keyed: bool,
    },
    /// A field has a value that no filter writes.
    Field {
        /// The name of the field.
        field: &'static str,
        /// The value found.
        found: u64,
        /// What it has to be.
        rule: &'static str,
    },
    /// Fields make a filter that cannot be.
    Spec(SpecError),
    /// Something is set where all must be zero, or a slot holds what none can.
    Slots {
        /// What has to be so.
        rule: &'static str,
    },
    /// Memory that could not be had.
    OutOfMemory {
        /// The bytes asked for.
        bytes: u64,
    },
    /// The source gave no more bytes. Whoever gave the source knows why.
    Unreadable,
}

impl DecodeError {
    /// The error that shows at a byte.
    pub const fn new(offset: u64, problem: Problem) -> Self {
        Self { offset, problem }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.offset, self.problem)
    }
}

impl Error for DecodeError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.problem {
            Problem::Spec(error) => Some(error),
            _ => None,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NotThisFormat => f.write_str(
                "this is no Bouquet filter: it does not begin with the eight bytes that mark one; \
                 give a file that was saved by this library, or open another system's filter with \
                 its own reader",
            ),
            Self::Version { found } => write!(
                f,
                "version {found} of the format is not known here: read it with a newer release"
            ),
            Self::Truncated { needed, found } => write!(
                f,
                "{needed} bytes are needed and there are {found}: the file was cut short, take a \
                 whole copy"
            ),
            Self::TooLong { expected, found } => write!(
                f,
                "the filter ends after {expected} bytes and {found} were given: give the filter's \
                 bytes alone"
            ),
            Self::HeaderChecksum { computed, found } => write!(
                f,
                "the checksum of the header is {found:016x} and its bytes have {computed:016x}: \
                 it was damaged, take another copy"
            ),
            Self::Checksum { computed, found } => write!(
                f,
                "the checksum at the end is {found:016x} and the bytes before it have \
                 {computed:016x}: the file was damaged, take another copy"
            ),
            Self::Variant { found, expected } => write!(
                f,
                "the filter is of variant {found}, and {expected} was asked for: open it as what \
                 it is"
            ),
            Self::Hasher { found, expected } => {
                write!(
                    f,
                    "the filter's hasher is {}, and {} was asked for: ",
                    Named(found),
                    Named(expected)
                )?;
                match hasher_name(found) {
                    Some(name) => write!(
                        f,
                        "write the type with its hasher, as in `StandardBloom<{name}>`"
                    ),
                    None => f.write_str("open it with the hasher that it was made with"),
                }
            }
            Self::Keyed { found: true } => f.write_str(
                "the filter's hasher has a secret key, which no file holds: give the hasher with \
                 its key (decode_with, open_with)",
            ),
            Self::Keyed { found: false } => f.write_str(
                "the filter's hasher has no secret key, and one with a key was given: open it \
                 with the hasher that it was made with",
            ),
            Self::Seed { keyed: true, .. } => f.write_str(
                "the key given is not the filter's: the check values differ; give the key that it \
                 was made with",
            ),
            Self::Seed { found, given, .. } => write!(
                f,
                "the filter's seed is {found}, and {given} was given: give the hasher that it was \
                 made with, or let the file say (decode, open)"
            ),
            Self::Field { field, found, rule } => {
                write!(
                    f,
                    "{field} is {found} and {rule}: this was not written by a filter"
                )
            }
            Self::Spec(error) => write!(f, "no filter is like that: {error}"),
            Self::Slots { rule } => write!(f, "{rule}: this was not written by a filter"),
            Self::OutOfMemory { bytes } => write!(
                f,
                "{bytes} bytes of memory could not be had: free memory, or open a view of the \
                 file, which takes none"
            ),
            Self::Unreadable => f.write_str("no more bytes could be read"),
        }
    }
}

/// The type of a hasher whose ID this project has given out.
const fn hasher_name(id: u16) -> Option<&'static str> {
    match id {
        1 => Some("Xxh3"),
        2 => Some("Xxh3Wide"),
        3 => Some("SipKeyed"),
        4 => Some("Folded"),
        _ => None,
    }
}

/// A hasher in a message.
struct Named(u16);

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match hasher_name(self.0) {
            Some(name) => f.write_str(name),
            None => write!(f, "that of ID {}", self.0),
        }
    }
}
