//! The errors of decoding: the position, what was found, and what to do.

use core::{error::Error, fmt};

use bouquet_core::SpecError;

use crate::{
    HEADER_BYTES, Header,
    named::{Hasher, StoredType, Variant},
    variant,
};

/// Why bytes are not the requested filter, and at which byte the problem was found.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct DecodeError {
    /// The offset of the byte at which the problem was found, counted from the first byte
    /// given.
    pub offset: u64,
    /// What is wrong at that byte.
    pub problem: Problem,
}

/// What is wrong with bytes that should be a filter.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Problem {
    /// The bytes do not begin with the signature of this format.
    NotThisFormat,
    /// A version of the format that this release does not know.
    Version {
        /// The version found.
        found: u16,
    },
    /// There are fewer bytes than the header states, or than a header needs.
    Truncated {
        /// The number of bytes needed.
        needed: u64,
        /// The number of bytes found.
        found: u64,
    },
    /// There are more bytes than the header states.
    TooLong {
        /// The number of bytes expected.
        expected: u64,
        /// The number of bytes found.
        found: u64,
    },
    /// The checksum of a header does not match its bytes.
    HeaderChecksum {
        /// The checksum of the bytes.
        computed: u64,
        /// The checksum in the header.
        found: u64,
    },
    /// The checksum at the end of the file does not match the bytes before it.
    Checksum {
        /// The checksum of the bytes.
        computed: u64,
        /// The checksum at the end.
        found: u64,
    },
    /// The file has a filter of another variant.
    Variant {
        /// The type of the stored filter.
        found: StoredType,
        /// The expected variant ID.
        expected: u16,
        /// If the filter is a part of another filter, the variant ID of that other filter.
        of: Option<u16>,
    },
    /// The file has a blocked filter of another layout.
    Layout {
        /// The type of the stored filter.
        found: StoredType,
        /// The name of the expected layout.
        expected: &'static str,
    },
    /// The stored filter uses another hasher.
    Hasher {
        /// The type of the stored filter.
        found: StoredType,
        /// The expected hasher ID.
        expected: u16,
    },
    /// The hasher has a secret key, which is never stored; or it has none, although the file
    /// states that it has.
    Keyed {
        /// Whether the file states that the hasher has a secret key.
        found: bool,
    },
    /// The supplied hasher has another seed, or another key.
    Seed {
        /// The seed in the file, or the check value of the secret key.
        found: u64,
        /// The seed or check value of the supplied hasher.
        given: u64,
        /// Whether both are check values of a secret key.
        keyed: bool,
    },
    /// A field has a value that no filter writes.
    Field {
        /// The name of the field.
        field: &'static str,
        /// The value found.
        found: u64,
        /// The rule that the value violates.
        rule: &'static str,
    },
    /// The fields describe a filter that cannot exist.
    Spec(SpecError),
    /// A bit is set that must be zero, or a slot has an impossible value.
    Slots {
        /// The rule that the slots violate.
        rule: &'static str,
    },
    /// The memory could not be allocated.
    OutOfMemory {
        /// The requested number of bytes.
        bytes: u64,
    },
    /// The filter exceeds the caller's [`Limits`](crate::Limits).
    OverLimit {
        /// The limited quantity: `bytes` or `stages`.
        what: &'static str,
        /// The quantity in the file.
        found: u64,
        /// The largest quantity allowed.
        max: u64,
    },
    /// The source returned no more bytes; the owner of the source knows the reason.
    Unreadable,
}

impl DecodeError {
    /// An error with this problem at byte `offset`.
    pub const fn new(offset: u64, problem: Problem) -> Self {
        Self { offset, problem }
    }

    /// Marks the found type as a part of the filter whose header is `whole`.
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

    /// If the found type consists of parts, replaces it by the type of its parts. `part`
    /// returns the header of the first part that has slots.
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
        if self.problem == Problem::NotThisFormat && self.offset > 0 {
            return write!(
                f,
                "at byte {}: a part of the filter has no signature, the file is damaged: use \
                 another copy",
                self.offset
            );
        }
        let is_in_a_part = self.offset >= HEADER_BYTES && self.problem.is_of_a_hasher();
        if self.problem.is_at_a_byte() || is_in_a_part {
            write!(f, "at byte {}: ", self.offset)?;
        }
        write!(f, "{}", self.problem)
    }
}

impl Error for DecodeError {}

impl Problem {
    /// Whether the message should name the byte: not if the file is intact and merely of
    /// another kind, or over a limit.
    const fn is_at_a_byte(&self) -> bool {
        !matches!(
            self,
            Self::NotThisFormat
                | Self::Variant { .. }
                | Self::Layout { .. }
                | Self::Hasher { .. }
                | Self::Keyed { .. }
                | Self::Seed { .. }
                | Self::OverLimit { .. }
        )
    }

    const fn is_of_a_hasher(&self) -> bool {
        matches!(
            self,
            Self::Hasher { .. } | Self::Keyed { .. } | Self::Seed { .. }
        )
    }

    /// The stored type in the problem, if there is one.
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
                "not a Bouquet file: no signature; open another system's filter with its own reader",
            ),
            Self::Version { found } => write!(
                f,
                "unknown format version {found}: read it with a newer release"
            ),
            Self::Truncated { needed, found } => write!(
                f,
                "the file is cut short, {found} bytes of {needed}: use a complete copy"
            ),
            Self::TooLong { expected, found } => write!(
                f,
                "the filter ends after {expected} of {found} bytes: pass the filter's bytes alone"
            ),
            Self::HeaderChecksum { computed, found } => write!(
                f,
                "the header is damaged, its checksum is {found:016x} and not {computed:016x}: use \
                 another copy"
            ),
            Self::Checksum { computed, found } => write!(
                f,
                "the file is damaged, its checksum is {found:016x} and not {computed:016x}: use \
                 another copy"
            ),
            Self::Variant {
                found,
                expected,
                of,
            } => {
                let (holds, wanted) = (Variant(found.variant), Variant(expected));
                match (found.outer, of) {
                    (Some(_), Some(of)) => {
                        let of = Variant(of);
                        write!(f, "the file holds a {of} of {holds}, not of {wanted}")?;
                    }
                    (outer, _) => {
                        let holds = outer.map_or(holds, Variant);
                        write!(f, "the file holds a {holds}, not a {wanted}")?;
                        if expected == variant::STANDARD && of.is_none() {
                            f.write_str(" or an `AtomicBloom`")?;
                        }
                    }
                }
                advise(f, &found)
            }
            Self::Layout { found, expected } => {
                let layout = found.layout_name().unwrap_or("unknown");
                write!(f, "the filter's layout is {layout}, not {expected}")?;
                advise(f, &found)
            }
            Self::Hasher { found, expected } => {
                let (found_hasher, expected) = (Hasher(found.hasher), Hasher(expected));
                write!(f, "the filter's hasher is {found_hasher}, not {expected}")?;
                advise(f, &found)
            }
            Self::Keyed { found: true } => f.write_str(
                "the filter's hasher has a secret key, which is never stored: supply the hasher \
                 with its key (decode_with, open_with)",
            ),
            Self::Keyed { found: false } => f.write_str(
                "the filter's hasher has no secret key, but one with a key was supplied: open it \
                 with the hasher that it was made with",
            ),
            Self::Seed { keyed: true, .. } => f.write_str(
                "the key given is not the filter's, the check values differ: supply the key that \
                 it was made with",
            ),
            Self::Seed { found, given, .. } => write!(
                f,
                "the filter's seed is {found}, not {given}: supply the hasher that it was made \
                 with, or take the seed from the file (decode, open)"
            ),
            Self::Field { field, found, rule } => {
                write!(f, "{field} is {found} and {rule}: no filter writes this")
            }
            Self::Spec(error) => write!(f, "an impossible filter: {error}"),
            Self::Slots { rule } => write!(f, "{rule}: no filter writes this"),
            Self::OutOfMemory { bytes } => write!(
                f,
                "cannot allocate {bytes} bytes of memory: free memory, or open a view of the \
                 file, which needs none"
            ),
            Self::OverLimit { what, found, max } => write!(
                f,
                "the filter has {found} {what}, and {max} are allowed: raise the limit (Limits) if \
                 you know who wrote it"
            ),
            Self::Unreadable => f.write_str("the source ended or failed"),
        }
    }
}

/// Writes which type to use to open the file, and what else is needed.
fn advise(f: &mut fmt::Formatter<'_>, found: &StoredType) -> fmt::Result {
    if !found.is_known() {
        return f.write_str(": open it with its own type and hasher");
    }
    write!(f, ": use the type `{found}`")?;
    if found.outer.is_none() && found.variant == variant::STANDARD {
        let hasher = found.hasher_name().unwrap_or("H");
        write!(f, " (or `AtomicBloom<{hasher}>`, whose files are the same)")?;
    }
    if found.is_of_parts() {
        f.write_str(", where F is the type of its parts")?;
    }
    if found.hasher_name().is_none() {
        write!(f, ", where H is your hasher of ID {}", found.hasher)?;
    }
    if found.keyed {
        f.write_str(
            ", and supply the hasher with its secret key, which is not in the file (load_with, \
             decode_with, open_with)",
        )?;
    }
    Ok(())
}
