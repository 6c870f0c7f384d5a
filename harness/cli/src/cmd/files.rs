//! The code that the commands on files share: flags, progress and messages.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};

use crate::output::say;
use crate::study::{ProgressBar, bar};
use bouquet_files::{self as files, Bitmap, Chunk, Facts, Format, HashKey, Keys, Opener};
use bouquet_ground::units::trimmed;
use bouquet_theory as theory;

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

    /// The keys in these files, or on standard input.
    pub fn keys(self, files: &[PathBuf]) -> Keys {
        Keys::new(files, self.end(), self.hex)
    }
}

/// The key of a hash that has one.
#[derive(clap::Args, Clone, Debug)]
pub struct SecretFlags {
    /// A file with the secret key of the hash sip-keyed: 32 hex digits, or 16 bytes.
    #[arg(long, value_name = "FILE")]
    hash_key_file: Option<PathBuf>,
}

impl SecretFlags {
    /// The key of the hash, if there is one.
    pub fn key(&self) -> Result<Option<HashKey>> {
        self.hash_key_file.as_deref().map(HashKey::read).transpose()
    }

    /// Rejects an output that cannot be written, and one that would overwrite the secret key or the
    /// files of keys.
    pub fn check_output<'f>(
        &'f self,
        output: &Path,
        keys: impl Iterator<Item = &'f Path>,
    ) -> Result<()> {
        let mut read = self.hash_key_file.as_deref().into_iter().chain(keys);
        if read.any(|path| files::is_same_file(path, output)) {
            bail!(
                "{} is a file of keys, and would be overwritten: name another --output",
                output.display()
            );
        }
        files::check_save(output)
    }
}

/// What files that are read are.
#[derive(clap::Args, Clone, Debug)]
pub struct FileFlags {
    /// The format of the file that is read. [default: recognised by its bytes]
    #[arg(long = "as", value_enum, value_name = "FORMAT")]
    as_format: Option<Format>,
    /// Bits of a bitmap from Redis (m), which are not in it.
    #[arg(long, value_name = "M", value_parser = theory::whole::<u64>)]
    bits: Option<u64>,
    /// Hashes of Redisson's bitmap (k), which are not in it.
    #[arg(long, value_name = "K", value_parser = theory::whole::<u32>)]
    hashes: Option<u32>,
    #[command(flatten)]
    pub secret_flags: SecretFlags,
}

impl FileFlags {
    /// An opener for the files; it reads the secret key only once, however many files there are.
    pub fn opener(&self) -> Result<Opener> {
        Ok(Opener {
            format: self.as_format,
            bitmap: Bitmap {
                size_bits: self.bits,
                hashes: self.hashes,
            },
            key: self.secret_flags.key()?,
        })
    }
}

/// Writes lines to standard output, whose reader may stop reading.
pub struct Lines {
    out: io::BufWriter<io::StdoutLock<'static>>,
    end: u8,
}

impl Lines {
    pub fn new(end: u8) -> Self {
        let out = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
        Self { out, end }
    }

    /// Writes the lines whose answer equals `wanted`; false if the reader has closed the pipe.
    /// Consecutive lines are written together.
    pub fn chosen(&mut self, chunk: &Chunk, answers: &[bool], wanted: bool) -> Result<bool> {
        match self.write(chunk, answers, wanted) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
            Err(error) => Err(error).context("cannot write to standard output"),
        }
    }

    fn write(&mut self, chunk: &Chunk, answers: &[bool], wanted: bool) -> io::Result<()> {
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
    }
}

/// A progress bar over bytes if standard error is a terminal. Without a known total it only counts.
pub fn progress(hidden: bool, files: &[PathBuf]) -> Result<ProgressBar> {
    let length = |path: &PathBuf| {
        let there = path.metadata().ok().filter(|there| there.is_file());
        there.map(|there| there.len())
    };
    let total: Option<u64> = files.iter().map(length).sum();
    let total = total.filter(|_| !files.is_empty());
    let style = match total {
        Some(_) => "{msg} {wide_bar} {bytes} of {total_bytes}, {eta} to go",
        None => "{msg} {spinner} {bytes}, {binary_bytes_per_sec}",
    };
    bar(hidden, total, 5, style)
}

/// Writes a message to standard error, except with `--quiet`.
pub fn note(words: &str) {
    say(&format!("bouquet: {words}"));
}

/// Prints warnings about keys that were probably read otherwise than the user meant.
pub fn warn_of(mut keys: Keys) {
    for warning in keys.take_warnings() {
        note(&format!("warning: {warning}"));
    }
}

/// A share as a percentage with three digits.
pub fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent == 0.0 || (0.001..=100.0).contains(&percent) {
        let digits = match percent {
            10.0.. => 1,
            1.0.. => 2,
            _ => 4,
        };
        format!("{} %", trimmed(&format!("{percent:.digits$}")))
    } else {
        format!("{percent:.1e} %")
    }
}

/// 9_585_059 as 9,585,059.
pub fn grouped(count: u64) -> String {
    bouquet_render::number::count(count)
}

/// Describes a filter in one line.
pub fn in_short(format: Format, facts: &Facts) -> String {
    format!(
        "{format}, {}, {} bytes of bits, {} full, FPR now {}",
        facts.filter,
        grouped(facts.size_bits.div_ceil(8)),
        percent(facts.load.fill_ratio),
        percent(facts.load.estimated_fpr)
    )
}
