//! Why bytes are no filter: where, what was found, and what to do.

use core::{error::Error, fmt};

use bouquet_core::SpecError;

use crate::{
    Header,
    named::{Hasher, StoredType, Variant},
};

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
        /// What the file is.
        found: StoredType,
        /// The ID expected.
        expected: u16,
        /// The ID of the filter whose part was expected to be so, if it is a part.
        of: Option<u16>,
    },
    /// A blocked filter of another layout.
    Layout {
        /// What the file is.
        found: StoredType,
        /// The name of the layout expected.
        expected: &'static str,
    },
    /// A filter of another hasher.
    Hasher {
        /// What the file is.
        found: StoredType,
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

    /// The same about a part of the filter with this header.
    pub(crate) fn within(mut self, whole: &Header) -> Self {
        if let Some(found) = self.problem.found_mut() {
            *found = found.within(whole);
            let outer = found.outer;
            if let Problem::Variant { of, .. } = &mut self.problem {
                *of = outer;
            }
        }
        self
    }

    /// The same, with the type of the parts where the file is made of some: `part` gives
    /// the header of the first that has slots.
    pub(crate) fn naming_parts(
        mut self,
        whole: &Header,
        part: impl FnOnce() -> Option<Header>,
    ) -> Self {
        if let Some(found) = self.problem.found_mut()
            && found.is_of_parts()
            && let Some(part) = part()
        {
            *found = StoredType::of(&part).within(whole);
        }
        self
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

impl Problem {
    /// The type in it, if it tells one.
    const fn found_mut(&mut self) -> Option<&mut StoredType> {
        match self {
            Self::Variant { found, .. }
            | Self::Layout { found, .. }
            | Self::Hasher { found, .. } => Some(found),
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
            Self::Variant {
                found,
                expected,
                of,
            } if found.is_known() => {
                let asked = Variant(expected);
                write!(f, "the filter is a `{found}`, and a ")?;
                match of {
                    Some(outer) => write!(f, "{} of {asked} was asked for: ", Variant(outer))?,
                    None => write!(f, "{asked} was asked for: ")?,
                }
                advise(f, &found)
            }
            Self::Variant {
                found, expected, ..
            } => write!(
                f,
                "the filter is a {}, and a {} was asked for: open it as what it is",
                Variant(found.variant),
                Variant(expected)
            ),
            Self::Layout { found, expected } => {
                let layout = found.layout_name().unwrap_or("unknown");
                write!(
                    f,
                    "the filter's layout is {layout}, and {expected} was asked for: "
                )?;
                advise(f, &found)
            }
            Self::Hasher { found, expected } => {
                write!(
                    f,
                    "the filter's hasher is {}, and {} was asked for: ",
                    Hasher(found.hasher),
                    Hasher(expected)
                )?;
                advise(f, &found)
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

/// Which type to write, and what else is needed to open it.
fn advise(f: &mut fmt::Formatter<'_>, found: &StoredType) -> fmt::Result {
    if !found.is_known() {
        return f.write_str("open it as what it is, with the hasher that it was made with");
    }
    write!(f, "write the type `{found}`")?;
    if found.outer.is_none() && found.variant == crate::variant::STANDARD {
        f.write_str(" (or `AtomicBloom`, whose files are the same)")?;
    }
    if found.is_of_parts() {
        f.write_str(", where F is the type of its parts")?;
    }
    if found.hasher_name().is_none() {
        write!(f, ", where H is your hasher of ID {}", found.hasher)?;
    }
    if found.keyed {
        f.write_str(
            ", and give the hasher with its secret key, which is not in the file (load_with, \
             decode_with, open_with)",
        )?;
    }
    Ok(())
}
