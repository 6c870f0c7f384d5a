//! `bouquet union`: merges several filters into one.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use super::files::{in_short, note};
use crate::files::{self, Format, Opener};

const HELP: &str = "\
The filters must have the same variant, geometry, hash and seed; one file alone
is copied. --to writes another format with the same hashing, such as go-json
for go. For another hashing build a new filter from the keys.

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
    opener: Opener,
}

pub fn run(args: &Args) -> Result<u8> {
    let Some((first, others)) = args.files.split_first() else {
        bail!("no filter to merge");
    };
    let (mut filter, _) = args.opener.open(first)?;
    let read = filter.format();
    let to = args.to.unwrap_or(read);
    let shown = first.display();
    if !to.has_hashing_of(read) {
        bail!(
            "{shown} is {read}, which hashes keys otherwise than {to}: build it from its keys --to {to}"
        );
    }
    let secret = args.opener.secret.hash_key_file.iter();
    files::check_save(&args.output, secret.map(|key| &*key.path))?;
    for path in others {
        let (other, _) = args.opener.open(path)?;
        let united = filter.union_with(&*other).map_err(files::in_flags);
        united.with_context(|| format!("{shown} and {}", path.display()))?;
    }
    files::save(&args.output, |out| filter.write(to, out))?;
    let short = in_short(to, &filter.facts(None));
    note(&format!("{}: {short}", args.output.display()));
    Ok(0)
}
