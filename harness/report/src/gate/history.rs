//! The history of the gate: a file with one line of JSON per run. Lines are only ever appended.

mod page;
#[cfg(test)]
mod tests;

use std::{
    collections::BTreeMap,
    fs::File,
    io::{Read as _, Seek as _, Write as _},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use page::page;

use super::has_figures;
use bouquet_record::{Configuration, Figure, GateDocument, GateRow, Outcome, Tier, units::sha256};

/// Changed when a field is removed or changes its meaning.
const SCHEMA: &str = "urn:bouquet:gate-history:1";
/// What precedes the checksum, the last field of a line. The checksum is of the text before this.
const CHECK: &str = ",\"check\":\"";
const EDITED: &str = "bouquet gate did not write this line, or it was edited since: restore the file, \
                      or delete the line";

/// The line of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Entry {
    schema: String,
    date: String,
    /// The commit of the project whose filters are guarded.
    revision: String,
    /// The revision of the program.
    program: String,
    /// What times depend on. Times of two machines are not comparable.
    machine: String,
    build: String,
    profile: String,
    pub verdict: Outcome,
    filters: Vec<Measured>,
}

/// The figures of one filter, `None` for those of tiers that were not measured.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Measured {
    name: String,
    fpr: Option<Rate>,
    bits_per_key: Option<f64>,
    memory_bytes: Option<u64>,
    /// Nanoseconds per key, by operation.
    ns: BTreeMap<String, f64>,
}

/// The FPR at capacity, as a fraction, with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct Rate {
    rate: f64,
    low: f64,
    high: f64,
}

impl Entry {
    pub fn of(document: &GateDocument, revision: String, machine: String) -> Self {
        let fact = |name| document.fact(name).to_owned();
        let filters = document.configuration.iter();
        Self {
            schema: SCHEMA.into(),
            date: fact("date"),
            revision,
            program: fact("revision"),
            machine,
            build: fact("build"),
            profile: fact("profile"),
            verdict: document.verdict.standing,
            filters: filters.map(|own| measured(document, own)).collect(),
        }
    }

    fn text(&self) -> Result<String> {
        let text = serde_json::to_string(self)?;
        let body = text.strip_suffix('}').unwrap_or(&text);
        Ok(format!("{body}{CHECK}{}\"}}\n", checksum(body)))
    }
}

fn measured(document: &GateDocument, own: &Configuration) -> Measured {
    let value = |tier, what| document.row((tier, &own.name, what))?.value.as_ref();
    // A filter has the first of these rows if its key set has too few keys to fill it.
    let fpr = ["FPR at capacity", "FPR"].into_iter().find_map(|what| {
        let &Figure::Rate {
            rate, low, high, ..
        } = value(Tier::Statistical, what)?
        else {
            return None;
        };
        Some(Rate { rate, low, high })
    });
    let memory_bytes = match value(Tier::Exact, "memory") {
        Some(Figure::Count { count, .. }) => Some(*count),
        _ => None,
    };
    let is_own = |row: &&GateRow| row.tier == Tier::Time && row.subject == own.name;
    let times = document.rows.iter().filter(is_own);
    let times = times.filter(|_| has_figures(document, Tier::Time));
    let ns = times.filter_map(|row| match row.value {
        Some(Figure::Ratio { ns, .. }) => Some((row.what.clone(), ns)),
        _ => None,
    });
    Measured {
        name: own.name.clone(),
        fpr,
        bits_per_key: memory_bytes.map(|bytes| 8.0 * bytes as f64 / own.capacity as f64),
        memory_bytes,
        ns: ns.collect(),
    }
}

fn checksum(body: &str) -> String {
    sha256(body.as_bytes()).chars().take(16).collect()
}

/// A history that is open for the run to come.
pub struct History {
    file: File,
    path: PathBuf,
}

impl History {
    /// Opens the file, or creates it.
    ///
    /// Fails if it cannot be written, or if one of its lines is not sound.
    pub fn open(path: &Path) -> Result<Self> {
        let mut options = File::options();
        let file = options.read(true).append(true).create(true).open(path);
        let shown = path.display();
        let file = file.with_context(|| format!("cannot open the history {shown}"))?;
        // Reading a pipe would block forever.
        let is_regular = file.metadata().is_ok_and(|of| of.is_file());
        ensure!(is_regular, "the history {shown} is not a regular file");
        let path = path.to_owned();
        let own = Self { file, path };
        read(&own.path, &own.text()?)?;
        Ok(own)
    }

    /// Appends a line, and returns all lines.
    ///
    /// Fails, and appends nothing, if a line of the file is not sound.
    pub fn append(&self, entry: Entry) -> Result<Vec<Entry>> {
        // Not every file system can lock; even then no other run's line is overwritten.
        let _ = self.file.lock();
        let text = self.text()?;
        let mut entries = read(&self.path, &text)?;
        // An editor may have removed the last line end.
        let end = match text.is_empty() || text.ends_with('\n') {
            true => "",
            false => "\n",
        };
        let line = format!("{end}{}", entry.text()?);
        let written = (&self.file).write_all(line.as_bytes());
        written.with_context(|| format!("cannot write to {}", self.path.display()))?;
        entries.push(entry);
        Ok(entries)
    }

    fn text(&self) -> Result<String> {
        let mut bytes = Vec::new();
        let mut file = &self.file;
        let read = file.rewind().and_then(|()| file.read_to_end(&mut bytes));
        read.with_context(|| format!("cannot read {}", self.path.display()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// Reads all lines. An error names the file and the line, and says what to do.
fn read(path: &Path, text: &str) -> Result<Vec<Entry>> {
    let lines: Vec<&str> = text.lines().collect();
    let is_cut = |at| at == lines.len() && !text.ends_with('\n');
    let entries = (1..).zip(&lines).map(|(at, line)| {
        let entry = entry(line, is_cut(at));
        entry.with_context(|| format!("{}:{at}", path.display()))
    });
    entries.collect()
}

fn entry(line: &str, is_cut: bool) -> Result<Entry> {
    let json: Value = serde_json::from_str(line).unwrap_or_default();
    match json["schema"].as_str() {
        Some(SCHEMA) => {}
        Some(other) => bail!(
            "the line has the schema {other:?}, this program writes {SCHEMA:?}: keep the file, and \
             name another one for this program"
        ),
        None if is_cut => bail!("the last line is cut short: restore the file, or delete the line"),
        None => bail!(EDITED),
    }
    let (body, check) = line.rsplit_once(CHECK).context(EDITED)?;
    ensure!(check == format!("{}\"}}", checksum(body)), EDITED);
    serde_json::from_str(line).context(EDITED)
}
