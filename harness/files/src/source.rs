//! The bytes of a file, which can be read several times to recognise its format.

use std::{
    fs::{self, File, Metadata},
    io::{self, Read, Seek},
    path::Path,
};

use bouquet_format::{HEADER_BYTES, Header};

/// A file, or the bytes that came through a pipe.
pub struct Source {
    bytes: Bytes,
    pub len: u64,
}

enum Bytes {
    /// A file, and its first bytes.
    File(File, Vec<u8>),
    All(Vec<u8>),
}

/// The length of three headers: that of a filter, and of two nested in it.
const START: u64 = 3 * HEADER_BYTES;

impl Source {
    pub fn open(path: &Path) -> io::Result<Self> {
        let is_stdin = path.as_os_str() == "-";
        let place = if is_stdin {
            Path::new("/dev/stdin")
        } else {
            path
        };
        let there = fs::metadata(place);
        if there.as_ref().is_ok_and(is_device) {
            return Err(io::Error::other(
                "it is a device, which may have no end: name a file or a pipe",
            ));
        }
        let mut reader: Box<dyn Read> = match is_stdin {
            true => Box::new(io::stdin()),
            false if !there?.is_file() => Box::new(File::open(path)?),
            false => {
                let (mut file, mut start) = (File::open(path)?, Vec::new());
                file.by_ref().take(START).read_to_end(&mut start)?;
                let len = file.metadata()?.len();
                let bytes = Bytes::File(file, start);
                return Ok(Self { bytes, len });
            }
        };
        let mut all = Vec::new();
        reader.read_to_end(&mut all)?;
        let len = all.len() as u64;
        let bytes = Bytes::All(all);
        Ok(Self { bytes, len })
    }

    /// The first bytes: at least three native headers, or the whole file if it is shorter.
    pub fn start(&self) -> &[u8] {
        match &self.bytes {
            Bytes::File(_, start) => start,
            Bytes::All(all) => all,
        }
    }

    /// A reader of all bytes from the beginning.
    pub fn reader(&self) -> io::Result<Box<dyn Read + '_>> {
        Ok(match &self.bytes {
            Bytes::File(file, _) => {
                let mut file = file;
                file.rewind()?;
                Box::new(io::BufReader::with_capacity(1 << 18, file))
            }
            Bytes::All(all) => Box::new(&all[..]),
        })
    }

    /// The native header with index `i` from the start of the file, if there is one.
    pub fn header(&self, i: usize) -> Option<Header> {
        let (headers, _) = self.start().as_chunks();
        Header::from_bytes(headers.get(i)?, 0).ok()
    }
}

#[cfg(unix)]
fn is_device(there: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    let kind = there.file_type();
    kind.is_char_device() || kind.is_block_device()
}

#[cfg(not(unix))]
fn is_device(_: &Metadata) -> bool {
    false
}
