//! Reads the records of a report.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, anyhow, bail, ensure};
use csv::{ErrorKind, Position};

use crate::folder::shown;

use super::{HISTOGRAM, Observation, RUN_FILE, Records, Row, Run, SCHEMA_VERSION, Sweep, TestRow};

/// The records of one run.
#[derive(Debug)]
pub struct Source {
    report: PathBuf,
    run: Run,
}

impl Source {
    /// Opens the report in the folder `path`, or that whose folder of records is `path`.
    ///
    /// Fails if there is no report, or one that another version wrote.
    pub fn new(path: &Path) -> Result<Self> {
        let given = path.display();
        let path = fs::canonicalize(path).with_context(|| format!("cannot read {given}"))?;
        let report = match path.parent() {
            Some(report) if path.ends_with("records") => report.to_path_buf(),
            _ => path,
        };
        let file = report.join(RUN_FILE);
        let text = match fs::read_to_string(&file) {
            Err(_) if !file.exists() => bail!(
                "{given} is no report: it has no {RUN_FILE}; name the folder that a run wrote \
                 with --out"
            ),
            text => text.with_context(|| format!("cannot read {}", from_here(&file).display()))?,
        };
        let run: Run = serde_json::from_str(&text).map_err(|error| {
            anyhow!(
                "{}: {error}; take a copy that is whole, or measure again",
                from_here(&file).display()
            )
        })?;
        let fact = |name: &str| run.facts.get(name).map_or("", String::as_str);
        ensure!(
            fact("schema_version") == SCHEMA_VERSION.to_string(),
            "{}: schema version {:?}, this program reads {SCHEMA_VERSION}; measure again, or take \
             the program of revision {:?}, which wrote it",
            from_here(&file).display(),
            fact("schema_version"),
            fact("revision")
        );
        Ok(Self { report, run })
    }

    /// The folder of the report.
    pub fn report(&self) -> &Path {
        &self.report
    }

    /// Reads all records.
    ///
    /// Fails if a row cannot be read, or if there are fewer or more rows than the run wrote.
    pub fn read(self) -> Result<Records> {
        self.check_rows()?;
        let (mut fpr, mut memory, mut churn) = (Vec::new(), Vec::new(), Vec::new());
        for row in self.rows::<Observation>()? {
            match row.sweep {
                Sweep::BitsPerKey | Sweep::Load | Sweep::TargetFpr => fpr.push(row),
                Sweep::Memory => memory.push(row),
                Sweep::Churn => churn.push(row),
            }
        }
        let tests: Vec<TestRow> = self.rows()?;
        let (histograms, tests): (Vec<_>, Vec<_>) =
            tests.into_iter().partition(|row| row.test == HISTOGRAM);
        let in_battery = |row: &TestRow| row.experiment.is_empty();
        let (battery, location_sets) = tests.into_iter().partition(in_battery);
        Ok(Records {
            battery,
            fpr,
            memory,
            churn,
            times: self.rows()?,
            location_sets,
            histograms,
            kind: self.run.kind,
            facts: self.run.facts,
            experiments: self.run.experiments,
            subjects: self.run.subjects,
            datasets: self.run.key_sets,
        })
    }

    /// Fails if a file has more or fewer rows than the run wrote, since no verdict would show that.
    /// The document of an interrupted run has no counts.
    fn check_rows(&self) -> Result<()> {
        for (name, wrote) in &self.run.rows {
            let path = self.file(name);
            ensure!(
                path.exists(),
                "{name} is missing among the records: the run wrote {wrote} rows there"
            );
            let found = csv::Reader::from_path(&path)?.into_records().count();
            ensure!(
                found as u64 == *wrote,
                "{}: {found} rows, the run wrote {wrote}; a verdict takes all of them, so measure \
                 again",
                from_here(&path).display()
            );
        }
        Ok(())
    }

    /// Copies the records and their document into a new folder.
    pub fn copy_to(&self, folder: &Path) -> Result<()> {
        let copy = || -> io::Result<()> {
            fs::copy(self.report.join(RUN_FILE), folder.join(RUN_FILE))?;
            let records = self.report.join("records");
            if !records.exists() {
                return Ok(());
            }
            fs::create_dir(folder.join("records"))?;
            for entry in fs::read_dir(records)? {
                let path = entry?.path();
                if path.extension().is_some_and(|ending| ending == "csv") && path.is_file() {
                    let name = path.file_name().unwrap_or_default();
                    fs::copy(&path, folder.join("records").join(name))?;
                }
            }
            Ok(())
        };
        copy().with_context(|| {
            let (from, to) = (self.report.display(), shown(folder));
            format!("cannot copy the records of {from} to {}", to.display())
        })
    }

    fn file(&self, name: &str) -> PathBuf {
        self.report.join("records").join(name)
    }

    /// The rows of one kind; empty if the run has none.
    fn rows<R: Row>(&self) -> Result<Vec<R>> {
        let path = self.file(R::FILE);
        if !path.exists() {
            return Ok(Vec::new());
        }
        let file = File::open(&path).with_context(|| format!("cannot open {}", path.display()))?;
        let wrong = |mistake| {
            let file = from_here(&path).display();
            anyhow!("{file}: {mistake}; take a copy that is whole, or measure again")
        };
        let mut reader = csv::Reader::from_reader(file);
        let head = reader.headers().cloned();
        let head = head.map_err(|error| wrong(line_and_mistake(&error)))?;
        let rows = reader.records().map(|record| {
            let read = record.and_then(|cells| Ok((cells.deserialize(Some(&head))?, cells)));
            let (row, cells): (R, _) = read.map_err(|error| wrong(line_and_mistake(&error)))?;
            let not_ours = row
                .cells(&self.run)
                .into_iter()
                .find(|(.., can_be)| !can_be);
            let Some((column, value, _)) = not_ours.map(|(a, b, c)| (a, b.to_string(), c)) else {
                return Ok(row);
            };
            let line = cells.position().map_or(1, Position::line);
            Err(wrong(format!("line {line}: {column} cannot be {value:?}")))
        });
        rows.collect()
    }
}

/// The path relative to the working directory if it is inside it.
fn from_here(path: &Path) -> &Path {
    let here = std::env::current_dir().and_then(fs::canonicalize);
    let inside = here.ok().and_then(|here| path.strip_prefix(here).ok());
    inside.unwrap_or(path)
}

/// The line of a CSV error, and the mistake there, with the column (counted from 1) if it is known.
pub fn line_and_mistake(error: &csv::Error) -> String {
    let line = error.position().map_or(1, Position::line);
    let what = match error.kind() {
        ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("{expected_len} columns, and values for {len}"),
        ErrorKind::Utf8 { .. } => "no text in UTF-8".to_owned(),
        ErrorKind::Deserialize { err, .. } => match err.field() {
            Some(column) => format!("column {}: {}", column + 1, err.kind()),
            None => err.kind().to_string(),
        },
        kind => format!("{kind:?}"),
    };
    format!("line {line}: {what}")
}
