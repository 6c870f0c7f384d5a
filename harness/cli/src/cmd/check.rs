//! `bouquet check`: which keys a filter holds.

use std::path::PathBuf;

use anyhow::Result;

use super::files::{FileFlags, KeyFlags, Lines, on_terminal, progress, warn_of};
use crate::output::{NEGATIVE, print};
use bouquet_files::Reading;

const HELP: &str = "\
Exit codes are grep's: 0 if a key was printed or counted, 1 if none was, 2 for an error.

Absent is certain; present is with the FPR of the filter, which `bouquet inspect` shows.

Examples:
  bouquet check seen.bouquet urls.txt            # those that it holds
  tail -f urls | bouquet check -v seen.bouquet   # those that are new
  bouquet check --count seen.guava urls.txt      # the hashing is that of the file";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP)]
pub struct Args {
    /// The filter; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Files of keys, one a line; standard input if none or `-`.
    #[arg(value_name = "KEYFILE")]
    keys: Vec<PathBuf>,
    /// The keys that are absent, instead of those that are present.
    #[arg(short = 'v', long)]
    absent: bool,
    /// Their number alone.
    #[arg(short, long)]
    count: bool,
    #[command(flatten)]
    file_flags: FileFlags,
    #[command(flatten)]
    key_flags: KeyFlags,
    /// No progress and no notes.
    #[arg(short, long)]
    quiet: bool,
}

pub fn run(args: &Args) -> Result<u8> {
    let from_stdin = |path: &PathBuf| path.as_os_str() == "-";
    if from_stdin(&args.file) && (args.keys.is_empty() || args.keys.iter().any(from_stdin)) {
        anyhow::bail!("the filter and the keys cannot both come by standard input");
    }
    let filter = args.file_flags.opener()?.open(&args.file)?.filter;
    let hidden = args.quiet || (on_terminal() && !args.count);
    let bar = progress(hidden, &args.keys)?.with_message("checking");
    let mut keys = Reading::new(args.key_flags.keys(&args.keys), filter.hash());
    let mut lines = Lines::new(args.key_flags.end());
    let (mut hits, mut found) = (0u64, Vec::new());
    while let Some(chunk) = keys.next_chunk()? {
        filter.contains(chunk, &mut found)?;
        hits += found.iter().filter(|found| **found != args.absent).count() as u64;
        if !args.count && !lines.chosen(chunk, &found, !args.absent)? {
            break;
        }
        bar.set_position(chunk.bytes_read());
    }
    bar.finish_and_clear();
    warn_of(&keys, args.quiet);
    if args.count {
        print(&format!("{hits}\n"))?;
    }
    Ok(if hits > 0 { 0 } else { NEGATIVE })
}
