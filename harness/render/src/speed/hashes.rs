//! Hash functions, as tables.

mod choice;

pub use self::choice::choices;
use super::{
    Named,
    score::{Times, middle},
};
use crate::{
    battery::p_value,
    document::{Block, Table, Text},
    estimate::Estimate,
    groups::{distinct, grouped},
    number,
};
use bouquet_ground::record::{HashRow, Records};
use bouquet_stats::holm;

/// The chance that a sound hash among them all is said to be found out.
const FAMILY_ALPHA: f64 = 1e-3;
const READING: &str = "Net time per key, less that of taking it, by the processor's time of the \
    thread; medians with intervals at 95 %. The battery drives the default locations of 7 probes \
    in 2^20 slots with the first 64 bits of a hash, of our hashers with both words, and tests \
    them against their laws, on every key set, Holm's correction over all tests of all hashes. \
    Nothing found does not make a hash safe from keys that an adversary chooses: only one with a \
    secret key is.";
const GLANCE: &str = "Keys whole: ours in bold, and of other crates the fastest on 8 bytes that the \
    battery has not found out. All are below.";
/// The lengths of keys, and in how many nanoseconds they are given.
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
        let net = |row: &HashRow| row.gross_ns_per_key - row.dry_run_ns_per_key;
        rows.map(|row| (row.repetition, net(row))).collect()
    }

    fn first(&self, form: &str) -> Option<&HashRow> {
        self.rows.iter().copied().find(|row| row.form == form)
    }

    fn middle(&self, form: &str, key_bytes: u64) -> Option<Estimate> {
        middle(&self.times(form, key_bytes))
    }
}

/// In the order of their times on the shortest keys.
fn scored(records: &Records) -> Vec<Scored<'_>> {
    let groups = grouped(&records.hashes, |row| row.hash.as_str()).into_iter();
    let mut all: Vec<_> = groups.map(|(name, rows)| Scored { name, rows }).collect();
    let time = |scored: &Scored<'_>| {
        let middle = scored.middle("whole", COLUMNS[0].0);
        middle.map_or(0.0, |middle| middle.value)
    };
    all.sort_by(|a, b| time(a).total_cmp(&time(b)));
    all
}

/// Ours, and of the others the fastest that the battery has not found out: in the order of
/// all. None without records.
pub fn glance(records: &Records) -> Vec<Block> {
    let all = scored(records);
    let is_ours = |scored: &Scored<'_>| scored.rows.iter().any(|row| row.role == "ours");
    let is_sound = |scored: &Scored<'_>| flagged(records, scored.name).next().is_none();
    let mut others = all.iter().filter(|scored| !is_ours(scored));
    let other = others
        .find(|scored| is_sound(scored))
        .map(|scored| scored.name);
    let shown = all.into_iter();
    let shown = shown.filter(|scored| is_ours(scored) || Some(scored.name) == other);
    let shown: Vec<Scored<'_>> = shown.collect();
    Block::glance(GLANCE, table(records, &shown, FORMS[0]))
}

/// A line a hash, form and length of keys, in plain numbers.
pub fn lines(records: &Records) -> Table {
    let all = scored(records);
    let each = all.iter().flat_map(|scored| {
        let rows = scored.rows.iter();
        let own = distinct(rows.map(|row| (row.form.as_str(), row.key_bytes)));
        own.into_iter()
            .filter_map(move |(form, bytes)| Some((scored, scored.first(form)?, bytes)))
    });
    Table::of(each)
        .column("hash", |(scored, ..)| scored.name)
        .column("crate", |(_, row, _)| &row.release)
        .column("role", |(_, row, _)| &row.role)
        .column("bits", |(_, row, _)| row.bits)
        .column("form", |(_, row, _)| &row.form)
        .column("key_bytes", |(.., bytes)| bytes)
        .column("repetitions", |(scored, row, bytes)| {
            scored.times(&row.form, bytes).len()
        })
        .with_interval(
            ["net_ns_per_key", "net_low", "net_high"],
            |(scored, row, bytes)| scored.middle(&row.form, bytes),
        )
        .column("battery", |(scored, ..)| verdict(records, scored.name))
        .table()
}

/// None without records.
pub fn tables(records: &Records) -> Vec<Named> {
    if records.hashes.is_empty() {
        return Vec::new();
    }
    let all = scored(records);
    let named = |(form, reading): (&str, &str)| {
        let name = format!("Hash functions, keys {form}");
        (name, reading.to_owned(), table(records, &all, form))
    };
    FORMS
        .into_iter()
        .zip([READING, "", ""])
        .map(named)
        .collect()
}

fn table(records: &Records, all: &[Scored<'_>], form: &str) -> Table {
    let name = |(scored, row): (&Scored<'_>, &HashRow)| {
        Text::default().strong_if(row.role == "ours", scored.name)
    };
    let own = |scored| Some((scored, Scored::first(scored, form)?));
    let mut table = Table::of(all.iter().filter_map(own))
        .column("Hash", name)
        .column("Crate", |(_, row)| &row.release)
        .column("#Bits", |(_, row)| row.bits);
    let headings = ["#8 B, ns", "#60 B, ns", "#1 KiB, ns", "#20 MiB, ms"];
    for ((key_bytes, unit_ns), heading) in COLUMNS.into_iter().zip(headings) {
        table = table.column(heading, |(scored, _)| {
            let middle = scored.middle(form, key_bytes);
            middle.map(|middle| middle.words(|ns| number::significant(ns / unit_ns, 3)))
        });
    }
    let table = table.column("Battery", |(scored, _)| verdict(records, scored.name));
    table.table()
}

/// Which tests have found the hash out, and on which keys.
pub fn verdict(records: &Records, hash: &str) -> String {
    let found = grouped(flagged(records, hash), |(test, _)| *test);
    if found.is_empty() {
        return "nothing found".into();
    }
    let each = found.into_iter().map(|(test, own)| {
        let sets = distinct(own.into_iter().map(|(_, keys)| keys));
        format!("{test} on {}", sets.join(", "))
    });
    format!("found by {}", number::joined(each, "; "))
}

/// The tests that this hash surely fails, each with the keys.
fn flagged<'a>(records: &'a Records, hash: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    let p: Vec<f64> = records.battery.iter().map(p_value).collect();
    let rows = records.battery.iter().zip(holm(&p));
    rows.filter(move |(row, adjusted)| row.subject == hash && *adjusted < FAMILY_ALPHA)
        .map(|(row, _)| (row.test.as_str(), row.dataset.as_str()))
}

/// The finding; none without records.
pub fn headline(records: &Records) -> Option<String> {
    let all = scored(records);
    let fastest = all.first()?;
    let ns = fastest.middle("whole", COLUMNS[0].0)?.value;
    let out = all
        .iter()
        .filter(|scored| flagged(records, scored.name).next().is_some());
    let found = match number::joined(out.map(|scored| scored.name), ", ").as_str() {
        "" => "none is found out by the battery".to_owned(),
        out => format!("the battery finds {out} out"),
    };
    Some(format!(
        "Of {} hashes {} is the fastest on 8 bytes, {}; {found}",
        number::count(all.len() as u64),
        fastest.name,
        choice::time(ns)
    ))
}
