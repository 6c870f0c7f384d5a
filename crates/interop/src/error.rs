//! Why bytes are not a filter.

use core::{error::Error, fmt};

/// The bytes are not a filter of the requested system, or one that cannot
/// be opened here. Says where.
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
    /// What it contains.
    pub found: Term,
    /// What it should contain.
    pub wanted: Term,
}

/// What a field contains, or should.
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

/// Why a filter could not be read from a source: its own error, or that of its
/// bytes.
///
/// ```
/// use bouquet_interop::{GuavaBloom, ReadError};
///
/// let broken = GuavaBloom::read_from(8, |_| Err("the line is dead"));
/// assert_eq!(broken, Err(ReadError::Source("the line is dead")));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ReadError<E> {
    /// The source failed, with its error.
    Source(E),
    /// The bytes are not such a filter.
    Decode(DecodeError),
}

impl<E> From<DecodeError> for ReadError<E> {
    fn from(error: DecodeError) -> Self {
        Self::Decode(error)
    }
}

impl<E: fmt::Display> fmt::Display for ReadError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Source(error) => error.fmt(f),
            Self::Decode(error) => error.fmt(f),
        }
    }
}

impl<E: Error> Error for ReadError<E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Source(error) => error.source(),
            Self::Decode(error) => error.source(),
        }
    }
}

impl DecodeError {
    /// The caller's own m or k is out of range.
    pub(crate) const fn no_bits() -> Self {
        Self {
            offset: 0,
            field: "size_bits or hashes, as given",
            found: Term::Words("out of range"),
            wanted: Term::Words(
                "1 to 2^48 bits and 1 to 128 hashes: give those that it was made with",
            ),
        }
    }
}
