//! Encoding to writers, and decoding from readers and files.

use core::{error::Error, fmt};
use std::{
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use crate::{
    Decode, DecodeError, Encode, Header, Sink, Source, Stopped, Unreadable, decode, path,
    write::write,
};

/// Why a file could not be loaded as the requested filter.
#[derive(Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// The file does not exist, or cannot be opened or read.
    Open {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// A reader that was given instead of a path could not be read.
    Io(io::Error),
    /// The bytes were read, but are not such a filter.
    Decode(DecodeError),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open { path, error } => f.write_str(&path::in_words("read", path, error)),
            Self::Io(error) => write!(f, "cannot read the filter: {error}"),
            Self::Decode(error) => error.fmt(f),
        }
    }
}

impl Error for LoadError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Open { error, .. } | Self::Io(error) => error.source(),
            Self::Decode(_) => None,
        }
    }
}

impl From<io::Error> for LoadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<DecodeError> for LoadError {
    fn from(error: DecodeError) -> Self {
        Self::Decode(error)
    }
}

/// A reader or a writer, together with the first error that it returned.
struct Stream<T> {
    stream: T,
    error: Option<io::Error>,
}

impl<T> Stream<T> {
    const fn new(stream: T) -> Self {
        Self {
            stream,
            error: None,
        }
    }
}

impl<W: Write> Sink for Stream<W> {
    fn put(&mut self, bytes: &[u8]) -> Result<(), Stopped> {
        self.stream.write_all(bytes).map_err(|error| {
            self.error = Some(error);
            Stopped
        })
    }
}

impl<R: Read> Source for Stream<R> {
    fn fill(&mut self, buffer: &mut [u8]) -> Result<(), Unreadable> {
        self.stream.read_exact(buffer).map_err(|error| {
            self.error = Some(error);
            Unreadable
        })
    }
}

pub(crate) fn encode_to(filter: &(impl Encode + ?Sized), writer: impl Write) -> io::Result<()> {
    let mut sink = Stream::new(writer);
    if let Err(Stopped) = write(filter, &mut sink) {
        // If the writer returned no error, the memory for the buffer could not be allocated.
        return Err(sink
            .error
            .unwrap_or_else(|| io::ErrorKind::OutOfMemory.into()));
    }
    sink.stream.flush()
}

pub(crate) fn decode_from<F: Decode>(
    reader: impl Read,
    len: u64,
    hasher: impl FnOnce(&Header) -> Result<F::Hasher, DecodeError>,
) -> Result<F, LoadError> {
    let mut source = Stream::new(reader);
    decode::decode_from(&mut source, len, hasher).map_err(|error| match source.error {
        Some(error) => LoadError::Io(error),
        None => LoadError::Decode(error),
    })
}

pub(crate) fn load<F: Decode>(
    path: &Path,
    hasher: impl FnOnce(&Header) -> Result<F::Hasher, DecodeError>,
) -> Result<F, LoadError> {
    let named = |error| LoadError::Open {
        path: path.to_path_buf(),
        error,
    };
    let file = path::open(path).map_err(named)?;
    let len = file.metadata().map_err(named)?.len();
    decode_from(file, len, hasher).map_err(|error| match error {
        LoadError::Io(error) => named(error),
        other => other,
    })
}
