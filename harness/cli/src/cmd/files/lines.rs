//! Lines out.

use std::io::{self, Write};

use anyhow::{Context, Result};

/// Lines to standard output, whose reader may go away.
pub struct Lines {
    out: io::BufWriter<io::StdoutLock<'static>>,
    end: u8,
}

impl Lines {
    pub fn new(end: u8) -> Self {
        let out = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
        Self { out, end }
    }

    /// Writes a line; false if there is nobody left to read it.
    pub fn line(&mut self, line: &[u8]) -> Result<bool> {
        let written = self.out.write_all(line);
        listening(written.and_then(|()| self.out.write_all(&[self.end])))
    }

    /// Sends what was written on its way; false if there is nobody left.
    pub fn flush(&mut self) -> Result<bool> {
        listening(self.out.flush())
    }
}

fn listening(written: io::Result<()>) -> Result<bool> {
    match written {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error).context("cannot write to standard output"),
    }
}
