//! `bouquet fold`: a filter with room to spare, made smaller.

use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};

use super::files::{FileFlags, format_to_write, in_short, note, percent};
use crate::output::NEGATIVE;
use bouquet_files::{self as files, Format};
use bouquet_theory as theory;

const HELP: &str = "\
Each halving makes one slot (or block) of two neighbours: every key stays, and
the FPR rises. It goes on while the FPR that the bits give stays at or below
--fpr. Exit code 1, and no file, if not even the first half does.

standard, partitioned, blocked and sharded filters can be halved, and Parquet's,
as long as the number of bits or blocks is even: one that is to be halved is
best built with --bits and a power of two.

Example:
  bouquet fold --fpr 0.01 -o small.bouquet large.bouquet";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP)]
pub struct Args {
    /// The filter.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The file to write; `-` is standard output.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The FPR that is not to be passed. [default: the target that the file has]
    #[arg(long, value_name = "P", value_parser = theory::fpr)]
    fpr: Option<f64>,
    /// The format of the file that is written, of the same hashing. [default: that of the file]
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Option<Format>,
    #[command(flatten)]
    file_flags: FileFlags,
}

pub fn run(args: &Args) -> Result<u8> {
    let shown = args.file.display();
    let filter = args.file_flags.opener()?.open(&args.file)?.filter;
    let to = format_to_write(&args.file, filter.format(), args.to)?;
    args.file_flags.secret_flags.check_output(&args.output)?;
    files::check_save(&args.output)?;
    let before = filter.facts(None);
    let Some(fpr) = args.fpr.or(before.target_fpr) else {
        bail!(
            "{shown}: a {} file has no target FPR: give --fpr",
            filter.format()
        );
    };
    let filter = filter
        .fold_to(fpr)
        .map_err(|error| anyhow!("{shown}: {error:#}; build a smaller one of its keys"))?;
    let after = filter.facts(None);
    if after.size_bits == before.size_bits {
        note(&format!(
            "{shown}: not halved, and nothing written: half of it would pass the FPR of {}; \
             give a higher --fpr",
            percent(fpr)
        ));
        return Ok(NEGATIVE);
    }
    files::save(&args.output, |out| filter.write(to, out))?;
    let short = in_short(to, &after);
    note(&format!(
        "{}: {} of its size; {short}",
        args.output.display(),
        percent(after.size_bits as f64 / before.size_bits.max(1) as f64)
    ));
    Ok(0)
}
