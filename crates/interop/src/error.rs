//! Why bytes are no filter.

use core::{error::Error, fmt};

/// The bytes given are not a filter of the system asked for, or one that cannot
/// be had here. Says where.
///
/// ```
/// use bouquet_interop::GuavaBloom;
///
/// let error = GuavaBloom::from_bytes(&[1, 0, 0, 0, 0, 1]).unwrap_err();
/// assert_eq!(error.to_string(), "byte 1, hashes (k): found 0, wanted 1 to 255");
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DecodeError {
    /// Where the field begins, in bytes from the first one given.
    pub offset: u64,
    /// The name of the field.
    pub field: &'static str,
    /// What it holds.
    pub found: Term,
    /// What it had to hold.
    pub wanted: Term,
}

/// What a field holds, or had to.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Term {
    /// So many bytes.
    Bytes(u64),
    /// This whole number.
    Number(i128),
    /// This number.
    Real(f64),
    /// Something else, in words.
    Words(&'static str),
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            offset,
            field,
            found,
            wanted,
        } = self;
        write!(f, "byte {offset}, {field}: found {found}, wanted {wanted}")
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Bytes(1) => f.write_str("1 byte"),
            Self::Bytes(bytes) => write!(f, "{bytes} bytes"),
            Self::Number(number) => number.fmt(f),
            Self::Real(number) => number.fmt(f),
            Self::Words(words) => f.write_str(words),
        }
    }
}

impl Error for DecodeError {}

impl DecodeError {
    /// The caller's own m or k is out of range.
    pub(crate) const fn no_bits() -> Self {
        Self {
            offset: 0,
            field: "size_bits or hashes, as given",
            found: Term::Words("out of range"),
            wanted: Term::Words("those of a filter"),
        }
    }
}
