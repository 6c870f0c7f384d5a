//! Lines out.

use std::io::{self, Write};

use anyhow::{Context, Result};
use bouquet_files::Chunk;

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

    /// Writes those of some lines whose answer is this one; false if there is nobody left
    /// to read them. Lines that follow one another go out as they lie.
    pub fn chosen(&mut self, chunk: &Chunk, answers: &[bool], wanted: bool) -> Result<bool> {
        let mut first = 0;
        for run in answers.chunk_by(|one, next| one == next) {
            let lines = first..first + run.len();
            first = lines.end;
            if run.first() == Some(&wanted) && !self.lines(chunk.lines(lines))? {
                return Ok(false);
            }
        }
        self.flush()
    }

    fn lines(&mut self, lines: &[u8]) -> Result<bool> {
        let written = self.out.write_all(lines);
        listening(written.and_then(|()| self.out.write_all(&[self.end])))
    }

    /// Sends what was written on its way; false if there is nobody left.
    fn flush(&mut self) -> Result<bool> {
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
