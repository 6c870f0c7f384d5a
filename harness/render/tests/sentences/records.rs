//! Records as plain text, the sentences of their report, and numbers in sentences.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
};

use serde_json::{Value, json};

use bouquet_ground::record::{Kind, Source};

/// A line of a CSV by its headings.
#[derive(Clone, Debug)]
pub struct Row(BTreeMap<String, String>);

impl Row {
    pub fn text(&self, key: &str) -> &str {
        &self.0[key]
    }

    /// NaN where there is none.
    pub fn number(&self, key: &str) -> f64 {
        self.0[key].parse().unwrap_or(f64::NAN)
    }

    pub fn is(&self, key: &str, text: &str) -> bool {
        self.0[key] == text
    }

    pub fn set(&mut self, key: &str, value: impl ToString) {
        *self.0.get_mut(key).unwrap() = value.to_string();
    }

    pub fn scale(&mut self, key: &str, times: f64) {
        self.set(key, (self.number(key) * times).round());
    }
}

/// Where the rows of a kind are.
fn file_of(name: &str) -> String {
    match name {
        "fpr" | "churn" | "memory" => "observations.csv".to_owned(),
        name => format!("{name}.csv"),
    }
}

/// The records of a report, kind by kind, and what was run.
#[derive(Clone)]
pub struct Set {
    run: Value,
    files: BTreeMap<String, Vec<Row>>,
}

impl Set {
    /// Some files of the records of a report.
    pub fn read(report: &str, files: &[&str]) -> Self {
        let reports = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports");
        let folder = reports.join(report);
        let file = |name: &&str| {
            let path = folder.join("records").join(file_of(name));
            let rows = csv::Reader::from_path(path).unwrap().into_deserialize();
            let mut rows: Vec<Row> = rows.map(|row| Row(row.unwrap())).collect();
            rows.retain(|row| match *name {
                "fpr" => !row.is("sweep", "churn") && !row.is("sweep", "memory"),
                "churn" | "memory" => row.is("sweep", name),
                _ => true,
            });
            ((*name).to_owned(), rows)
        };
        let run = fs::read(folder.join("run.json")).unwrap();
        let mut run: Value = serde_json::from_slice(&run).unwrap();
        // It counts the rows, which tests change.
        run["rows"] = json!({});
        Self {
            run,
            files: files.iter().map(file).collect(),
        }
    }

    pub fn rows(&self, file: &str) -> &[Row] {
        &self.files[file]
    }

    /// With a file of these rows.
    pub fn put(mut self, file: &str, rows: Vec<Row>) -> Self {
        self.files.insert(file.to_owned(), rows);
        self
    }

    /// Without the rows of a file that do not keep to this.
    pub fn only(&self, file: &str, is_kept: impl Fn(&Row) -> bool) -> Self {
        let mut set = self.clone();
        set.files.get_mut(file).unwrap().retain(is_kept);
        set
    }

    /// With the rows of a file changed.
    pub fn with(&self, file: &str, change: impl FnMut(&mut Row)) -> Self {
        let mut set = self.clone();
        set.files.get_mut(file).unwrap().iter_mut().for_each(change);
        set
    }

    /// The filters and schemes of which this is so.
    pub fn subjects(&self, key: &str, value: impl Into<Value>) -> Vec<&str> {
        let (all, value) = (self.run["subjects"].as_array().unwrap(), value.into());
        let own = all.iter().filter(|one| one[key] == value);
        own.map(|one| one["subject"].as_str().unwrap()).collect()
    }

    /// With all filters and schemes so.
    pub fn with_subjects(&self, key: &str, value: &str) -> Self {
        let mut set = self.clone();
        let all = set.run["subjects"].as_array_mut().unwrap();
        all.iter_mut().for_each(|one| one[key] = value.into());
        set
    }

    /// The sentences of the report: its title by no name, its first paragraph as "scope", that
    /// above the glance as "glance", what stands above each chart by the chart's name.
    pub fn sentences(&self) -> BTreeMap<String, String> {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let place = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = format!("bouquet-sentences-{}-{place}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        let records = folder.join("records");
        fs::create_dir_all(&records).unwrap();
        fs::write(folder.join("run.json"), self.run.to_string()).unwrap();
        let mut files = BTreeMap::new();
        for (name, rows) in &self.files {
            for Row(row) in rows {
                let csv = files.entry(file_of(name)).or_insert_with_key(|file| {
                    let mut csv = csv::Writer::from_path(records.join(file)).unwrap();
                    csv.write_record(row.keys()).unwrap();
                    csv
                });
                csv.write_record(row.values()).unwrap();
            }
        }
        drop(files);
        let r = Source::new(&folder).unwrap().read().unwrap();
        match r.kind {
            Kind::Evaluation => drop(bouquet_render::write_report(&r, &folder).unwrap()),
            Kind::Speed => {
                bouquet_render::speed::write_report(&r, &folder).unwrap();
            }
        }
        let page = fs::read_to_string(folder.join("README.md")).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        let lines: Vec<&str> = page.lines().filter(|line| !line.is_empty()).collect();
        let mut said = BTreeMap::new();
        for pair in lines.windows(2) {
            let [above, line] = [pair[0], pair[1]];
            if let Some((_, chart)) = line.split_once("](charts/") {
                let name = chart.trim_end_matches(".svg)").to_owned();
                said.insert(name, above.trim_start_matches("### ").to_owned());
            } else if above == "## At a glance" {
                said.insert("glance".to_owned(), line.to_owned());
            } else if line.contains(" p-values of ") {
                said.insert("locations".to_owned(), line.to_owned());
            }
        }
        said.insert(String::new(), lines[0].trim_start_matches("# ").to_owned());
        said.insert("scope".to_owned(), lines[1].to_owned());
        said
    }
}

/// Groups by what they have in common, in the order of the first of each.
pub fn grouped<'a, T, K: PartialEq>(
    rows: impl IntoIterator<Item = &'a T>,
    key: impl Fn(&'a T) -> K,
) -> Vec<(K, Vec<&'a T>)> {
    let mut groups: Vec<(K, Vec<&T>)> = Vec::new();
    for row in rows {
        let own = key(row);
        match groups.iter_mut().rev().find(|(key, _)| *key == own) {
            Some((_, group)) => group.push(row),
            None => groups.push((own, vec![row])),
        }
    }
    groups
}

/// The sum of a column.
pub fn sum<'a>(rows: impl IntoIterator<Item = &'a Row>, key: &str) -> f64 {
    rows.into_iter().map(|row| row.number(key)).sum()
}

pub fn most(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(f64::MIN, f64::max)
}

pub fn least(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(f64::MAX, f64::min)
}

/// "a", "a and b", "a, b and c".
pub fn listed<T: ToString>(names: &[T]) -> String {
    let names: Vec<String> = names.iter().map(T::to_string).collect();
    match names.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        names => names.concat(),
    }
}

/// A sentence as it must read, with a place for each number.
#[derive(Default)]
pub struct Said {
    pattern: String,
    numbers: Vec<f64>,
}

impl Said {
    /// More of the sentence: `{}` is a number that stands for this one rounded, `{#}`
    /// the number itself, `{^}` one that it does not pass.
    pub fn and(&mut self, pattern: &str, numbers: &[f64]) {
        self.pattern += pattern;
        self.numbers.extend(numbers);
    }

    /// Ends the test if this is not the sentence.
    pub fn is(&self, sentence: &str) {
        let Self { pattern, numbers } = self;
        let context = format!("\n  {sentence:?}\nmust be\n  {pattern:?} with {numbers:?}");
        let mut numbers = numbers.iter();
        let mut rest = sentence;
        for (at, piece) in pattern.split('{').enumerate() {
            let piece = if at == 0 {
                piece
            } else {
                let (kind, piece) = piece.split_once('}').unwrap();
                let no_digit = |c: char| !(c.is_ascii_digit() || ",.e-".contains(c));
                let number = &rest[..rest.find(no_digit).unwrap_or(rest.len())];
                let number = number.trim_end_matches([',', '.']);
                rest = &rest[number.len()..];
                let exact = *numbers.next().unwrap();
                assert!(
                    stands_for(number, exact, kind),
                    "{number:?} for {exact}: {context}"
                );
                piece
            };
            let read = rest.strip_prefix(piece);
            assert!(read.is_some(), "{piece:?} is not at {rest:?}: {context}");
            rest = read.unwrap();
        }
        assert!(rest.is_empty(), "{rest:?} is left: {context}");
    }
}

/// Whether a number, printed with two digits at least, stands for this one.
fn stands_for(text: &str, exact: f64, kind: &str) -> bool {
    let Ok(number) = text.replace(',', "").parse::<f64>() else {
        return false;
    };
    let (mantissa, power) = text.split_once('e').unwrap_or((text, "0"));
    let decimals = mantissa
        .split_once('.')
        .map_or(0, |(_, digits)| digits.len());
    let last = 10f64.powi(power.parse::<i32>().unwrap() - decimals as i32);
    // Noughts are left out behind the point, and stand for digits before it.
    let second = 10f64.powf(number.abs().log10().floor() - 1.0);
    let by = match kind {
        "^" => return (-1e-12..0.1001).contains(&(number - exact)),
        "#" => 0.0,
        _ if number == 0.0 => last,
        _ if number % (10.0 * last) == 0.0 => second,
        _ => last.min(second),
    };
    (number - exact).abs() <= 0.5001 * by
}
