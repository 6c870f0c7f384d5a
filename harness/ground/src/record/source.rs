//! Where records are read from: a report, its folder of records, or the files
//! themselves.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Error, Result, anyhow, ensure};

use super::{
    AttackRecords, AttackRow, BatteryRecords, BatteryRow, ChurnRow, DatasetRow, ExperimentRow,
    FprRow, MemoryRow, PeerRow, Recorded, Records, Row, RunRow, SCHEMA_BEFORE, SCHEMA_VERSION,
    SpeedRecords, SpeedRow, SubjectRow, fact, read_file, whole,
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
                "{} is a folder: give one folder, or files",
                path.display()
            );
            ensure!(
                files
                    .iter()
                    .all(|other| other.file_name() != file.file_name()),
                "{}: a file of this name was given before",
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
    pub fn read(&self) -> Result<Recorded> {
        let run: Vec<RunRow> = self.rows()?;
        let is_before = self.is_before(&run)?;
        whole::check(&run, &self.files)?;
        let about = Records {
            run,
            experiments: self.rows::<ExperimentRow>()?,
            ..Records::default()
        };
        if self.find::<AttackRow>().is_ok() {
            return Ok(Recorded::Attack(AttackRecords {
                about,
                rows: self.rows()?,
            }));
        }
        let about = Records {
            subjects: self.rows::<SubjectRow>()?,
            datasets: self.rows::<DatasetRow>()?,
            ..about
        };
        if self.find::<SpeedRow>().is_ok() {
            return Ok(Recorded::Speed(SpeedRecords {
                about,
                rows: self.rows()?,
                roofline: self.rows()?,
                threads: self.rows()?,
                hashes: self.rows_if_any()?,
                battery: self.rows_if_any()?,
            }));
        }
        // An evaluation has it beside its own.
        if self.find::<BatteryRow>().is_ok() && self.find::<FprRow>().is_err() {
            let rows = self.rows()?;
            return Ok(Recorded::Battery(BatteryRecords { about, rows }));
        }
        let about = Records {
            peers: self.rows_if_any()?,
            ..about
        };
        if self.find::<PeerRow>().is_ok() && self.find::<FprRow>().is_err() {
            return Ok(Recorded::Scoreboard(about));
        }
        if is_before {
            return Err(self.of_another_version(&about.run)?);
        }
        Ok(Recorded::Evaluation(Records {
            battery: self.rows()?,
            fpr: self.rows::<FprRow>()?,
            memory: self.rows::<MemoryRow>()?,
            churn: self.rows::<ChurnRow>()?,
            phases: self.rows_if_any()?,
            location_sets: self.rows_if_any()?,
            histograms: self.rows_if_any()?,
            ways: self.rows_if_any()?,
            ..about
        }))
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
            self.find::<RunRow>()?.display(),
            fact(run, "schema_version"),
            fact(run, "revision")
        ))
    }

    /// The names of the files that the run says it wrote.
    ///
    /// Fails if the facts of the run cannot be read.
    pub fn written(&self) -> Result<Vec<String>> {
        let run: Vec<RunRow> = self.rows()?;
        let listed = whole::listed(&run)?.into_iter();
        let names = listed.map(|(name, _)| name).chain([RunRow::FILE]);
        Ok(names.map(str::to_owned).collect())
    }

    /// Copies the files into a new folder.
    pub fn copy_to(&self, folder: &Path) -> Result<()> {
        fs::create_dir(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        for path in &self.files {
            let name = path.file_name().unwrap_or_default();
            fs::copy(path, folder.join(name)).with_context(|| {
                format!("cannot copy {} to {}", path.display(), folder.display())
            })?;
        }
        Ok(())
    }

    /// The rows of one kind.
    pub fn rows<R: Row>(&self) -> Result<Vec<R>> {
        read_file(self.find::<R>()?)
    }

    /// The rows of a kind that not every run has.
    fn rows_if_any<R: Row>(&self) -> Result<Vec<R>> {
        match self.find::<R>() {
            Ok(path) => read_file(path),
            Err(_) => Ok(Vec::new()),
        }
    }

    fn find<R: Row>(&self) -> Result<&Path> {
        let named = |path: &&PathBuf| path.file_name().is_some_and(|name| name == R::FILE);
        let found = self.files.iter().find(named).map(PathBuf::as_path);
        found.with_context(|| {
            let beside = self.files.first().and_then(|path| path.parent());
            format!(
                "{} is missing among the records{}",
                R::FILE,
                beside.map_or(String::new(), |folder| format!(" in {}", folder.display()))
            )
        })
    }
}

/// What is in a folder, in the order of the names.
pub(super) fn files_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let problem = || format!("cannot read {}", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(problem)? {
        files.push(entry.with_context(problem)?.path());
    }
    files.sort();
    Ok(files)
}

/// The report whose folder of records has these files and no others: in the
/// place of a report no record may get lost.
fn report_of(files: &[PathBuf]) -> Result<Option<PathBuf>> {
    let Some(folder) = files.first().and_then(|path| path.parent()) else {
        return Ok(None);
    };
    let whole = folder.ends_with("records") && files_in(folder)? == files;
    Ok(folder.parent().filter(|_| whole).map(Path::to_path_buf))
}
