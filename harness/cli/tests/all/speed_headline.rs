//! The headline of the committed report of speed, counted again from its records
//! by other code.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Kind of key, capacity, target.
type Column = (String, String, String);
/// Filter and way.
type Contestant = (String, String);

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

type Entries = BTreeMap<Column, BTreeMap<Contestant, Entry>>;
type Row = BTreeMap<String, String>;

fn entries(rows: &[Row]) -> Entries {
    let mut all = Entries::new();
    for row in rows {
        let text = |name: &str| row[name].clone();
        let number = |name: &str| row[name].parse::<f64>().unwrap();
        let column = (text("keys"), text("capacity"), text("target_fpr"));
        let contestants = all.entry(column).or_default();
        let entry = contestants
            .entry((text("filter"), text("way")))
            .or_default();
        (entry.role, entry.family) = (text("role"), text("family"));
        entry.is_out |= !row["error"].is_empty() || number("rejected") > 0.0;
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

/// The 95 % interval of a median: by the sign test, the largest value that fewer than
/// 2.5 % of samples would have so many others below, and the smallest so above.
fn median_interval(values: &[f64]) -> (f64, f64) {
    let n = values.len() as u64;
    let ways = |i: u64| (0..i).fold(1.0, |product, j| product * (n - j) as f64 / (j + 1) as f64);
    let chance = |upto: u64| (0..=upto).map(ways).sum::<f64>() / 2f64.powi(n as i32);
    let place = (0..n / 2)
        .take_while(|below| chance(*below) <= 0.025)
        .last();
    let place = place.unwrap_or(0) as usize;
    (values[place], values[values.len() - 1 - place])
}

/// How ours is given its keys, in words and in the records, and what is measured so.
const GIVEN: [(&str, &str, &[&str]); 3] = [
    (
        "one key at a time",
        "one by one",
        &["insert", "hit", "miss", "half"],
    ),
    ("in batches", "batch", &["insert", "hit", "miss", "half"]),
    (
        "each key after the answer before (latency)",
        "one by one",
        &["hit in turn", "miss in turn", "half in turn"],
    ),
];

/// The words before the colon, who is ours, which families the peers have.
type Class = (&'static str, fn(&str) -> bool, fn(&str) -> bool);
const CLASSES: [Class; 2] = [
    ("Ours against every updatable peer", |_| true, |_| true),
    (
        "The standard filter against every updatable peer without blocks",
        |filter| filter == "standard",
        |family| family != "blocked",
    ),
];

/// Of each cell the fastest peer, and the median of how many times as long it takes as
/// the fastest of ours, given its keys this way, with its interval.
fn cells(
    entries: &Entries,
    (_, way, operations): (&str, &str, &[&str]),
    (_, ours, has_peer): Class,
) -> Vec<(String, f64, (f64, f64))> {
    let mut cells = Vec::new();
    for ((_, _, target), contestants) in entries {
        let target: f64 = target.parse().unwrap();
        let competing = contestants.iter().filter(|(_, entry)| {
            let keeps = wilson_low(entry.hits, entry.asked) <= 1.05 * target;
            !entry.is_out && entry.family != "static" && keeps
        });
        let competing: Vec<(&Contestant, &Entry)> = competing.collect();
        for operation in operations {
            let fastest = |is_in: &dyn Fn(&Contestant, &Entry) -> bool| {
                let own = competing
                    .iter()
                    .filter(|(contestant, entry)| is_in(contestant, entry));
                let timed = own.filter_map(|(contestant, entry)| {
                    let times = entry.net.get(*operation)?;
                    Some((
                        median(&sorted(times.values().copied())),
                        &contestant.0,
                        times,
                    ))
                });
                timed.min_by(|a, b| a.0.total_cmp(&b.0))
            };
            let own = fastest(&|contestant, entry| {
                entry.role == "ours" && contestant.1 == way && ours(&contestant.0)
            });
            let peer = fastest(&|_, entry| entry.role == "peer" && has_peer(&entry.family));
            let (Some((_, _, own)), Some((_, name, peer))) = (own, peer) else {
                continue;
            };
            let pairs = own.iter().filter(|(_, ns)| **ns > 0.0);
            let ratios = sorted(pairs.map(|(repetition, ns)| peer[repetition] / ns));
            cells.push((name.clone(), median(&ratios), median_interval(&ratios)));
        }
    }
    cells
}

/// The findings of these rows with the lines that say where a peer is ahead, and the findings
/// that say by how much too.
fn sentences(rows: &[Row]) -> [Vec<String>; 2] {
    let entries = entries(rows);
    let (mut findings, mut lines, mut short) = (Vec::new(), Vec::new(), Vec::new());
    for class in CLASSES {
        let (mut clauses, mut with_factors) = (Vec::new(), Vec::new());
        for given in GIVEN {
            let cells = cells(&entries, given, class);
            let mut behind: Vec<_> = cells.iter().filter(|cell| cell.2.1 < 1.0).collect();
            let ahead = cells.iter().filter(|cell| cell.2.0 > 1.0).count();
            let columns = entries.len();
            let measured = given.2.iter().filter(|operation| {
                let mut contestants = entries.values().flat_map(BTreeMap::values);
                contestants.any(|entry| entry.net.contains_key(**operation))
            });
            assert_eq!(cells.len(), columns * measured.count());
            if !cells.is_empty() {
                let (words, some, all) = (given.0, behind.len(), cells.len());
                let clause =
                    format!("{words} a peer is ahead in {some} of {all} cells, ours in {ahead}");
                clauses.push(clause);
                let times = sorted(behind.iter().map(|cell| 1.0 / cell.1));
                let by = times.first().zip(times.last());
                let names: BTreeSet<_> = behind.iter().map(|cell| &*cell.0).collect();
                let names = names.into_iter().collect::<Vec<_>>().join(", ");
                let by = by.map_or(String::new(), |(least, most)| {
                    format!(" ({names}: {} times as fast)", bounds(*least, *most))
                });
                with_factors.push(format!(
                    "{words} a peer is ahead in {some} of {all} cells{by}, ours in {ahead}"
                ));
            }
            behind.sort_by(|a, b| a.0.cmp(&b.0));
            for own in behind.chunk_by(|a, b| a.0 == b.0) {
                let times = sorted(own.iter().map(|cell| 1.0 / cell.1));
                let s = if own.len() == 1 { "" } else { "s" };
                let by = bounds(times[0], times[times.len() - 1]);
                lines.push(format!(
                    "{}, {}: {} is ahead in {} cell{s}, {by} times as fast",
                    class.0,
                    given.0,
                    own[0].0,
                    own.len(),
                ));
            }
        }
        findings.push(format!("{}: {}", class.0, clauses.join("; ")));
        short.push(format!("{}: {}.", class.0, with_factors.join("; ")));
    }
    findings.extend(lines);
    [findings, short]
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

/// From one to the other, or one where they are written alike.
fn bounds(least: f64, most: f64) -> String {
    let [least, most] = [least, most].map(|times| format!("{times:.2}"));
    if least == most {
        most
    } else {
        format!("{least} to {most}")
    }
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
        let [sentences, short] = sentences(&rows);
        let [out, pages @ ..] = reported(name, &columns, &rows);
        assert!(out.contains(&sentences[0]), "{name}: {}", sentences[0]);
        for (page, sentence) in pages
            .iter()
            .flat_map(|page| sentences.iter().map(move |s| (page, s)))
        {
            assert!(page.contains(sentence), "{name}: {sentence}");
        }
        for page in pages {
            let lines = page.matches(" times as fast").count();
            assert_eq!(lines, sentences.len() - 2, "{name}");
        }
        (sentences, short)
    });
    let [(sentences, short), others @ ..] = sentences;
    assert!(others.iter().all(|(other, _)| *other != sentences));
    let read = |page: &str| fs::read_to_string(root().join(page)).unwrap();
    for page in ["reports/speed/README.md", "reports/speed/index.html"] {
        let committed = read(page);
        for sentence in &sentences {
            assert!(committed.contains(sentence), "{page}: {sentence}");
        }
    }
    // For who reads no further: one table, then who is ahead and by how much.
    let front = read("README.md");
    for sentence in &short {
        assert!(front.contains(sentence), "{sentence}");
    }
    assert_eq!(front.matches(" times as fast").count(), {
        let behind = short
            .iter()
            .map(|one| one.matches(" times as fast").count());
        behind.sum::<usize>()
    });
    assert!(front.lines().count() <= 120);
}
