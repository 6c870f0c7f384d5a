//! `bouquet union`: merges several filters into one.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use super::files::{FileFlags, in_short, note};
use bouquet_files::{self as files, Format};

const HELP: &str = "\
Only filters whose bits mean the same keys are united: of one variant, geometry,
hash and seed. What differs is named. Of one file alone it makes a copy.

--to writes another format of the same hashing, such as go-json for go. There is
no way to another hashing: a filter has no keys in it to hash again. Build a new
one of the keys.

Examples:
  bouquet union -o all.bouquet monday.bouquet tuesday.bouquet
  bouquet union --to go-json -o seen.json seen.go";

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
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Option<Format>,
    #[command(flatten)]
    file_flags: FileFlags,
}

pub fn run(args: &Args) -> Result<u8> {
    let Some((first, others)) = args.files.split_first() else {
        bail!("no filter to unite");
    };
    let opener = args.file_flags.opener()?;
    let mut filter = opener.open(first)?.filter;
    let read = filter.format();
    let to = args.to.unwrap_or(read);
    if !to.has_hashing_of(read) {
        bail!(
            "{} is {read}, and its keys have other bits in {to}: build it again of its keys with \
             --to {to}",
            first.display()
        );
    }
    let secret = &args.file_flags.secret_flags;
    secret.check_output(&args.output, [].into_iter())?;
    for path in others {
        let other = opener.open(path)?.filter;
        filter
            .union_with(&*other)
            .with_context(|| format!("{} and {}", first.display(), path.display()))?;
    }
    files::save(&args.output, |out| filter.write(to, out))?;
    let short = in_short(to, &filter.facts(None));
    note(&format!("{}: {short}", args.output.display()));
    Ok(0)
}
