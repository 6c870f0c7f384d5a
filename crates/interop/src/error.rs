//! Errors of decoding a filter.

use core::{error::Error, fmt};

/// The bytes are not a filter of the requested system, or a filter that this crate cannot open.
/// Contains the place of the first problem.
///
/// ```
/// use bouquet_interop::GuavaBloom;
///
/// let error = GuavaBloom::from_bytes(&[1, 0, 0, 0, 0, 1]).unwrap_err();
/// assert_eq!(error.to_string(), "byte 1, hashes (k): found 0, wanted 1 to 255");
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct ForeignDecodeError {
    /// The byte offset of the field in the input.
    pub offset: u64,
    /// The name of the field.
    pub field: &'static str,
    /// The value that the field has.
    pub found: Term,
    /// The value that the field should have.
    pub wanted: Term,
}

/// The value of a field, as found or as expected.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Term {
    /// This number of bytes.
    Bytes(u64),
    /// This integer.
    Number(i128),
    /// This floating-point number.
    Real(f64),
    /// Another value, described in words.
    Words(&'static str),
}

impl fmt::Display for ForeignDecodeError {
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

impl Error for ForeignDecodeError {}

/// Why a filter could not be read from a source: either the source failed, or the bytes are not
/// such a filter.
///
/// ```
/// use bouquet_interop::{GuavaBloom, ReadError};
///
/// let broken = GuavaBloom::read_from(8, |_| Err("the line is dead"));
/// assert_eq!(broken, Err(ReadError::Source("the line is dead")));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ReadError<E> {
    /// The source returned this error.
    Source(E),
    /// The bytes are not a filter of this kind.
    Decode(ForeignDecodeError),
}

impl<E> From<ForeignDecodeError> for ReadError<E> {
    fn from(error: ForeignDecodeError) -> Self {
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

impl ForeignDecodeError {
    /// The error for an m or a k, given by the caller, that is out of range.
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
