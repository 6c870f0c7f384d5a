//! Hash functions, as tables.

use super::score::{Middle, Times};
use crate::{
    battery::p_value,
    document::{Block, Table, Text},
    number,
};
use bouquet_ground::record::{HashRow, SpeedRecords};
use bouquet_stats::holm;

/// The chance that a sound hash among them all is said to be found out.
const FAMILY_ALPHA: f64 = 1e-3;
const READING: &str = "Net time of a key, less that of taking it, by the processor's time of the \
    thread; medians with intervals at 95 %. The battery drives the default locations of 7 probes \
    in 2^20 slots with the first 64 bits of a hash and holds them against their laws, on every key \
    set, Holm's correction over all tests of all hashes. Nothing found does not make a hash safe \
    from keys that an enemy chooses: only one with a secret key is.";
/// The lengths of keys, and in how many nanoseconds they are told.
const COLUMNS: [(u64, f64); 4] = [(8, 1.0), (60, 1.0), (1 << 10, 1.0), (20 << 20, 1e6)];
const FORMS: [&str; 3] = ["whole", "in parts", "from a reader"];

/// A hash, with its rows.
struct Scored<'a> {
    name: &'a str,
    rows: Vec<&'a HashRow>,
}

impl Scored<'_> {
    fn times(&self, form: &str, key_bytes: u64) -> Times {
        let rows = self.rows.iter();
        let rows = rows.filter(|row| row.form == form && row.key_bytes == key_bytes);
        rows.map(|row| {
            (
                row.repetition,
                row.gross_ns_per_key - row.dry_run_ns_per_key,
            )
        })
        .collect()
    }

    fn middle(&self, form: &str, key_bytes: u64) -> Option<Middle> {
        Middle::of_times(&self.times(form, key_bytes))
    }
}

/// In the order of their times on the shortest keys.
fn scored(records: &SpeedRecords) -> Vec<Scored<'_>> {
    let mut all: Vec<Scored<'_>> = Vec::new();
    for row in &records.hashes {
        match all.iter_mut().find(|scored| scored.name == row.hash) {
            Some(scored) => scored.rows.push(row),
            None => all.push(Scored {
                name: &row.hash,
                rows: vec![row],
            }),
        }
    }
    let time = |scored: &Scored<'_>| {
        scored
            .middle("whole", COLUMNS[0].0)
            .map_or(0.0, |m| m.median)
    };
    all.sort_by(|a, b| time(a).total_cmp(&time(b)));
    all
}

/// The tables with their names; none without records.
pub fn tables(records: &SpeedRecords) -> Vec<(String, Table)> {
    if records.hashes.is_empty() {
        return Vec::new();
    }
    let all = scored(records);
    let name = |form: &str| format!("Hash functions, keys {form}");
    FORMS
        .iter()
        .map(|form| (name(form), table(records, &all, form)))
        .collect()
}

pub fn section(records: &SpeedRecords) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (name, table) in tables(records) {
        blocks.push(Block::Heading(2, name));
        if blocks.len() == 1 {
            blocks.push(Block::Paragraph(READING.into()));
        }
        blocks.push(Block::Table(table));
    }
    blocks
}

fn table(records: &SpeedRecords, all: &[Scored<'_>], form: &str) -> Table {
    let mut table = Table::new(&[
        "Hash",
        "Crate",
        "#Bits",
        "#8 B, ns",
        "#60 B, ns",
        "#1 KiB, ns",
        "#20 MiB, ms",
        "Battery",
    ]);
    for scored in all {
        let Some(first) = scored.rows.iter().find(|row| row.form == form) else {
            continue;
        };
        let name = match first.role.as_str() {
            "ours" => Text::default().strong(scored.name),
            _ => scored.name.into(),
        };
        let bits = first.bits.to_string();
        let mut cells = vec![name, first.release.as_str().into(), bits.into()];
        for (key_bytes, unit_ns) in COLUMNS {
            let middle = scored.middle(form, key_bytes);
            cells.push(middle.map_or("–".into(), |middle| time(middle, unit_ns)));
        }
        cells.push(verdict(records, scored.name).into());
        table.row(cells);
    }
    table
}

fn time(middle: Middle, unit_ns: f64) -> Text {
    let shown = |ns: f64| number::significant(ns / unit_ns, 3);
    let Middle { median, interval } = middle;
    format!(
        "{} ({} to {})",
        shown(median),
        shown(interval.low),
        shown(interval.high)
    )
    .into()
}

/// Which tests have found the hash out, and on which keys.
pub fn verdict(records: &SpeedRecords, hash: &str) -> String {
    let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
    for (test, keys) in flagged(records, hash) {
        match found.iter_mut().find(|(other, _)| *other == test) {
            Some((_, sets)) if sets.contains(&keys) => {}
            Some((_, sets)) => sets.push(keys),
            None => found.push((test, vec![keys])),
        }
    }
    if found.is_empty() {
        return "nothing found".into();
    }
    let each = found.iter();
    let each = each.map(|(test, sets)| format!("{test} on {}", sets.join(", ")));
    format!("found by {}", each.collect::<Vec<_>>().join("; "))
}

/// The tests that this hash surely fails, each with the keys.
fn flagged<'a>(
    records: &'a SpeedRecords,
    hash: &'a str,
) -> impl Iterator<Item = (&'a str, &'a str)> {
    let p: Vec<f64> = records.battery.iter().map(p_value).collect();
    let rows = records.battery.iter().zip(holm(&p));
    rows.filter(move |(row, adjusted)| row.subject == hash && *adjusted < FAMILY_ALPHA)
        .map(|(row, _)| (row.test.as_str(), row.dataset.as_str()))
}

/// The finding; none without records.
pub fn headline(records: &SpeedRecords) -> Option<String> {
    let all = scored(records);
    let fastest = all.first()?;
    let ns = fastest.middle("whole", COLUMNS[0].0)?.median;
    let out = all
        .iter()
        .filter(|scored| flagged(records, scored.name).next().is_some());
    let out: Vec<&str> = out.map(|scored| scored.name).collect();
    let found = match out.is_empty() {
        true => "none is found out by the battery".to_owned(),
        false => format!("the battery finds {} out", out.join(", ")),
    };
    Some(format!(
        "Of {} hashes {} is the fastest on 8 bytes, {} ns; {found}",
        number::count(all.len() as u64),
        fastest.name,
        number::significant(ns, 2)
    ))
}
