//! `bouquet inspect`: what is in a file.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};

use super::{
    Format, NEGATIVE, UNUSABLE,
    files::{FileFlags, note, percent},
    print,
    sheet::{Cell, Sheet},
    tell,
};
use bouquet_files::{self as files, Facts, Format as FileFormat, Found, Part};
use bouquet_theory as theory;

const HELP: &str = "\
The format is told by the bytes: native, go, go-json, guava, parquet and redisbloom have a
structure. Bitmaps from Redis have none: give --as go-zero --bits M, or --as redisson --bits M
--hashes K.

FPRs and fills are shares: 0.01 is 1 %. The estimates are from the slots. --fail-above-* exit
with 1, for cron and CI; the sheet is printed all the same.

Examples:
  bouquet inspect seen.bouquet
  bouquet inspect --fpr 0.001 seen.go                   # keys left until 0.1 %
  bouquet inspect --fail-above-fpr 0.02 *.bouquet --format csv";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP)]
pub struct Args {
    /// The filters; `-` is standard input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
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
    /// How the sheet goes to standard output; JSON is an array of objects.
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// No notes.
    #[arg(long)]
    quiet: bool,
}

/// A file that was looked at.
struct Seen {
    path: String,
    file_bytes: u64,
    format: FileFormat,
    facts: Facts,
    fills: Vec<Part>,
}

pub fn run(args: &Args) -> Result<u8> {
    let (mut all, mut unusable) = (Vec::new(), false);
    for path in &args.files {
        match look(args, path) {
            Ok(seen) => all.push(seen),
            Err(error) => {
                tell(&format!("bouquet: {error:#}"));
                unusable = true;
            }
        }
    }
    if !all.is_empty() {
        print(&match args.format {
            Format::Table => all.iter().map(list).collect::<Vec<_>>().join("\n"),
            format => sheet(&all).text(format)?,
        })?;
    }
    let mut code = 0;
    for seen in &all {
        for why in too_full(args, seen)? {
            note(args.quiet, &format!("{}: {why}", seen.path));
            code = NEGATIVE;
        }
    }
    Ok(if unusable { UNUSABLE } else { code })
}

fn look(args: &Args, path: &Path) -> Result<Seen> {
    let flags = args.file_flags;
    let path_shown = path.display().to_string();
    Ok(match files::look(path, flags.format(), flags.bitmap())? {
        Found::Filter(opened) => Seen {
            path: path_shown,
            file_bytes: opened.file_bytes,
            format: opened.held.format(),
            facts: opened.held.facts(args.fpr),
            fills: match args.format {
                Format::Table => opened.held.fills()?,
                _ => Vec::new(),
            },
        },
        Found::Closed(closed) => Seen {
            path: path_shown,
            file_bytes: closed.file_bytes(),
            format: FileFormat::Native,
            facts: closed.facts(args.fpr),
            fills: match args.format {
                Format::Table => closed.fills()?,
                _ => Vec::new(),
            },
        },
    })
}

/// What is above the bounds of the command line.
fn too_full(args: &Args, seen: &Seen) -> Result<Vec<String>> {
    if args.fail_above_fpr.is_none() && args.fail_above_fill.is_none() {
        return Ok(Vec::new());
    }
    let load = seen.facts.load.as_ref().ok_or_else(|| {
        anyhow!(
            "{}: its slots cannot be looked at, so there is nothing to compare",
            seen.path
        )
    })?;
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
    Ok(fpr.into_iter().chain(fill).collect())
}

/// Every quantity with its unit, in the order of the columns.
const COLUMNS: [(&str, &str); 24] = [
    ("file", ""),
    ("format", ""),
    ("filter", ""),
    ("hash", ""),
    ("seed", ""),
    ("file_bytes", "bytes"),
    ("capacity", "keys"),
    ("target_fpr", "share"),
    ("size_bits", "bits"),
    ("hashes", "probes a key"),
    ("slot_bits", "bits a slot"),
    ("blocks", ""),
    ("partitions", ""),
    ("buckets", ""),
    ("shards", ""),
    ("stages", ""),
    ("links", ""),
    ("bits_per_key", "bits a key of the capacity"),
    ("fill_ratio", "share of slots"),
    ("counted_keys", "keys"),
    ("estimated_keys", "keys, from the slots"),
    ("estimated_fpr", "share, from the slots"),
    ("keys_left", "keys until the target is passed"),
    ("note", ""),
];

fn row(seen: &Seen) -> Vec<Cell> {
    let facts = &seen.facts;
    let words = |words: &str| Cell::Words(words.to_owned());
    let count = |count: Option<u64>| count.map_or(Cell::Nothing, Cell::Count);
    let number = |number: Option<f64>| number.map_or(Cell::Nothing, Cell::Number);
    let load = facts.load.as_ref();
    let parts = |name| {
        let parts = facts.made_of.filter(|(of, _)| *of == name);
        count(parts.map(|(_, parts)| parts))
    };
    let per_key = |capacity| facts.size_bits as f64 / capacity as f64;
    vec![
        words(&seen.path),
        words(seen.format.name()),
        words(&facts.filter),
        words(&facts.hash),
        count(facts.seed),
        Cell::Count(seen.file_bytes),
        count(facts.capacity),
        number(facts.target_fpr),
        count(Some(facts.size_bits).filter(|bits| *bits > 0)),
        count(facts.hashes.map(u64::from)),
        count(facts.slot_bits.map(u64::from)),
        parts("blocks"),
        parts("partitions"),
        parts("buckets"),
        parts("shards"),
        parts("stages"),
        parts("links"),
        number(facts.capacity.filter(|_| facts.size_bits > 0).map(per_key)),
        number(load.map(|load| load.fill_ratio)),
        count(load.and_then(|load| load.counted_keys)),
        number(load.map(|load| load.estimated_keys)),
        number(load.map(|load| load.estimated_fpr)),
        count(load.and_then(|load| load.keys_left)),
        facts.note.map_or(Cell::Nothing, words),
    ]
}

fn sheet(all: &[Seen]) -> Sheet {
    Sheet {
        columns: COLUMNS.map(|(name, _)| name).to_vec(),
        rows: all.iter().map(row).collect(),
    }
}

/// One file for people: a line a quantity, then the chart.
fn list(seen: &Seen) -> String {
    let line = |((name, unit), cell): (&(&str, &str), Cell)| {
        let value = cell.short();
        (!value.is_empty())
            .then(|| format!("{name:<16}{value} {unit}").trim_end().to_owned() + "\n")
    };
    let lines = COLUMNS.iter().zip(row(seen)).filter_map(line);
    let chart = chart(&seen.fills);
    lines.chain(chart).collect()
}

/// A bar a part, of 50 columns at a fill of 1.
fn chart(fills: &[Part]) -> Option<String> {
    const COLUMNS: f64 = 50.0;
    let width = fills.iter().map(|part| part.name.len()).max()?;
    let bar = |part: &Part| {
        let eighths = (part.fill * COLUMNS * 8.0).round() as usize;
        let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
        let bar = "█".repeat(eighths / 8) + rest;
        let name = &part.name;
        format!("{name:<width$}  {bar:<50}│ {}\n", percent(part.fill))
    };
    let bars: String = fills.iter().map(bar).collect();
    Some(format!("\nfill; the line is 100 %\n{bars}"))
}
