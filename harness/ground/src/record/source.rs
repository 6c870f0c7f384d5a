//! Where records are read from: a report, its folder of records, or the files
//! themselves.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use anyhow::{Context, Error, Result, anyhow, ensure};
use csv::{ErrorKind, Position};

use crate::folder::shown;

use super::{
    FprRow, Kind, ROWS, Records, Row, RunRow, SCHEMA_BEFORE, SCHEMA_VERSION, SpeedRow, cells, fact,
};

/// Files of records of one run.
#[derive(Debug)]
pub struct Source {
    files: Vec<PathBuf>,
    /// The report that they belong to, if they are all of its records.
    report: Option<PathBuf>,
}

impl Source {
    /// The records at `paths`: one folder, or files.
    ///
    /// Fails if nothing is there, if two files have one name, or if a folder
    /// and something else are given.
    pub fn new(paths: &[PathBuf]) -> Result<Self> {
        let in_full = |path: &PathBuf| {
            fs::canonicalize(path).with_context(|| format!("cannot read {}", path.display()))
        };
        if let [path] = paths
            && !path.is_file()
        {
            let path = in_full(path)?;
            let inside = path.file_name().is_some_and(|name| name == "records");
            let folder = if inside { path } else { path.join("records") };
            ensure!(
                folder.is_dir(),
                "{} is no report: there is no folder `records` in it; name the folder that a run \
                 wrote with --out",
                paths[0].display()
            );
            return Ok(Self {
                files: files_in(&folder)?,
                report: folder.parent().map(Path::to_path_buf),
            });
        }
        let mut files: Vec<PathBuf> = Vec::new();
        for path in paths {
            let file = in_full(path)?;
            ensure!(
                file.is_file(),
                "{} is no file: give one folder, or files",
                path.display()
            );
            ensure!(
                files
                    .iter()
                    .all(|other| other.file_name() != file.file_name()),
                "{}: duplicate file name; every input needs its own",
                path.display()
            );
            files.push(file);
        }
        files.sort();
        let report = report_of(&files)?;
        Ok(Self { files, report })
    }

    /// The folder of the report that these are all the records of.
    pub fn report(&self) -> Option<&Path> {
        self.report.as_deref()
    }

    /// Reads what they are the records of.
    ///
    /// Fails if a kind of row is missing, if a row cannot be read, if there are
    /// fewer or more rows than the run wrote, or if the schema version is not
    /// that of this program.
    pub fn read(&self) -> Result<Records> {
        let run: Vec<RunRow> = self.rows()?;
        let is_before = self.is_before(&run)?;
        self.check_rows(&run)?;
        let kind = self.kind();
        if is_before && kind != Kind::Speed {
            return Err(self.of_another_version(&run)?);
        }
        Ok(Records {
            kind,
            run,
            experiments: self.rows()?,
            subjects: self.rows()?,
            datasets: self.rows()?,
            battery: self.rows_if_any()?,
            fpr: self.rows_if_any()?,
            memory: self.rows_if_any()?,
            churn: self.rows_if_any()?,
            speed: self.rows_if_any()?,
            roofline: self.rows_if_any()?,
            threads: self.rows_if_any()?,
            location_sets: self.rows_if_any()?,
            histograms: self.rows_if_any()?,
        })
    }

    /// Rejects records of which the run wrote more or fewer: no verdict would say so. An
    /// interrupted run has counted none.
    fn check_rows(&self, run: &[RunRow]) -> Result<()> {
        for listed in fact(run, ROWS).split(", ") {
            let Some((name, wrote)) = listed.split_once(' ') else {
                continue;
            };
            let path = self.find(name).map_err(|_| {
                anyhow!("{name} is missing among the records: the run wrote {wrote} rows there")
            })?;
            let found = csv::Reader::from_path(path)?.into_records().count();
            ensure!(
                found.to_string() == wrote,
                "{}: {found} rows, the run wrote {wrote}; a verdict takes all of them, so measure \
                 again",
                from_here(path).display()
            );
        }
        Ok(())
    }

    /// By the first of these files that is there; an evaluation has others beside its own.
    fn kind(&self) -> Kind {
        let files = [
            (SpeedRow::FILE, Kind::Speed),
            (FprRow::FILE, Kind::Evaluation),
        ];
        let there = files.into_iter().find(|(file, _)| self.find(file).is_ok());
        there.map_or(Kind::Evaluation, |(_, kind)| kind)
    }

    /// Whether the run is of the version before, else an error unless it is of this one.
    fn is_before(&self, run: &[RunRow]) -> Result<bool> {
        match fact(run, "schema_version") {
            version if version == SCHEMA_VERSION.to_string() => Ok(false),
            version if version == SCHEMA_BEFORE.to_string() => Ok(true),
            _ => Err(self.of_another_version(run)?),
        }
    }

    fn of_another_version(&self, run: &[RunRow]) -> Result<Error> {
        Ok(anyhow!(
            "{}: schema version {:?}, this program reads {SCHEMA_VERSION}; measure again, or take \
             the program of revision {:?}, which wrote it",
            self.find(RunRow::FILE)?.display(),
            fact(run, "schema_version"),
            fact(run, "revision")
        ))
    }

    /// Copies the files into a new folder.
    pub fn copy_to(&self, folder: &Path) -> Result<()> {
        fs::create_dir(folder)
            .with_context(|| format!("cannot create {}", shown(folder).display()))?;
        for path in &self.files {
            let name = path.file_name().unwrap_or_default();
            copy(path, &folder.join(name)).with_context(|| {
                format!(
                    "cannot copy {} to {}",
                    path.display(),
                    shown(folder).display()
                )
            })?;
        }
        Ok(())
    }

    /// The rows of one kind.
    pub fn rows<R: Row>(&self) -> Result<Vec<R>> {
        read_file(self.find(R::FILE)?)
    }

    /// The same of a kind that the run may have none of: what it wrote is listed among its facts.
    fn rows_if_any<R: Row>(&self) -> Result<Vec<R>> {
        self.find(R::FILE).map_or(Ok(Vec::new()), read_file)
    }

    fn find(&self, file: &str) -> Result<&Path> {
        let named = |path: &&PathBuf| path.file_name().is_some_and(|name| name == file);
        let found = self.files.iter().find(named).map(PathBuf::as_path);
        found.with_context(|| {
            let place = match &self.files[..] {
                [only] => Some(only.as_path()),
                all => all.first().and_then(|path| path.parent()),
            };
            let place = place.map_or(String::new(), |place| place.display().to_string());
            format!(
                "{place} is no report: it has no {file}; name the folder that a run wrote with --out"
            )
        })
    }
}

/// Reads the rows of one file.
fn read_file<R: Row>(path: &Path) -> Result<Vec<R>> {
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    cells::read(file).map_err(|error| {
        anyhow!(
            "{}: {}; take a copy that is whole, or measure again",
            from_here(path).display(),
            line_and_mistake(&error)
        )
    })
}

/// The path as seen from the working folder, if it is in there.
fn from_here(path: &Path) -> &Path {
    let here = std::env::current_dir().and_then(fs::canonicalize);
    let inside = here.ok().and_then(|here| path.strip_prefix(here).ok());
    inside.unwrap_or(path)
}

/// The line of a CSV, and what is wrong there: with the column, counted from 1 on, where it is
/// known.
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

/// Copies a file with its mode to where none is.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut from = File::open(from)?;
    let mut to = File::create_new(to)?;
    io::copy(&mut from, &mut to)?;
    to.set_permissions(from.metadata()?.permissions())
}

/// The records in a folder, in the order of the names; whatever else is there is none.
fn files_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let problem = || format!("cannot read {}", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(problem)? {
        let path = entry.with_context(problem)?.path();
        if path.extension().is_some_and(|ending| ending == "csv") && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The report whose folder of records has these files and no others: in the
/// place of a report no record may go missing.
fn report_of(files: &[PathBuf]) -> Result<Option<PathBuf>> {
    let Some(folder) = files.first().and_then(|path| path.parent()) else {
        return Ok(None);
    };
    let whole = folder.ends_with("records") && files_in(folder)? == files;
    Ok(folder.parent().filter(|_| whole).map(Path::to_path_buf))
}
