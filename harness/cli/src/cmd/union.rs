//! `bouquet union`: one filter of several.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use super::files::{FileFlags, in_short, note};
use bouquet_files::{self as files, Format};

const HELP: &str = "\
Only filters whose bits mean the same keys are united: of one variant, geometry, hash and seed.
What differs is named. Of one file alone it makes a copy.

--format writes another format of the same hashing, go as go-json say. There is no way to another
hashing: a filter has no keys in it to hash again. Build a new one of the keys.

Examples:
  bouquet union -o all.bouquet monday.bouquet tuesday.bouquet
  bouquet union --format go-json -o seen.json seen.go";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP)]
pub struct Args {
    /// The filters.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The file to write; `-` is standard output.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The format of the file that is written. [default: that of the first]
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    file_flags: FileFlags,
    /// No notes.
    #[arg(short, long)]
    quiet: bool,
}

pub fn run(args: &Args) -> Result<u8> {
    let Some((first, others)) = args.files.split_first() else {
        bail!("no filter to unite");
    };
    let opener = args.file_flags.opener()?;
    let mut filter = opener.open(first)?.filter;
    let format = args.format.unwrap_or(filter.format());
    if !format.has_hashing_of(filter.format()) {
        bail!(
            "{} is {}, and its keys have other bits in {format}: they would have to be hashed \
             again, and they are not in it; build it of the keys with --format {format}",
            first.display(),
            filter.format()
        );
    }
    for path in others {
        let other = opener.open(path)?.filter;
        filter
            .union_with(&*other)
            .with_context(|| format!("{} and {}", first.display(), path.display()))?;
    }
    files::save(&args.output, |out| filter.write(format, out))?;
    let short = in_short(format, &filter.facts(None));
    note(args.quiet, &format!("{}: {short}", args.output.display()));
    Ok(0)
}
