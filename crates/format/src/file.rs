//! Files: saved as a whole or not at all.

use core::{error::Error, fmt};
use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use crate::{
    Decode, DecodeError, Encode, Header, Sink, Source, Stopped, Unreadable, decode, write::write,
};

/// Why a file is not the filter that was asked for.
#[derive(Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// It could not be read.
    Io(io::Error),
    /// It was read, and is no such filter.
    Decode(DecodeError),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "the filter could not be read: {error}"),
            Self::Decode(error) => error.fmt(f),
        }
    }
}

impl Error for LoadError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Decode(error) => error.source(),
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

/// A reader or a writer, and its first error.
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
        return Err(sink.error.unwrap_or_else(|| io::ErrorKind::Other.into()));
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
    let file = File::open(path)?;
    let len = file.metadata()?.len();
    decode_from(file, len, hasher)
}

pub(crate) fn save(filter: &(impl Encode + ?Sized), path: &Path) -> io::Result<()> {
    // A link stays one: what it leads to is replaced.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| PathBuf::from(path));
    let mut aside = Aside::create(path)?;
    if let Ok(replaced) = fs::metadata(path) {
        aside.file.set_permissions(replaced.permissions())?;
    }
    encode_to(filter, &mut aside.file)?;
    aside.file.sync_all()?;
    fs::rename(&aside.path, path)?;
    aside.renamed = true;
    sync_folder(path)
}

/// A file beside the one it is to become; removed unless it was renamed.
struct Aside {
    path: PathBuf,
    file: File,
    renamed: bool,
}

impl Aside {
    fn create(path: &Path) -> io::Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let Some(name) = path.file_name() else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        loop {
            let mut aside = OsString::from(".");
            aside.push(name);
            let number = NEXT.fetch_add(1, Relaxed);
            aside.push(std::format!(".{}-{number}.tmp", process::id()));
            let path = path.with_file_name(aside);
            match File::create_new(&path) {
                Ok(file) => {
                    return Ok(Self {
                        path,
                        file,
                        renamed: false,
                    });
                }
                // Left by a process of this number that was killed.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        if !self.renamed {
            // Nothing is to be done about a failure on the way out of another.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Brings a folder's change of names to the disk. Only Unix has a way to.
fn sync_folder(path: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    File::open(folder)?.sync_all()
}
