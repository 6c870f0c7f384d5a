//! Reads the records of a report.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, anyhow, ensure};
use csv::{ErrorKind, Position};

use crate::folder::shown;

use super::{
    HISTOGRAM, Observation, RUN_FILE, Records, Row, Run, SCHEMA_VERSION, Sweep, TestRow, TimingRow,
};

/// The records of one run.
#[derive(Debug)]
pub struct Source {
    /// The folder of the report.
    pub report: PathBuf,
    run: Run,
}

impl Source {
    /// Opens the report in the folder `path`, or in its parent if `path` is a folder of records.
    ///
    /// Fails if there is no report, or if another version wrote it.
    pub fn new(path: &Path) -> Result<Self> {
        fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
        let report = match path.parent() {
            Some(report) if path.ends_with("records") => report.to_path_buf(),
            _ => path.to_path_buf(),
        };
        let file = report.join(RUN_FILE);
        let shown = file.display();
        ensure!(
            file.exists(),
            "{} is no report: it has no {RUN_FILE}; name the folder that a run wrote with --out",
            path.display()
        );
        let text = fs::read_to_string(&file).with_context(|| format!("cannot read {shown}"))?;
        let run: Run = serde_json::from_str(&text).map_err(|error| {
            anyhow!("{shown}: {error}; take a copy that is whole, or measure again")
        })?;
        let fact = |name: &str| run.facts.get(name).map_or("", String::as_str);
        ensure!(
            fact("schema_version") == SCHEMA_VERSION.to_string(),
            "{shown}: schema version {:?}, this program reads {SCHEMA_VERSION}; measure again, or \
             take the program of revision {:?}, which wrote it",
            fact("schema_version"),
            fact("revision")
        );
        Ok(Self { report, run })
    }

    /// Reads all records.
    ///
    /// Fails if a row cannot be read, or if there are fewer or more rows than the run wrote.
    pub fn read(&self) -> Result<Records> {
        let mut all = Records {
            times: self.rows()?,
            ..Records::default()
        };
        for row in self.rows::<Observation>()? {
            match row.sweep {
                Sweep::BitsPerKey | Sweep::Load | Sweep::TargetFpr => all.fpr.push(row),
                Sweep::Memory => all.memory.push(row),
                Sweep::Churn => all.churn.push(row),
            }
        }
        for row in self.rows::<TestRow>()? {
            match &*row.experiment {
                _ if row.test == HISTOGRAM => all.histograms.push(row),
                "" => all.battery.push(row),
                _ => all.location_sets.push(row),
            }
        }
        Ok(Records {
            kind: self.run.kind,
            facts: self.run.facts.clone(),
            experiments: self.run.experiments.clone(),
            subjects: self.run.subjects.clone(),
            datasets: self.run.key_sets.clone(),
            ..all
        })
    }

    /// Copies the records and the document [`Run`] into a new folder.
    pub fn copy_to(&self, folder: &Path) -> Result<()> {
        let copy = || -> io::Result<()> {
            fs::copy(self.report.join(RUN_FILE), folder.join(RUN_FILE))?;
            fs::create_dir(folder.join("records"))?;
            let files = [Observation::FILE, TestRow::FILE, TimingRow::FILE];
            let files = files.into_iter().filter(|name| self.file(name).exists());
            for name in files {
                fs::copy(self.file(name), folder.join("records").join(name))?;
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

    /// The rows of one kind; empty if the run has none. Fails if the number of rows differs from
    /// what the run wrote: no verdict would show the difference. Interrupted runs record no number.
    fn rows<R: Row>(&self) -> Result<Vec<R>> {
        let (name, path) = (R::FILE, self.file(R::FILE));
        let (shown, wrote) = (path.display(), self.run.rows.get(name).copied());
        if !path.exists() {
            let wrote = wrote.unwrap_or(0);
            ensure!(
                wrote == 0,
                "{name} is missing among the records: the run wrote {wrote} rows there"
            );
            return Ok(Vec::new());
        }
        let wrong = |position: Option<&Position>, mistake: String| {
            let line = position.map_or(1, Position::line);
            anyhow!("{shown}: line {line}: {mistake}; take a copy that is whole, or measure again")
        };
        let unreadable = |error: csv::Error| match error.kind() {
            ErrorKind::Deserialize { err, .. } => {
                let column = err.field().map_or(0, |column| column + 1);
                wrong(error.position(), format!("column {column}: {}", err.kind()))
            }
            _ => wrong(error.position(), error.to_string()),
        };
        let file = File::open(&path).with_context(|| format!("cannot open {shown}"))?;
        let mut reader = csv::Reader::from_reader(file);
        let head = reader.headers().map_err(unreadable)?.clone();
        let mut rows: Vec<R> = Vec::new();
        for cells in reader.into_records() {
            let cells = cells.map_err(unreadable)?;
            let row: R = cells.deserialize(Some(&head)).map_err(unreadable)?;
            let mut checked = row.cells(&self.run).into_iter();
            if let Some((column, _)) = checked.find(|(_, can_be)| !can_be) {
                let at = head.iter().position(|name| name == column);
                let cell = at.and_then(|at| cells.get(at)).unwrap_or_default();
                let mistake = format!("{column} cannot be {cell:?}");
                return Err(wrong(cells.position(), mistake));
            }
            rows.push(row);
        }
        let (found, wrote) = (rows.len() as u64, wrote.unwrap_or(rows.len() as u64));
        ensure!(
            found == wrote,
            "{shown}: {found} rows, the run wrote {wrote}; a verdict takes all of them, so measure \
             again"
        );
        Ok(rows)
    }
}
