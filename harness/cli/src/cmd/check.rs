//! `bouquet check`: prints the keys that a filter may contain.

use std::path::PathBuf;

use anyhow::{Result, bail};

use super::files::{KeyFlags, Lines, warn_of};
use crate::files::{Chunk, Opener};
use crate::output::{NEGATIVE, print};

const HELP: &str = "\
The exit code is 0 if a key was printed or counted, 1 if none was, 2 for an
error. A printed key may be a false positive; a key that is not printed is
absent.

Examples:
  bouquet check seen.bouquet urls.txt
  tail -f urls | bouquet check --absent seen.bouquet";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP)]
pub struct Args {
    /// The filter; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Files of keys, one per line; standard input if none or `-`.
    #[arg(value_name = "KEYFILE")]
    keys: Vec<PathBuf>,
    /// The keys that are definitely absent, instead of those that may be present.
    #[arg(long)]
    absent: bool,
    /// Their number alone.
    #[arg(short, long)]
    count: bool,
    #[command(flatten)]
    opener: Opener,
    #[command(flatten)]
    key_flags: KeyFlags,
}

pub fn run(args: &Args) -> Result<u8> {
    let from_stdin = |path: &PathBuf| path.as_os_str() == "-";
    if from_stdin(&args.file) && (args.keys.is_empty() || args.keys.iter().any(from_stdin)) {
        bail!("-: standard input cannot be both the filter and the keys: name a file for one");
    }
    let (filter, _) = args.opener.open(&args.file)?;
    let mut keys = args.key_flags.keys(&args.keys).hashed(filter.hash());
    let mut lines = Lines::new(args.key_flags.end());
    let (mut chunk, mut found, mut count) = (Chunk::default(), Vec::new(), 0);
    while keys.fill(&mut chunk)? {
        filter.contains(&chunk, &mut found)?;
        count += found.iter().filter(|found| **found != args.absent).count();
        if !args.count && !lines.chosen(&chunk, &found, !args.absent)? {
            break;
        }
    }
    warn_of(keys);
    // This releases the lock on standard output.
    drop(lines);
    if args.count {
        print(&format!("{count}\n"))?;
    }
    Ok(if count > 0 { 0 } else { NEGATIVE })
}
