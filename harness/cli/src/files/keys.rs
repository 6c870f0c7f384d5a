//! Reads files of keys as streams, one key per line. The bytes of a key are kept as they are.

#[cfg(test)]
mod tests;

use std::{
    fs::File,
    io::{self, BufRead, BufReader, ErrorKind, Read},
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context, Result, bail};
use bouquet_catalogue as catalogue;
use bouquet_format::MAGIC;
use bouquet_record::key_file::{LONGEST, unpacked};

use super::{Chunk, chunk::Hash};

/// The number of bytes read at a time.
const CHUNK: usize = 1 << 18;

const STANDARD_INPUT: &str = "standard input";

/// The first bytes of a filter file of ours, by which a filter among the key files is detected.
const MARK: &[u8] = MAGIC.split_at(6).0;

/// Reads the lines of files. Only one chunk of lines and the beginning of the next line are in
/// memory; a line longer than a chunk is in memory as a whole.
#[derive(Default)]
pub struct Keys {
    /// The files still to be read, in reverse order.
    files: Vec<PathBuf>,
    /// The file that is being read.
    now: Option<BufReader<Box<dyn Read + Send>>>,
    /// The name of the file that is being read.
    name: String,
    /// The byte that ends a key.
    end: u8,
    hex: bool,
    /// Hashes the keys of each chunk.
    hash: Option<Arc<Hash>>,
    /// The beginning of a line whose end has not been read yet.
    begun: Vec<u8>,
    /// The number of lines read from the current file, and whether any of them did not end in CR.
    lines: u64,
    some_end_otherwise: bool,
    /// Warnings for the user, such as that every line of a file ends in CR.
    pub warnings: Vec<String>,
    /// The maximum length of a line, in bytes.
    longest: usize,
}

impl Keys {
    /// Reads keys from these files; `-` or an empty list means standard input. With `hex`, each
    /// line is a key in hex digits.
    pub fn new(files: &[PathBuf], end: u8, hex: bool) -> Self {
        let mut files: Vec<_> = files.iter().rev().cloned().collect();
        if files.is_empty() {
            files.push("-".into());
        }
        Self {
            files,
            end,
            hex,
            longest: LONGEST,
            ..Self::default()
        }
    }

    /// Also hashes the keys in each chunk with this function.
    pub fn hashed(self, hash: Option<Arc<Hash>>) -> Self {
        Self { hash, ..self }
    }

    /// Counts the keys in all files, including duplicates. The keys can still be read afterwards.
    ///
    /// # Errors
    ///
    /// As for [`fill`](Self::fill), and if a file cannot be read twice.
    pub fn count(&self) -> Result<u64> {
        if let Some(once) = once(&self.files) {
            let growing = catalogue::facts().into_iter().find(|facts| facts.grows);
            let growing = growing.map_or("", |facts| facts.name);
            bail!(
                "{once} cannot be read twice, to count the keys first: give --capacity, or take \
                 --filter {growing}, which grows"
            );
        }
        let files: Vec<_> = self.files.iter().rev().cloned().collect();
        let mut lines = Self::new(&files, self.end, false);
        let (mut total, mut chunk) = (0, Chunk::default());
        while lines.fill(&mut chunk)? {
            total += chunk.len() as u64;
        }
        Ok(total)
    }

    /// Replaces the contents of the chunk by the next lines; returns false if there are no more.
    /// Stops reading as soon as there is at least one complete line.
    ///
    /// # Errors
    ///
    /// A file cannot be read, is a filter file of ours, or is not hex although `hex` is set; or a
    /// line is longer than 16 MiB.
    pub fn fill(&mut self, chunk: &mut Chunk) -> Result<bool> {
        chunk.clear();
        if !self.read_lines(&mut chunk.bytes)? {
            return Ok(false);
        }
        let ends = memchr::memchr_iter(self.end, &chunk.bytes);
        chunk.ends.extend(ends);
        // The last line of a file may lack its line end.
        if chunk.bytes.last() != Some(&self.end) {
            chunk.ends.push(chunk.bytes.len());
        }
        let first = self.lines + 1;
        self.lines += chunk.len() as u64;
        let in_cr = |line| chunk.lines(line..line + 1).ends_with(b"\r");
        self.some_end_otherwise |= !(0..chunk.len()).all(in_cr);
        if self.hex {
            let (mut decoded, mut ends) = (Vec::new(), Vec::new());
            for (line, number) in chunk.keys().zip(first..) {
                let name = &self.name;
                unhex(line, &mut decoded).with_context(|| format!("{name}, line {number}"))?;
                ends.push(decoded.len());
            }
            chunk.decoded = Some((decoded, ends));
        }
        if let Some(hash) = &self.hash {
            chunk.hash(&**hash);
        }
        Ok(true)
    }

    /// Reads until `bytes` has a complete line or the file ends; returns false if there is nothing
    /// left. `bytes` begins with the incomplete line that the previous read left.
    fn read_lines(&mut self, bytes: &mut Vec<u8>) -> Result<bool> {
        bytes.append(&mut self.begun);
        loop {
            let Some(reader) = &mut self.now else {
                let Some(path) = self.files.pop() else {
                    return Ok(false);
                };
                self.open(&path)?;
                continue;
            };
            let new = match reader.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                read => read.with_context(|| no_keys(&self.name))?,
            };
            let count = new.len();
            let whole = memchr::memrchr(self.end, new).map_or(0, |last| last + 1);
            let upto = if whole > 0 { whole } else { count };
            bytes.extend_from_slice(&new[..upto]);
            self.begun.extend_from_slice(&new[upto..]);
            reader.consume(count);
            let name = &self.name;
            if self.lines == 0 && bytes.starts_with(MARK) {
                bail!("{name} is a filter (native), not its keys: give the file of the keys");
            }
            if whole > 0 || count == 0 && !bytes.is_empty() {
                return Ok(true);
            }
            if count == 0 {
                self.close();
            } else if bytes.len() > self.longest {
                let (line, end) = (self.lines + 1, if self.end == 0 { "NUL" } else { "LF" });
                bail!("{name}, line {line}: longer than any key, without {end}: check -0");
            }
        }
    }

    fn open(&mut self, path: &Path) -> Result<()> {
        let is_stdin = path.as_os_str() == "-";
        self.name = match is_stdin {
            true => STANDARD_INPUT.to_owned(),
            false => path.display().to_string(),
        };
        let open = || -> Result<Box<dyn Read + Send>> {
            unpacked(match is_stdin {
                true => Box::new(io::stdin()) as Box<dyn Read + Send>,
                false => Box::new(File::open(path)?),
            })
        };
        let reader = open().with_context(|| no_keys(&self.name))?;
        self.now = Some(BufReader::with_capacity(CHUNK, reader));
        (self.lines, self.some_end_otherwise) = (0, false);
        Ok(())
    }

    fn close(&mut self) {
        self.now = None;
        if self.lines > 0 && !self.some_end_otherwise {
            let words =
                "every line ends in CR, as in files from Windows, and the CR is part of each key";
            self.warnings.push(format!("{}: {words}", self.name));
        }
    }
}

fn no_keys(name: &str) -> String {
    format!("cannot read the keys in {name}")
}

/// Decodes a line of hex digits and appends the bytes.
pub fn unhex(line: &[u8], decoded: &mut Vec<u8>) -> Result<()> {
    let digit = |byte: u8| (byte as char).to_digit(16).map(|digit| digit as u8);
    let (pairs, odd) = line.as_chunks::<2>();
    let byte = |[high, low]: &[u8; 2]| Some(16 * digit(*high)? + digit(*low)?);
    match pairs.iter().map(byte).collect::<Option<Vec<u8>>>() {
        Some(bytes) if odd.is_empty() => decoded.extend(bytes),
        _ if line.ends_with(b"\r") => {
            bail!("not hex: the line ends in CR, as in files from Windows: remove it (tr -d '\\r')")
        }
        _ => bail!(
            "not hex: give an even number of digits 0-9 and a-f, two per byte, or leave out --hex"
        ),
    }
    Ok(())
}

/// The name of the first file that cannot be read twice, such as a pipe.
pub fn once(files: &[PathBuf]) -> Option<String> {
    // A missing file or a folder does not count here: it is reported when it is read.
    let is_once = |path: &&PathBuf| {
        let there = path.metadata();
        there.is_ok_and(|there| !there.is_file() && !there.is_dir())
    };
    if files.is_empty() || files.iter().any(|path| path.as_os_str() == "-") {
        return Some(STANDARD_INPUT.into());
    }
    Some(files.iter().find(is_once)?.display().to_string())
}
