//! `bouquet inspect`: what is in a file.

mod sheet;

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::files::{FileFlags, MemberFlags, Opener, Verdict, note, percent};
use crate::output::{Format, NEGATIVE, UNUSABLE, screen, tell_error};
use bouquet_files::{Facts, Format as FileFormat};
use bouquet_ground::Outcome;
use bouquet_render::terminal;
use bouquet_theory as theory;

const HELP: &str = "\
The format is recognised by the bytes: native, go, go-json, guava, parquet and
redisbloom have a structure. Bitmaps from Redis have none: give --as go-zero
--bits M, or --as redisson --bits M --hashes K.

FPRs and fills are shares: 0.01 is 1 %. The estimates are from the slots.
--fail-above-*, and --keys where one is absent, exit with 1, for cron and CI;
the sheet is printed all the same. The formats of others have no checksum: a
file that was zeroed out or changed is readable, and --keys shows it.

Examples:
  bouquet inspect seen.bouquet
  bouquet inspect --fpr 0.001 seen.go                   # keys left until 0.1 %
  bouquet inspect --fail-above-fpr 0.02 *.bouquet --format csv
  bouquet inspect --keys urls.txt --fail-above-fpr 0.02 seen.guava    # in CI";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP)]
pub struct Args {
    /// The filters; `-` is standard input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    member_flags: MemberFlags,
    #[command(flatten)]
    file_flags: FileFlags,
    /// The target FPR for the keys left. [default: that of the file]
    #[arg(long, value_name = "P", value_parser = theory::fpr)]
    fpr: Option<f64>,
    /// Exit with 1 if the FPR now is above this.
    #[arg(long, value_name = "P", value_parser = theory::fpr)]
    fail_above_fpr: Option<f64>,
    /// Exit with 1 if the share of slots in use is above this.
    #[arg(long, value_name = "F", value_parser = theory::fpr)]
    fail_above_fill: Option<f64>,
    /// How the sheet goes to standard output.
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

/// A file that was looked at.
pub struct Seen {
    pub path: String,
    pub file_bytes: u64,
    pub format: FileFormat,
    pub verdict: Verdict,
    pub facts: Facts,
}

pub fn run(args: &Args) -> Result<u8> {
    let opener = args.file_flags.opener()?;
    args.member_flags.check(args.files.len())?;
    let (mut all, mut unusable) = (Vec::new(), false);
    for path in &args.files {
        match inspect_one(args, &opener, path) {
            Ok(seen) => all.push(seen),
            Err(error) => {
                tell_error(&error);
                unusable = true;
            }
        }
    }
    let bad = |seen: &Seen| failure(args, seen).map(|why| format!("{}: {why}", seen.path));
    let bad: Vec<String> = all.iter().filter_map(bad).collect();
    let is_judged =
        args.fail_above_fpr.or(args.fail_above_fill).is_some() || args.member_flags.is_given();
    let verdict = is_judged.then(|| Outcome::fails_if(!bad.is_empty()));
    if !all.is_empty() {
        let table = sheet::table(&all);
        // A list a file for people, a line a file else.
        args.format.print(&match args.format {
            Format::Table => terminal::lists(&table, screen()).join("\n"),
            format => format.text(&table, verdict)?,
        })?;
    }
    bad.iter().for_each(|words| note(words));
    Ok(match (unusable, bad.is_empty()) {
        (true, _) => UNUSABLE,
        (false, false) => NEGATIVE,
        (false, true) => 0,
    })
}

fn inspect_one(args: &Args, opener: &Opener, path: &Path) -> Result<Seen> {
    let opened = args.member_flags.open(opener, path)?;
    let facts = opened.facts(args.fpr);
    Ok(Seen {
        path: path.display().to_string(),
        file_bytes: opened.file_bytes,
        format: opened.filter.format(),
        verdict: args
            .member_flags
            .verdict(path, &opened, facts.load.fill_ratio)?,
        facts,
    })
}

/// Why the exit code is 1: a key that is absent, or what is above the bounds.
fn failure(args: &Args, seen: &Seen) -> Option<String> {
    if let Verdict::Lacks(_) = &seen.verdict {
        return Some(seen.verdict.words());
    }
    let load = &seen.facts.load;
    let above = |name: &str, found: f64, most: Option<f64>| {
        let most = most.filter(|most| found > *most)?;
        Some(format!(
            "{name} {} is above {}",
            percent(found),
            percent(most)
        ))
    };
    let fpr = above("FPR", load.estimated_fpr, args.fail_above_fpr);
    let fill = above("fill", load.fill_ratio, args.fail_above_fill);
    let all: Vec<String> = fpr.into_iter().chain(fill).collect();
    (!all.is_empty()).then(|| format!("{}; build it for more keys", all.join(", ")))
}
