//! `bouquet check`: which keys a filter may contain.

use std::path::PathBuf;

use anyhow::{Result, bail};

use super::files::{AnswerFlags, Answers, FileFlags, KeyFlags, progress, warn_of};
use bouquet_files::Reading;

const HELP: &str = "\
Exit codes are grep's: 0 if a key was printed or counted, 1 if none was, 2 for
an error.

Absent is certain; present is with the FPR of the filter, which `bouquet
inspect` shows.

Examples:
  bouquet check seen.bouquet urls.txt                  # those that it may contain
  tail -f urls | bouquet check --absent seen.bouquet   # those that are new
  bouquet check --count seen.guava urls.txt            # hashed as the file says";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP)]
pub struct Args {
    /// The filter; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Files of keys, one per line; standard input if none or `-`.
    #[arg(value_name = "KEYFILE")]
    keys: Vec<PathBuf>,
    #[command(flatten)]
    answer_flags: AnswerFlags,
    #[command(flatten)]
    file_flags: FileFlags,
    #[command(flatten)]
    key_flags: KeyFlags,
}

pub fn run(args: &Args) -> Result<u8> {
    let from_stdin = |path: &PathBuf| path.as_os_str() == "-";
    if from_stdin(&args.file) && (args.keys.is_empty() || args.keys.iter().any(from_stdin)) {
        bail!("-: the filter and the keys cannot both come by standard input; name a file for one");
    }
    let filter = args.file_flags.opener()?.open(&args.file)?.filter;
    let hidden = args.answer_flags.hides_bar();
    let bar = progress(hidden, &args.keys)?.with_message("checking");
    let mut keys = Reading::new(args.key_flags.keys(&args.keys), filter.hash());
    let mut answers = Answers::new(args.answer_flags, args.key_flags.end());
    let mut found = Vec::new();
    while let Some(chunk) = keys.next_chunk()? {
        filter.contains(chunk, &mut found)?;
        if !answers.take(chunk, &found)? {
            break;
        }
        bar.set_position(chunk.bytes_read());
    }
    bar.finish_and_clear();
    warn_of(&keys);
    answers.finish()
}
