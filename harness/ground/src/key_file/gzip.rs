//! Files of gzip, one behind the other, with errors that say what to do.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::GzDecoder;

/// The first byte of a file of gzip.
const FIRST: u8 = 0x1f;

/// What is unpacked.
pub(super) struct Gzip<R> {
    /// The file at hand; none after an end.
    file: Option<GzDecoder<BufReader<R>>>,
}

impl<R: Read> Gzip<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            file: Some(GzDecoder::new(BufReader::new(reader))),
        }
    }
}

impl<R: Read> Read for Gzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(file) = &mut self.file {
            let count = file.read(buffer).map_err(damaged)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let next = file.get_mut().fill_buf()?;
            match *next {
                [] => self.file = None,
                [FIRST, second, ..] if second != super::GZIP[1] => return Err(more_than_gzip()),
                // Another one follows.
                [FIRST, ..] => {
                    let file = self.file.take().map(GzDecoder::into_inner);
                    self.file = file.map(GzDecoder::new);
                }
                _ => return Err(more_than_gzip()),
            }
        }
        Ok(0)
    }
}

fn damaged(error: io::Error) -> io::Error {
    if error.kind() == io::ErrorKind::Interrupted {
        return error;
    }
    let words =
        format!("it begins as gzip does, and cannot be unpacked ({error}): take a whole copy");
    io::Error::new(error.kind(), words)
}

fn more_than_gzip() -> io::Error {
    let words = "it is gzip with something else after it: unpack what is gzip (gzip -dc), and give \
                 that";
    io::Error::new(io::ErrorKind::InvalidInput, words)
}
