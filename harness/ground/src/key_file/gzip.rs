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

    fn read_on(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(file) = &mut self.file {
            let count = file.read(buffer)?;
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

fn more_than_gzip() -> io::Error {
    let words = "it is gzip with something else after it: unpack what is gzip (gzip -dc), and give \
                 that";
    io::Error::new(io::ErrorKind::InvalidInput, words)
}

impl<R: Read> Read for Gzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.read_on(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => error,
            _ if error.get_ref().is_some() && error.to_string().starts_with("it is gzip") => error,
            kind => io::Error::new(
                kind,
                format!(
                    "it begins as gzip does, and cannot be unpacked ({error}): take a whole copy"
                ),
            ),
        })
    }
}
