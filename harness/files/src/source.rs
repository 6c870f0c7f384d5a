//! The bytes of a file, read as often as it takes to know what it is.

use std::{
    fs::{File, Metadata},
    io::{self, Read, Seek},
    path::Path,
};

use bouquet_format::{HEADER_BYTES, Header};

/// A file, or what came by a pipe.
pub struct Source {
    bytes: Bytes,
    /// What is still to come by a pipe.
    rest: Option<Box<dyn Read>>,
    pub len: u64,
}

enum Bytes {
    /// Of a file the first ones.
    File(File, Vec<u8>),
    All(Vec<u8>),
}

/// Headers of a filter and of two within it.
const START: u64 = 3 * HEADER_BYTES;

impl Source {
    pub fn open(path: &Path) -> io::Result<Self> {
        if path.as_os_str() != "-" {
            return Self::of(File::open(path)?);
        }
        Self::by_a_pipe(io::stdin())
    }

    /// Of what is open already, from its begin.
    pub fn of(mut file: File) -> io::Result<Self> {
        let there = file.metadata()?;
        if there.is_file() {
            let mut start = Vec::new();
            file.rewind()?;
            file.by_ref().take(START).read_to_end(&mut start)?;
            return Ok(Self {
                bytes: Bytes::File(file, start),
                rest: None,
                len: there.len(),
            });
        }
        if is_device(&there) {
            return Err(io::Error::other(
                "it is a device, which may have no end: name a file or a pipe",
            ));
        }
        Self::by_a_pipe(file)
    }

    /// Its first bytes, so that whoever looks at them knows whether to read on.
    fn by_a_pipe(mut reader: impl Read + 'static) -> io::Result<Self> {
        let mut start = Vec::new();
        reader.by_ref().take(START).read_to_end(&mut start)?;
        Ok(Self {
            len: start.len() as u64,
            bytes: Bytes::All(start),
            rest: Some(Box::new(reader)),
        })
    }

    /// Reads what is still to come: its length shows then.
    pub fn read_on(&mut self) -> io::Result<()> {
        if let (Some(mut rest), Bytes::All(all)) = (self.rest.take(), &mut self.bytes) {
            rest.read_to_end(all)?;
            self.len = all.len() as u64;
        }
        Ok(())
    }

    /// The first bytes, three headers of ours at least if there are as many.
    pub fn start(&self) -> &[u8] {
        match &self.bytes {
            Bytes::File(_, start) => start,
            Bytes::All(all) => all,
        }
    }

    /// All bytes from the first on.
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

    /// Header number `i` from the start of the file, if there is one.
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
