//! `bouquet inspect`: what is in a file.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::{
    Format, NEGATIVE, UNUSABLE,
    files::{FileFlags, note, percent},
    print, tell,
};
use bouquet_files::{self as files, Facts, Format as FileFormat, Part};
use bouquet_render::{
    columns::{Column, Table, Value},
    terminal::clean,
};
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
            Format::Table => lists(&all),
            format => format.text(&table(&all))?,
        })?;
    }
    let mut code = 0;
    for seen in &all {
        for why in too_full(args, seen) {
            note(args.quiet, &format!("{}: {why}", seen.path));
            code = NEGATIVE;
        }
    }
    Ok(if unusable { UNUSABLE } else { code })
}

fn look(args: &Args, path: &Path) -> Result<Seen> {
    let flags = args.file_flags;
    let opened = files::look(path, flags.format(), flags.bitmap())?;
    Ok(Seen {
        path: path.display().to_string(),
        file_bytes: opened.file_bytes,
        format: opened.held.format(),
        facts: opened.facts(args.fpr),
        fills: match args.format {
            Format::Table => opened.held.fills()?,
            _ => Vec::new(),
        },
    })
}

/// What is above the bounds of the command line.
fn too_full(args: &Args, seen: &Seen) -> Vec<String> {
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
    fpr.into_iter().chain(fill).collect()
}

/// Every quantity with its unit.
fn table(all: &[Seen]) -> Table {
    Table::answer(all)
        .column("file", |seen| &seen.path)
        .column("format", |seen| seen.format.name())
        .column("filter", |seen| &*seen.facts.filter)
        .column("hash", |seen| &*seen.facts.hash)
        .column("seed", |seen| seen.facts.seed)
        .column("file_bytes", |seen| seen.file_bytes)
        .unit("bytes")
        .column("capacity", |seen| seen.facts.capacity)
        .unit("keys")
        .column("target_fpr", |seen| seen.facts.target_fpr)
        .unit("share")
        .column("size_bits", Seen::size_bits)
        .unit("bits")
        .column("hashes", |seen| seen.facts.hashes)
        .unit("probes a key")
        .column("slot_bits", |seen| seen.facts.slot_bits)
        .unit("bits a slot")
        .column("blocks", |seen| seen.parts("blocks"))
        .column("partitions", |seen| seen.parts("partitions"))
        .column("buckets", |seen| seen.parts("buckets"))
        .column("shards", |seen| seen.parts("shards"))
        .column("stages", |seen| seen.parts("stages"))
        .column("links", |seen| seen.parts("links"))
        .column("bits_per_key", Seen::bits_per_key)
        .unit("bits a key of the capacity")
        .column("fill_ratio", |seen| seen.facts.load.fill_ratio)
        .unit("share of slots")
        .column("counted_keys", |seen| seen.facts.load.counted_keys)
        .unit("keys")
        .column("estimated_keys", |seen| seen.facts.load.estimated_keys)
        .unit("keys, from the slots")
        .column("estimated_fpr", |seen| seen.facts.load.estimated_fpr)
        .unit("share, from the slots")
        .column("keys_left", |seen| seen.facts.load.keys_left)
        .unit("keys until the target is passed")
        .column("note", |seen| seen.facts.note)
        .table()
}

impl Seen {
    fn parts(&self, name: &str) -> Option<u64> {
        let parts = self.facts.made_of.filter(|(of, _)| *of == name);
        parts.map(|(_, parts)| parts)
    }

    fn size_bits(&self) -> Option<u64> {
        Some(self.facts.size_bits).filter(|bits| *bits > 0)
    }

    fn bits_per_key(&self) -> Option<f64> {
        Some(self.size_bits()? as f64 / self.facts.capacity? as f64)
    }
}

/// A file after the other for people: a line a quantity, then the chart.
fn lists(all: &[Seen]) -> String {
    let table = table(all);
    let list = |(seen, row): (&Seen, &Vec<Value>)| {
        let full = table.columns.iter().zip(row);
        let full = full.filter(|(_, value)| **value != Value::Nothing);
        let line = |(column, value): (&Column, &Value)| {
            let (name, unit, value) = (column.name, column.unit, clean(&value.words()));
            format!("{name:<16}{value} {unit}").trim_end().to_owned() + "\n"
        };
        full.map(line).chain(chart(&seen.fills)).collect()
    };
    let lists: Vec<String> = all.iter().zip(&table.rows).map(list).collect();
    lists.join("\n")
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
