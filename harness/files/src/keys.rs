//! Key files as streams: one key per line, bytes kept as they are.

mod count;
mod opened;
mod reading;
#[cfg(test)]
mod tests;

use std::{
    fs::File,
    io::{self, Read},
    mem,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use anyhow::{Context, Result, bail};
use bouquet_format::MAGIC;
use bouquet_ground::key_file::{LONGEST, unpacked};

use self::opened::{Measured, NO_KEYS, STANDARD_INPUT, no_keys, open};
use super::{Chunk, hex::unhex_all};

pub use self::{count::once, reading::Reading};

/// Bytes that are read at a time.
const CHUNK: usize = 1 << 18;

/// The lines of files. One chunk of them is in memory, and what was read of the next
/// line; a longer line is in memory as a whole.
pub struct Keys {
    /// The files to come, last first.
    files: Vec<PathBuf>,
    /// The one that is read.
    now: Option<Now>,
    /// What ends a key.
    end: u8,
    hex: bool,
    /// The beginning of a line, whose end is still to be read.
    begun: Vec<u8>,
    /// Lines of this file, and whether all of them ended in CR.
    lines: u64,
    all_end_in_cr: bool,
    warnings: Vec<String>,
    /// Of the files as they are, packed or not.
    bytes_read: Arc<AtomicU64>,
    /// The most bytes of a line.
    longest: usize,
}

/// The file that is read.
struct Now {
    reader: Box<dyn Read + Send>,
    name: String,
}

impl Keys {
    /// The keys of these files, or of standard input if there are none; `-` is
    /// standard input too. With `hex` a line is the key's bytes in hex.
    pub fn new(files: &[PathBuf], end: u8, hex: bool) -> Self {
        let mut files: Vec<_> = files.iter().rev().cloned().collect();
        if files.is_empty() {
            files.push("-".into());
        }
        Self {
            files,
            now: None,
            end,
            hex,
            begun: Vec::new(),
            lines: 0,
            all_end_in_cr: true,
            warnings: Vec::new(),
            bytes_read: Arc::default(),
            longest: LONGEST,
        }
    }

    fn standard_input(&self) -> Result<Box<dyn Read + Send>> {
        unpacked(self.measured(io::stdin())).with_context(|| no_keys(STANDARD_INPUT))
    }

    fn measured(&self, reader: impl Read + Send + 'static) -> Box<dyn Read + Send> {
        let bytes = self.bytes_read.clone();
        Box::new(Measured { reader, bytes })
    }

    /// The lines that one read brings, or what is left of the last file, in place of
    /// what was in the chunk; false at the end. Waits for no more than it needs for one
    /// line.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, that is a filter, that is not hex, or that has
    /// a line for which there is no memory or that is longer than 16 MiB.
    pub fn fill(&mut self, chunk: &mut Chunk) -> Result<bool> {
        chunk.clear();
        let Some(upto) = self.read_lines(&mut chunk.bytes)? else {
            return Ok(false);
        };
        let bytes = &chunk.bytes[..upto];
        chunk.ends.extend(memchr::memchr_iter(self.end, bytes));
        // The end of the last line is no line, and may be missing.
        if bytes.last() != Some(&self.end) {
            chunk.ends.push(upto);
        }
        let first = self.lines + 1;
        self.lines += chunk.len() as u64;
        let in_cr = |line| chunk.lines(line..line + 1).ends_with(b"\r");
        self.all_end_in_cr = self.all_end_in_cr && (0..chunk.len()).all(in_cr);
        chunk.bytes_read = self.bytes_read.load(Relaxed);
        if self.hex {
            chunk.decoded = Some(unhex_all(chunk.keys(), upto, self.name(), first)?);
        }
        Ok(true)
    }

    /// What is probably not meant, of the files that are done.
    pub fn take_warnings(&mut self) -> Vec<String> {
        mem::take(&mut self.warnings)
    }

    /// Reads until there is a whole line, after what is left of the read before; how
    /// many bytes are whole lines.
    fn read_lines(&mut self, buffer: &mut Vec<u8>) -> Result<Option<usize>> {
        let mut filled = self.begun.len();
        self.make_room(buffer, filled)?;
        buffer[..filled].copy_from_slice(&self.begun);
        self.begun.clear();
        loop {
            if self.now.is_none() && !self.open()? {
                return Ok(None);
            }
            self.make_room(buffer, filled)?;
            let count = self.read(&mut buffer[filled..])?;
            if self.lines == 0 && filled < MARK.len() {
                self.reject_a_mark(&buffer[..filled + count])?;
            }
            if count == 0 {
                if filled > 0 {
                    return Ok(Some(filled));
                }
                self.close();
                continue;
            }
            let new = &buffer[filled..filled + count];
            if let Some(last) = memchr::memrchr(self.end, new) {
                self.begun.extend_from_slice(&new[last + 1..]);
                return Ok(Some(filled + last + 1));
            }
            filled += count;
        }
    }

    /// Makes room for a chunk after the first `filled` bytes, of a line that has not
    /// ended.
    fn make_room(&self, buffer: &mut Vec<u8>, filled: usize) -> Result<()> {
        let (have, needed) = (buffer.len(), filled + CHUNK);
        if have >= needed {
            return Ok(());
        }
        let wanted = needed.max((2 * filled).min(self.longest));
        let granted = buffer.try_reserve_exact(wanted - have).is_ok();
        if filled > self.longest || !granted {
            let name = self.name();
            let (end, other) = match self.end {
                0 => ("NUL", "try it without -0"),
                _ => ("LF", "if NUL does, give -0"),
            };
            bail!(
                "{name}, line {}: {} after {filled} bytes without an end; {end} ends a key here: \
                 {other}",
                self.lines + 1,
                if granted {
                    "longer than any key"
                } else {
                    "no memory for more"
                },
            );
        }
        buffer.resize(wanted, 0);
        Ok(())
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let Some(Now { reader, name, .. }) = &mut self.now else {
            return Ok(0);
        };
        loop {
            match reader.read(buffer) {
                Ok(count) => return Ok(count),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    return Err(error).with_context(|| no_keys(name));
                }
            }
        }
    }

    /// The name of the file that is read.
    fn name(&self) -> &str {
        self.now.as_ref().map_or("", |now| &now.name)
    }

    /// Opens the next file; false if there is none.
    fn open(&mut self) -> Result<bool> {
        let Some(path) = self.files.pop() else {
            return Ok(false);
        };
        let name = path.display().to_string();
        self.now = Some(match path.as_os_str() == "-" {
            true => Now {
                reader: self.standard_input()?,
                name: STANDARD_INPUT.to_owned(),
            },
            false => {
                let file = File::open(&path).with_context(|| no_keys(&name))?;
                let reader = open(file, &name, &self.bytes_read)?;
                Now { reader, name }
            }
        });
        (self.lines, self.all_end_in_cr) = (0, true);
        Ok(true)
    }

    fn close(&mut self) {
        let Some(Now { name, .. }) = self.now.take() else {
            return;
        };
        if self.lines > 0 && self.all_end_in_cr {
            self.warnings.push(format!(
                "{name}: every line ends in CR, as files from Windows do; the CR is taken as part \
                 of the key"
            ));
        }
    }

    /// Rejects a filter of ours by a pipe, by how it begins.
    fn reject_a_mark(&self, begin: &[u8]) -> Result<()> {
        match &self.now {
            Some(Now { name, .. }) if begin.starts_with(MARK) => {
                bail!("{name} is a filter (native): {NO_KEYS}")
            }
            _ => Ok(()),
        }
    }
}

/// How a file of ours begins, up to what would be the end of a line.
const MARK: &[u8] = MAGIC.split_at(6).0;
