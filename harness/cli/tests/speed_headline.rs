//! The headline of the committed report of speed, counted again from its records
//! by other code.
#![allow(
    clippy::unwrap_used,
    reason = "clippy sees tests only in what is marked as one"
)]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Kind of key, capacity, target.
type Column = (String, String, String);
/// Filter and way.
type Racer = (String, String);

/// A filter, given its keys one way, in one column.
#[derive(Default)]
struct Entry {
    role: String,
    family: String,
    is_out: bool,
    hits: f64,
    asked: f64,
    /// Net times by operation and repetition.
    net: BTreeMap<String, BTreeMap<String, f64>>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

type Entries = BTreeMap<Column, BTreeMap<Racer, Entry>>;
type Row = BTreeMap<String, String>;

fn entries(rows: &[Row]) -> Entries {
    let mut all = Entries::new();
    for row in rows {
        let text = |name: &str| row[name].clone();
        let number = |name: &str| row[name].parse::<f64>().unwrap();
        let column = (text("keys"), text("capacity"), text("target_fpr"));
        let racers = all.entry(column).or_default();
        let entry = racers.entry((text("filter"), text("way"))).or_default();
        (entry.role, entry.family) = (text("role"), text("family"));
        entry.is_out |= !row["error"].is_empty() || number("refused") > 0.0;
        if row["operation"] == "miss" {
            entry.hits += number("false_positives");
            entry.asked += number("operations");
        }
        let net = number("gross_ns_per_key") - number("dry_run_ns_per_key");
        let times = entry.net.entry(text("operation")).or_default();
        times.insert(text("repetition"), net);
    }
    all
}

/// The lower end of Wilson's interval of 95 %.
fn wilson_low(hits: f64, asked: f64) -> f64 {
    let (z, share) = (1.959_963_985, hits / asked);
    let root = (share * (1.0 - share) / asked + z * z / (4.0 * asked * asked)).sqrt();
    (share + z * z / (2.0 * asked) - z * root) / (1.0 + z * z / asked)
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}

fn median(values: &[f64]) -> f64 {
    (values[(values.len() - 1) / 2] + values[values.len() / 2]) / 2.0
}

/// The lower end of the 95 % interval of a median: by the sign test, the largest
/// value that fewer than 2.5 % of samples would have so many others below.
fn median_low(values: &[f64]) -> f64 {
    let n = values.len() as u64;
    let ways = |i: u64| (0..i).fold(1.0, |product, j| product * (n - j) as f64 / (j + 1) as f64);
    let chance = |upto: u64| (0..=upto).map(ways).sum::<f64>() / 2f64.powi(n as i32);
    let place = (0..n / 2)
        .take_while(|below| chance(*below) <= 0.025)
        .last();
    values[place.unwrap_or(0) as usize]
}

/// The cells in which the fastest of ours, given its keys this way, is surely
/// ahead of the fastest peer, and all cells.
fn count(
    entries: &Entries,
    way: &str,
    ours: fn(&str) -> bool,
    has_peer: fn(&str) -> bool,
) -> (u32, u32) {
    let (mut ahead, mut all) = (0, 0);
    for ((_, _, target), racers) in entries {
        let target: f64 = target.parse().unwrap();
        let competing = racers.iter().filter(|(_, entry)| {
            let keeps = wilson_low(entry.hits, entry.asked) <= 1.05 * target;
            !entry.is_out && entry.family != "static" && keeps
        });
        let competing: Vec<(&Racer, &Entry)> = competing.collect();
        for operation in ["insert", "hit", "miss", "half"] {
            let fastest = |is_in: &dyn Fn(&Racer, &Entry) -> bool| {
                let own = competing
                    .iter()
                    .filter(|(racer, entry)| is_in(racer, entry));
                let timed = own.map(|(_, entry)| {
                    let times = &entry.net[operation];
                    (median(&sorted(times.values().copied())), times)
                });
                timed.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap().1
            };
            let own =
                fastest(&|racer, entry| entry.role == "ours" && racer.1 == way && ours(&racer.0));
            let peer = fastest(&|_, entry| entry.role == "peer" && has_peer(&entry.family));
            let pairs = own.iter().filter(|(_, ns)| **ns > 0.0);
            let ratios = sorted(pairs.map(|(repetition, ns)| peer[repetition] / ns));
            all += 1;
            ahead += u32::from(median_low(&ratios) > 1.0);
        }
    }
    (ahead, all)
}

/// The headline of these rows.
fn headline(rows: &[Row]) -> String {
    let entries = entries(rows);
    let clause = |claim: &str, ours: fn(&str) -> bool, has_peer: fn(&str) -> bool| {
        let (single, all) = count(&entries, "one by one", ours, has_peer);
        let (batch, all_batches) = count(&entries, "batch", ours, has_peer);
        assert_eq!((all, all_batches), (44, 44));
        format!(
            "ne key at a time {claim} in {single} of {all} cells, in batches in {batch} of {all}"
        )
    };
    format!(
        "O{}; o{}",
        clause("ours is ahead of every updatable peer", |_| true, |_| true),
        clause(
            "the standard filter is ahead of every updatable peer without blocks",
            |filter| filter == "standard",
            |family| family != "blocked",
        )
    )
}

/// What the program makes of the records with these rows: standard output and pages.
fn reported(name: &str, columns: &csv::StringRecord, rows: &[Row]) -> [String; 3] {
    let id = std::process::id();
    let folder = std::env::temp_dir().join(format!("bouquet-headline-{name}-{id}"));
    let records = folder.join("records");
    fs::create_dir_all(&records).unwrap();
    for entry in fs::read_dir(root().join("reports/speed/records")).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), records.join(entry.file_name())).unwrap();
    }
    let mut writer = csv::Writer::from_path(records.join("speed.csv")).unwrap();
    writer.write_record(columns).unwrap();
    for row in rows {
        writer
            .write_record(columns.iter().map(|name| &row[name]))
            .unwrap();
    }
    writer.flush().unwrap();
    let report = Command::new(env!("CARGO_BIN_EXE_bouquet"))
        .arg("report")
        .arg(&records)
        .arg("--out")
        .arg(folder.join("report"))
        .output()
        .unwrap();
    assert!(report.status.code() < Some(2), "{name}");
    let page = |page| fs::read_to_string(folder.join("report").join(page)).unwrap();
    let all = [
        String::from_utf8_lossy(&report.stdout).into_owned(),
        page("README.md"),
        page("index.html"),
    ];
    fs::remove_dir_all(&folder).unwrap();
    all
}

/// Multiplies a number of the rows for which this holds.
fn scale(rows: &[Row], column: &str, times: f64, is_in: impl Fn(&Row) -> bool) -> Vec<Row> {
    let mut rows = rows.to_vec();
    for row in rows.iter_mut().filter(|row| is_in(row)) {
        let number: f64 = row[column].parse().unwrap();
        row.insert(column.into(), (times * number).to_string());
    }
    rows
}

#[test]
fn the_headline_counts_what_the_records_have_single_calls_first() {
    let file = root().join("reports/speed/records/speed.csv");
    let mut reader = csv::Reader::from_path(file).unwrap();
    let columns = reader.headers().unwrap().clone();
    let rows: Vec<Row> = reader.deserialize().map(Result::unwrap).collect();
    let slower = scale(&rows, "gross_ns_per_key", 3.0, |row| {
        row["role"] == "ours" && row["way"] == "batch" && row["operation"] != "miss"
    });
    // Blocked peers that keep no promise are out, so that ours win without being faster.
    let mut wrong = rows.clone();
    for row in &mut wrong {
        if row["role"] == "peer" && row["family"] == "blocked" && row["operation"] == "miss" {
            row.insert("false_positives".into(), row["operations"].clone());
        }
    }
    let sets = [("committed", rows), ("slower", slower), ("wrong", wrong)];
    let sentences = sets.map(|(name, rows)| {
        let sentence = headline(&rows);
        for text in reported(name, &columns, &rows) {
            assert!(text.contains(&sentence), "{name}: {sentence}");
        }
        sentence
    });
    assert!(sentences[0] != sentences[1] && sentences[0] != sentences[2]);
    for page in ["README.md", "index.html"] {
        let committed = fs::read_to_string(root().join("reports/speed").join(page)).unwrap();
        assert!(
            committed.contains(&sentences[0]),
            "{page}: {}",
            sentences[0]
        );
    }
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let line = format!("\n{}.\n", sentences[0]);
    assert!(readme.contains(&line), "{line}");
}
