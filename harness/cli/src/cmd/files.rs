//! Flags and messages of the commands that work on filter files.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use anyhow::{Context, Result};

use crate::advise::share_words;
use crate::files::{Chunk, Facts, Format, Keys};
use crate::output::say;
use bouquet_report::number;

/// How keys are written in key files.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct KeyFlags {
    /// NUL ends a key, not LF.
    #[arg(short = '0', long)]
    null: bool,
    /// Keys are written in hex, so that they can be any bytes.
    #[arg(long)]
    hex: bool,
}

impl KeyFlags {
    /// The byte that ends a key.
    pub fn end(self) -> u8 {
        if self.null { 0 } else { b'\n' }
    }

    /// The keys in these files, or on standard input if there is no file.
    pub fn keys(self, files: &[PathBuf]) -> Keys {
        Keys::new(files, self.end(), self.hex)
    }
}

/// Writes lines to standard output, until the reader closes the pipe.
pub struct Lines {
    out: io::BufWriter<io::StdoutLock<'static>>,
    end: u8,
}

impl Lines {
    pub fn new(end: u8) -> Self {
        let out = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
        Self { out, end }
    }

    /// Writes the lines whose answer equals `wanted`; returns false if the reader has closed the
    /// pipe. Consecutive lines are written together.
    pub fn chosen(&mut self, chunk: &Chunk, answers: &[bool], wanted: bool) -> Result<bool> {
        let mut write = || {
            let mut first = 0;
            for run in answers.chunk_by(|one, next| one == next) {
                let lines = first..first + run.len();
                first = lines.end;
                if run.first() == Some(&wanted) {
                    self.out.write_all(chunk.lines(lines))?;
                    self.out.write_all(&[self.end])?;
                }
            }
            self.out.flush()
        };
        match write() {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
            written => written
                .map(|()| true)
                .context("cannot write to standard output"),
        }
    }
}

/// Writes a message to standard error, except with `--quiet`.
pub fn note(words: &str) {
    say(&format!("bouquet: {words}"));
}

pub fn warn_of(keys: Keys) {
    for warning in keys.warnings {
        note(&format!("warning: {warning}"));
    }
}

/// Describes a filter in one line.
pub fn in_short(format: Format, facts: &Facts) -> String {
    let (filter, bytes) = (&facts.filter, number::count(facts.size_bits.div_ceil(8)));
    let [fill, fpr] = [facts.fill_ratio, facts.estimated_fpr].map(share_words);
    format!("{format}, {filter}, {bytes} bytes of bits, {fill} full, current FPR {fpr}")
}
