//! What the commands on files have in common: flags, progress, words.

mod answers;
mod lines;
mod verdict;

use std::{
    io::{self, IsTerminal},
    path::{Path, PathBuf},
};

use anyhow::{Result, bail};

use crate::output::say;
use crate::study::{ProgressBar, bar};
use bouquet_files::{self as files, Bitmap, Facts, Format, HashKey, Keys, Opened, Reading};
use bouquet_ground::units::trimmed;
use bouquet_theory as theory;

pub use self::{
    answers::{AnswerFlags, Answers},
    lines::Lines,
    verdict::{MemberFlags, Verdict},
};

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
    /// What ends a key.
    pub fn end(self) -> u8 {
        if self.null { 0 } else { b'\n' }
    }

    /// The keys of these files, or of standard input.
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
    /// The key, if there is one.
    pub fn key(&self) -> Result<Option<HashKey>> {
        self.hash_key_file.as_deref().map(HashKey::read).transpose()
    }

    /// Rejects an output in the place of the key, without which it could never be asked.
    pub fn check_output(&self, output: &Path) -> Result<()> {
        match &self.hash_key_file {
            Some(key) if files::is_same_file(key, output) => bail!(
                "{} is the file of the secret key, and would be overwritten: name another --output",
                output.display()
            ),
            _ => Ok(()),
        }
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
    /// What opens files: the key is read once, however many there are.
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

/// Opens files of which all this is so.
pub struct Opener {
    format: Option<Format>,
    bitmap: Bitmap,
    key: Option<HashKey>,
}

impl Opener {
    /// Opens a file.
    pub fn open(&self, path: &Path) -> Result<Opened> {
        self.open_for_inspection(path)?.asked(path)
    }

    /// The same of one that need not answer for keys.
    pub fn open_for_inspection(&self, path: &Path) -> Result<Opened> {
        bouquet_files::open_for_inspection(path, self.format, self.bitmap, self.key.as_ref())
    }
}

/// The format to write a filter in that was read as another, if there is a way.
pub fn format_to_write(path: &Path, read: Format, asked: Option<Format>) -> Result<Format> {
    let format = asked.unwrap_or(read);
    if !format.has_hashing_of(read) {
        bail!(
            "{} is {read}, and its keys have other bits in {format}: build it again of its keys \
             with --to {format}",
            path.display()
        );
    }
    Ok(format)
}

/// A bar over bytes on a terminal, nothing elsewhere. Without a total it counts.
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

/// Says something on standard error, unless it is to be quiet.
pub fn note(words: &str) {
    say(&format!("bouquet: {words}"));
}

/// What is probably not meant, of the keys that were read.
pub fn warn_of(keys: &Reading) {
    for warning in keys.warnings() {
        note(&format!("warning: {warning}"));
    }
}

/// Whether standard output is looked at.
pub fn on_terminal() -> bool {
    io::stdout().is_terminal()
}

/// A share as a percentage of three digits.
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

/// A filter in one line.
pub fn in_short(format: Format, facts: &Facts) -> String {
    format!(
        "{format}, {}, {} bytes of bits, {} full, FPR now {}",
        facts.filter,
        grouped(facts.size_bits.div_ceil(8)),
        percent(facts.load.fill_ratio),
        percent(facts.load.estimated_fpr)
    )
}
