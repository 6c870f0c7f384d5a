//! Key files as streams: one key per line, bytes kept as they are.

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

use super::{Chunk, chunk::Hash, hex::unhex_all};

/// The number of bytes read at a time.
const CHUNK: usize = 1 << 18;

const STANDARD_INPUT: &str = "standard input";

/// The lines of files. Only one chunk of them is in memory, and the beginning of the next line; a
/// line longer than a chunk is in memory as a whole.
pub struct Keys {
    /// The files still to be read, in reverse order.
    files: Vec<PathBuf>,
    /// The file that is being read, and its name.
    now: Option<(Box<dyn Read + Send>, String)>,
    /// The byte that ends a key.
    end: u8,
    hex: bool,
    /// Hashes the keys of each chunk.
    hash: Option<Arc<Hash>>,
    /// The beginning of a line whose end has not been read yet.
    begun: Vec<u8>,
    /// The number of lines read from this file, and whether all of them ended in CR.
    lines: u64,
    all_end_in_cr: bool,
    warnings: Vec<String>,
    /// The bytes read from the files, which may be compressed.
    bytes_read: Arc<AtomicU64>,
    /// The largest length of a line in bytes.
    longest: usize,
}

/// A reader that counts the bytes that it reads.
struct Measured<R> {
    reader: R,
    bytes: Arc<AtomicU64>,
}

impl<R: Read> Read for Measured<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.bytes.fetch_add(count as u64, Relaxed);
        Ok(count)
    }
}

impl Keys {
    /// The keys in these files, or on standard input if there are none; `-` stands for standard
    /// input too. With `hex`, each line is the key's bytes in hex.
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
            hash: None,
            begun: Vec::new(),
            lines: 0,
            all_end_in_cr: true,
            warnings: Vec::new(),
            bytes_read: Arc::default(),
            longest: LONGEST,
        }
    }

    /// Also computes the hashes of the keys in each chunk.
    pub fn hashed(self, hash: Option<Arc<Hash>>) -> Self {
        Self { hash, ..self }
    }

    /// Counts the keys in the files before the first is read; duplicates count. `each` is called
    /// with the number of bytes read.
    ///
    /// # Errors
    ///
    /// As for [`fill`](Self::fill), and if a file cannot be read twice.
    pub fn count(&self, mut each: impl FnMut(u64)) -> Result<u64> {
        if let Some(once) = once(&self.files) {
            bail!(
                "{once} cannot be read twice, to count the keys first: give --capacity, or take \
                 --filter scalable, which grows"
            );
        }
        let files: Vec<_> = self.files.iter().rev().cloned().collect();
        let mut lines = Self::new(&files, self.end, false);
        let (mut total, mut chunk) = (0, Chunk::default());
        while lines.fill(&mut chunk)? {
            total += chunk.len() as u64;
            each(chunk.bytes_read);
        }
        Ok(total)
    }

    /// Replaces the contents of the chunk by the lines from one read, or by the last line of a
    /// file; false at the end. Reads no further than it needs for one complete line.
    ///
    /// # Errors
    ///
    /// A file cannot be read, is a native filter, or is not hex as it should be; or a line is
    /// longer than 16 MiB or than the available memory.
    pub fn fill(&mut self, chunk: &mut Chunk) -> Result<bool> {
        chunk.clear();
        let Some(upto) = self.read_lines(&mut chunk.bytes)? else {
            return Ok(false);
        };
        let bytes = &chunk.bytes[..upto];
        chunk.ends.extend(memchr::memchr_iter(self.end, bytes));
        // The end of the last line begins no new line, and may be missing.
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
        if let Some(hash) = &self.hash {
            chunk.hash(&**hash);
        }
        Ok(true)
    }

    /// Warnings about the files read so far that were probably read otherwise than the user meant.
    pub fn take_warnings(&mut self) -> Vec<String> {
        mem::take(&mut self.warnings)
    }

    /// Reads until there is a complete line, beginning with the rest of the previous read; returns
    /// the number of bytes that are complete lines, or `None` at the end.
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
            if self.lines == 0 && buffer[..filled + count].starts_with(MARK) {
                let name = self.name();
                bail!(
                    "{name} is a filter (native): its keys are not in it; give the file of the keys"
                );
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

    /// Makes room for a chunk after the first `filled` bytes, which belong to an unfinished line.
    fn make_room(&self, buffer: &mut Vec<u8>, filled: usize) -> Result<()> {
        let (have, needed) = (buffer.len(), filled + CHUNK);
        if have >= needed {
            return Ok(());
        }
        let wanted = needed.max((2 * filled).min(self.longest));
        let granted = buffer.try_reserve_exact(wanted - have).is_ok();
        if filled > self.longest || !granted {
            let (name, line) = (self.name(), self.lines + 1);
            let (end, other) = match self.end {
                0 => ("NUL", "try it without -0"),
                _ => ("LF", "if NUL does, give -0"),
            };
            let why = match granted {
                true => "longer than any key",
                false => "no memory for more",
            };
            bail!(
                "{name}, line {line}: {why} after {filled} bytes without an end; {end} ends a key \
                 here: {other}"
            );
        }
        buffer.resize(wanted, 0);
        Ok(())
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let Some((reader, name)) = &mut self.now else {
            return Ok(0);
        };
        loop {
            match reader.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read.with_context(|| no_keys(name)),
            }
        }
    }

    /// The name of the file that is being read.
    fn name(&self) -> &str {
        self.now.as_ref().map_or("", |(_, name)| name)
    }

    /// Opens the next file; false if there is none.
    fn open(&mut self) -> Result<bool> {
        let Some(path) = self.files.pop() else {
            return Ok(false);
        };
        let (reader, name): (Box<dyn Read + Send>, _) = match path.as_os_str() == "-" {
            true => (Box::new(io::stdin()), STANDARD_INPUT.to_owned()),
            false => {
                let name = path.display().to_string();
                let file = File::open(&path).with_context(|| no_keys(&name))?;
                (Box::new(file), name)
            }
        };
        let bytes = self.bytes_read.clone();
        let reader = unpacked(Measured { reader, bytes }).with_context(|| no_keys(&name))?;
        self.now = Some((reader, name));
        (self.lines, self.all_end_in_cr) = (0, true);
        Ok(true)
    }

    fn close(&mut self) {
        if let Some((_, name)) = self.now.take()
            && self.lines > 0
            && self.all_end_in_cr
        {
            self.warnings.push(format!(
                "{name}: every line ends in CR, as files from Windows do; the CR is taken as part \
                 of the key"
            ));
        }
    }
}

/// The first bytes of a native file, up to a byte that would end a line.
const MARK: &[u8] = MAGIC.split_at(6).0;

fn no_keys(name: &str) -> String {
    format!("cannot read the keys in {name}")
}

/// The first of these files that cannot be read twice.
pub fn once(files: &[PathBuf]) -> Option<String> {
    // A missing file or a folder is reported when it is read.
    let is_again = |path: &PathBuf| {
        let there = path.metadata();
        there.map_or(true, |there| there.is_file() || there.is_dir())
    };
    let mut once = files
        .iter()
        .filter(|path| path.as_os_str() == "-" || !is_again(path));
    match once.next() {
        Some(path) if path.as_os_str() != "-" => Some(path.display().to_string()),
        None if !files.is_empty() => None,
        _ => Some(STANDARD_INPUT.into()),
    }
}
