//! `bouquet remote`: filters on a server of Redis or Valkey. Behind the feature `remote`.

mod connect;
mod keys;
mod sheet;
mod whole;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Subcommand, ValueEnum};

use self::connect::ServerFlags;
use super::files::{AnswerFlags, KeyFlags};
use crate::output::Format;
use bouquet_files::Format as FileFormat;
use bouquet_theory as theory;

const HELP: &str = "\
Exit codes: 0 good; `check` 1 if no key was printed or counted, as grep; 2 for
an error: a server that does not answer, and a filter that was lost (evicted,
expired, flushed, replaced), which is never taken for \"definitely absent\".

Passwords come from BOUQUET_REDIS_PASSWORD (with BOUQUET_REDIS_USER), from
--password-file, or in the URL of BOUQUET_REDIS_URL. A command line is seen by
other users of the machine: a password in --url is rejected.

The hash of every scheme is public, for all who share the filter compute it:
whoever chooses keys can choose false positives. Where users choose them, add and
check a keyed hash of each, such as an HMAC.

Examples:
  export BOUQUET_REDIS_URL=redis://127.0.0.1:6379
  bouquet remote create seen --capacity 1e7 --fpr 0.001
  bouquet remote add seen urls.txt
  tail -f urls | bouquet remote check --absent seen      # those that are new
  bouquet remote dump seen -o seen.bouquet && bouquet inspect seen.bouquet";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Clone, Debug)]
enum Command {
    /// Makes an empty filter.
    Create(Create),
    /// Inserts keys.
    Add(Add),
    /// Prints the keys that a filter may contain, or those that are definitely absent.
    Check(Check),
    /// Shows scheme, size, fill, FPR now, and whether it should be rebuilt.
    Info(Info),
    /// Builds a filter again from its keys; readers see the old one or the new one.
    Rebuild(Rebuild),
    /// Deletes a filter with its settings.
    Delete(Delete),
    /// Writes a filter into a file.
    Dump(Dump),
    /// Makes a filter of a file.
    Restore(Restore),
}

/// Where a filter's keys lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Scheme {
    /// 32 neighbouring bytes per key; its dump is a file of ours.
    Native,
    /// go-zero's 14 bits per key, which Go services share.
    GoZero,
    /// Redisson's bits, which Java services share.
    Redisson,
    /// A filter of the module RedisBloom, which grows.
    Bf,
}

#[derive(clap::Args, Clone, Debug)]
struct Size {
    /// Keys to size it for (n).
    #[arg(long, value_name = "N", value_parser = theory::whole::<u64>)]
    capacity: u64,
    /// Target false-positive rate, a share.
    #[arg(long, value_name = "P", default_value = "0.01", value_parser = theory::fpr)]
    fpr: f64,
}

#[derive(clap::Args, Clone, Debug)]
struct Create {
    #[command(flatten)]
    server: ServerFlags,
    #[command(flatten)]
    size: Size,
    /// Where its keys lie.
    #[arg(long, value_enum, default_value = "native")]
    scheme: Scheme,
}

/// Keys of files.
#[derive(clap::Args, Clone, Debug)]
struct KeyFiles {
    /// Files of keys, one per line; standard input if none or `-`.
    #[arg(value_name = "KEYFILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    flags: KeyFlags,
}

#[derive(clap::Args, Clone, Debug)]
struct Add {
    #[command(flatten)]
    server: ServerFlags,
    #[command(flatten)]
    keys: KeyFiles,
}

#[derive(clap::Args, Clone, Debug)]
struct Check {
    #[command(flatten)]
    server: ServerFlags,
    #[command(flatten)]
    keys: KeyFiles,
    #[command(flatten)]
    answers: AnswerFlags,
}

#[derive(clap::Args, Clone, Debug)]
struct Info {
    #[command(flatten)]
    server: ServerFlags,
    /// How the sheet goes to standard output.
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

#[derive(clap::Args, Clone, Debug)]
struct Rebuild {
    #[command(flatten)]
    server: ServerFlags,
    #[command(flatten)]
    size: Size,
    #[command(flatten)]
    keys: KeyFiles,
}

#[derive(clap::Args, Clone, Debug)]
struct Delete {
    #[command(flatten)]
    server: ServerFlags,
}

#[derive(clap::Args, Clone, Debug)]
struct Dump {
    #[command(flatten)]
    server: ServerFlags,
    /// The file to write; `-` is standard output.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

#[derive(clap::Args, Clone, Debug)]
struct Restore {
    /// The file of a filter: native blocks, a RedisBloom chain, or a bitmap of go-zero.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    server: ServerFlags,
    /// The format of the file. [default: found from its bytes]
    #[arg(long = "as", value_enum, value_name = "FORMAT")]
    as_format: Option<FileFormat>,
    /// Bits of a bitmap of go-zero (m), which are not in it.
    #[arg(long, value_name = "M", value_parser = theory::whole::<u64>)]
    bits: Option<u64>,
}

pub fn run(args: &Args) -> Result<u8> {
    match &args.command {
        Command::Create(args) => whole::create(args),
        Command::Add(args) => keys::add(args),
        Command::Check(args) => keys::check(args),
        Command::Info(args) => sheet::info(args),
        Command::Rebuild(args) => keys::rebuild(args),
        Command::Delete(args) => whole::delete(args),
        Command::Dump(args) => whole::dump(args),
        Command::Restore(args) => whole::restore(args),
    }
}
