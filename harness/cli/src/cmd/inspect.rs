//! `bouquet inspect`: shows what a file contains.

use std::{
    path::{Path, PathBuf},
    slice,
};

use anyhow::{Result, bail, ensure};

use super::files::{KeyFlags, note, warn_of};
use crate::advise::share_words;
use crate::files::{self, AnyFilter, Chunk, Facts, Format as FileFormat, Opener};
use crate::output::{Format, NEGATIVE, UNUSABLE, print, screen, tell_error};
use bouquet_catalogue::theory;
use bouquet_record::Outcome;
use bouquet_report::{columns::Table, number::plural, terminal};

const HELP: &str = "\
The format is recognised by the bytes, except for bitmaps from Redis, which
have no structure: give --as go-zero --bits M, or --as redisson --bits M
--hashes K. Formats of other systems have no checksum, so only --keys finds a
file that was zeroed out or changed. FPRs and fills are shares: 0.01 is 1 %.
The exit code is 1 if a bound is exceeded or a key is absent.

Examples:
  bouquet inspect --fpr 0.001 seen.go                   # keys left until 0.1 %
  bouquet inspect --keys urls.txt --fail-above-fpr 0.02 seen.guava    # in CI";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP)]
pub struct Args {
    /// The filters; `-` is standard input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Keys that were inserted; if one is absent, it is printed and the exit code is 1.
    #[arg(long, value_name = "KEYFILE")]
    keys: Option<PathBuf>,
    #[command(flatten)]
    key_flags: KeyFlags,
    #[command(flatten)]
    opener: Opener,
    /// The target FPR for the keys left. [default: that of the file]
    #[arg(long, value_name = "P", value_parser = theory::fpr)]
    fpr: Option<f64>,
    /// Exit with 1 if the current FPR is above this.
    #[arg(long, value_name = "P", value_parser = theory::fpr)]
    fail_above_fpr: Option<f64>,
    /// Exit with 1 if the share of slots in use is above this.
    #[arg(long, value_name = "F", value_parser = theory::fpr)]
    fail_above_fill: Option<f64>,
    /// The format of the output.
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

/// An inspected file.
struct Seen {
    path: String,
    file_bytes: u64,
    format: FileFormat,
    /// The result of the checksum, or of the lookup of keys that must be present.
    verdict: String,
    facts: Facts,
}

pub fn run(args: &Args) -> Result<u8> {
    let once = files::once(args.keys.as_slice()).filter(|_| args.keys.is_some());
    if let Some(what) = once.filter(|_| args.files.len() > 1) {
        bail!("--keys: {what} can be read once: give one filter, or a file of keys");
    }
    let (mut all, mut faults, mut unusable) = (Vec::new(), Vec::new(), false);
    for path in &args.files {
        match inspect_one(args, path) {
            Ok((seen, fault)) => {
                faults.extend(fault.map(|fault| format!("{}: {fault}", seen.path)));
                all.push(seen);
            }
            Err(error) => {
                tell_error(&error);
                unusable = true;
            }
        }
    }
    let is_bounded = args.fail_above_fpr.or(args.fail_above_fill).is_some();
    let is_judged = is_bounded || args.keys.is_some();
    let verdict = is_judged.then(|| Outcome::fails_if(!faults.is_empty()));
    if !all.is_empty() {
        let table = sheet(&all);
        // The table format has one list per file, the other formats one row per file.
        print(&match args.format {
            Format::Table => terminal::lists(&table, screen()).join("\n"),
            format => format.text(&table, verdict)?,
        })?;
    }
    faults.iter().for_each(|fault| note(fault));
    let verdict = if faults.is_empty() { 0 } else { NEGATIVE };
    Ok(if unusable { UNUSABLE } else { verdict })
}

/// The verdict on a filter that exceeds `--fail-above-fpr` or `--fail-above-fill`.
const ABOVE: &str = "above a bound";

/// Inspects a file; also returns the reason if its verdict is negative.
fn inspect_one(args: &Args, path: &Path) -> Result<(Seen, Option<String>)> {
    let (filter, file_bytes) = args.opener.open(path)?;
    let (facts, format) = (filter.facts(args.fpr), filter.format());
    let path = path.display().to_string();
    if facts.fill_ratio == 0.0 {
        note(&format!("warning: {path}: all slots are empty"));
    }
    let mut fault = above_bounds(args, &facts);
    let verdict = match &args.keys {
        Some(keys) => match first_absent(args, &*filter, keys)? {
            Ok(keys) if fault.is_none() => format!("has {}", plural(keys, "key")),
            Ok(_) => ABOVE.into(),
            Err(key) => fault.insert(format!("lacks {key}")).clone(),
        },
        None if fault.is_some() => ABOVE.into(),
        None if format == FileFormat::Native => "good".into(),
        None => "readable; no checksum: pass --keys to check".into(),
    };
    let seen = Seen {
        path,
        file_bytes,
        format,
        verdict,
        facts,
    };
    Ok((seen, fault))
}

/// Looks up all keys. The inner result is their number or, as an error, the first absent key.
fn first_absent(
    args: &Args,
    filter: &dyn AnyFilter,
    file: &PathBuf,
) -> Result<Result<u64, String>> {
    let keys = args.key_flags.keys(slice::from_ref(file));
    let mut keys = keys.hashed(filter.hash());
    let (mut count, mut found, mut chunk) = (0, Vec::new(), Chunk::default());
    while keys.fill(&mut chunk)? {
        filter.contains(&chunk, &mut found)?;
        if let Some(at) = found.iter().position(|found| !found) {
            let line = String::from_utf8_lossy(chunk.lines(at..at + 1));
            return Ok(Err(format!("line {}: {line}", count + at + 1)));
        }
        count += chunk.len();
    }
    warn_of(keys);
    let file = file.display();
    ensure!(count > 0, "--keys {file}: there are no keys in it");
    Ok(Ok(count as u64))
}

fn above_bounds(args: &Args, facts: &Facts) -> Option<String> {
    let bounds = [
        ("FPR", facts.estimated_fpr, args.fail_above_fpr),
        ("fill", facts.fill_ratio, args.fail_above_fill),
    ];
    let above = bounds.into_iter().filter_map(|(name, found, most)| {
        let [found_words, most_words] = [found, most?].map(share_words);
        (found > most?).then(|| format!("{name} {found_words} is above {most_words}"))
    });
    let all: Vec<String> = above.collect();
    (!all.is_empty()).then(|| format!("{}; build it for more keys", all.join(", ")))
}

fn sheet(all: &[Seen]) -> Table {
    Table::answer(all)
        .column("file", |seen| &seen.path)
        .column("verdict", |seen| &seen.verdict)
        .column("format", |seen| seen.format.to_string())
        .column("filter", |seen| &*seen.facts.filter)
        .column("hash", |seen| &*seen.facts.hash)
        .column("seed", |seen| seen.facts.seed)
        .column("file_bytes", |seen| seen.file_bytes)
        .column("capacity", |seen| seen.facts.capacity)
        .unit("keys")
        .column("target_fpr", |seen| seen.facts.target_fpr)
        .unit("share")
        .column("size_bits", |seen| seen.facts.size_bits)
        .column("hashes", |seen| seen.facts.hashes)
        .unit("probes per key")
        .column("parts", |seen| {
            seen.facts.made_of.map(|(what, n)| format!("{n} {what}"))
        })
        .column("bits_per_key", |seen| {
            let capacity = seen.facts.capacity?;
            Some(seen.facts.size_bits as f64 / capacity as f64)
        })
        .unit("bits per key of the capacity")
        .column("fill_ratio", |seen| seen.facts.fill_ratio)
        .unit("share of slots")
        .column("counted_keys", |seen| seen.facts.counted_keys)
        .unit("keys")
        .column("estimated_keys", |seen| seen.facts.estimated_keys)
        .unit("keys, from the slots")
        .column("estimated_fpr", |seen| seen.facts.estimated_fpr)
        .unit("share, from the slots")
        .column("keys_left", |seen| seen.facts.keys_left)
        .unit("keys until the target is passed")
        .column("note", |seen| seen.facts.note)
        .table()
}
