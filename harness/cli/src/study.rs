//! The runner of every command that measures and writes a folder: a command says what
//! to measure and writes its rows; what is the same in all of them is here.

pub mod keys;

use std::{
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cmd::{Format, print, tell};
use bouquet_ground::{
    Outcome, command, machine, parallel,
    record::{ExperimentRow, Recorded, Row, RowWriter, RunRow, SCHEMA_VERSION, Source, write_run},
    staging::Staging,
};

/// A folder of a report that is being made, with its records.
pub struct Study {
    staging: Staging,
    records: PathBuf,
}

impl Study {
    /// Begun before anything is measured: who names a folder that cannot be written
    /// hears of it then.
    pub fn begin(out: &Path) -> Result<Self> {
        let staging = Staging::begin(out)?;
        let records = staging.path().join("records");
        fs::create_dir(&records).with_context(|| format!("cannot create {}", records.display()))?;
        Ok(Self { staging, records })
    }

    /// Where the report goes for now.
    pub fn path(&self) -> &Path {
        self.staging.path()
    }

    /// A file for rows that are written as they come.
    pub fn rows<R: Row>(&self) -> Result<RowWriter<R>> {
        RowWriter::create(&self.records)
    }

    /// Writes all rows of a kind.
    pub fn write<R: Row>(&self, rows: &[R]) -> Result<()> {
        let mut writer = self.rows::<R>()?;
        rows.iter().try_for_each(|row| writer.write(row))?;
        writer.finish()
    }

    /// Adds rows to those of a kind that were written.
    #[cfg(feature = "peers")]
    pub fn append<R: Row>(&self, more: Vec<R>) -> Result<()> {
        let mut rows: Vec<R> = self.written()?.rows()?;
        rows.extend(more);
        self.write(&rows)
    }

    /// What was written so far.
    pub fn written(&self) -> Result<Source> {
        Source::new(std::slice::from_ref(&self.records))
    }

    /// Measures cells on all threads, and writes the rows of each as they come.
    pub fn measure<C: Sync, R: Row + Send>(
        &self,
        cells: &[C],
        jobs: Option<usize>,
        quiet: bool,
        measure: impl Fn(&C) -> Vec<R> + Sync,
    ) -> Result<()> {
        let mut writer = self.rows::<R>()?;
        let bar = progress(quiet, cells.len() as u64)?;
        parallel::in_order(cells, threads(jobs), measure, |rows| {
            bar.inc(1);
            rows.iter().try_for_each(|row| writer.write(row))
        })?;
        bar.finish_and_clear();
        writer.finish()
    }

    /// Writes the facts of the run, after all rows.
    pub fn write_facts(&self, facts: Vec<RunRow>) -> Result<()> {
        write_run(&self.records, facts)
    }

    /// Writes the report of the records, puts it in its place and shows the results;
    /// gives the exit code.
    pub fn finish(self, flags: &Flags<'_>, report: Report) -> Result<u8> {
        let recorded = self.written()?.read()?;
        let (outcome, text) = report(&recorded, self.path(), flags.format)?;
        self.commit()?;
        print(&text)?;
        let out = flags.out.display();
        let words = format!("seed {}; the report is in {out}", flags.seed);
        say(flags.quiet, &words);
        Ok(outcome.exit_code(flags.strict))
    }

    /// Puts the report in its place.
    pub fn commit(self) -> Result<()> {
        self.staging.commit()
    }
}

/// Writes the report of records into a folder, and gives what it comes to and the
/// results for standard output.
pub type Report = fn(&Recorded, &Path, Format) -> Result<(Outcome, String)>;

/// What every command has of flags.
pub struct Flags<'a> {
    pub out: &'a Path,
    pub seed: u64,
    pub quiet: bool,
    pub format: Format,
    pub strict: bool,
}

/// An experiment as it is recorded.
pub fn experiment(name: &str, kind: &str, title: &str, analysis: &str) -> ExperimentRow {
    ExperimentRow {
        experiment: name.into(),
        kind: kind.into(),
        title: title.into(),
        analysis: analysis.trim().into(),
    }
}

/// Threads that measure: all cores if not given.
pub fn threads(jobs: Option<usize>) -> usize {
    jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

pub fn say(quiet: bool, text: &str) {
    if !quiet {
        tell(text);
    }
}

/// A bar on a terminal, nothing elsewhere.
pub fn progress(quiet: bool, cells: u64) -> Result<ProgressBar> {
    let target = if quiet {
        ProgressDrawTarget::hidden()
    } else {
        ProgressDrawTarget::stderr()
    };
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} cells, {eta} to go")?;
    Ok(ProgressBar::with_draw_target(Some(cells), target).with_style(style))
}

/// The facts of a run, with the command that repeats it.
pub fn facts(profile: Option<&str>, seed: u64, started: Instant) -> Vec<RunRow> {
    let seconds = started.elapsed().as_secs_f64();
    let own = [
        ("schema_version", SCHEMA_VERSION.to_string()),
        ("version", env!("CARGO_PKG_VERSION").to_string()),
        ("revision", machine::revision()),
        ("command", command::own()),
    ];
    let profile = profile.map(|profile| ("profile", profile.to_owned()));
    let of_run = [
        ("seed", seed.to_string()),
        ("duration_s", format!("{seconds:.1}")),
    ];
    let all = own.into_iter().chain(profile).chain(of_run);
    rows(all.chain(machine::facts()))
}

/// Facts as rows.
pub fn rows(facts: impl IntoIterator<Item = (&'static str, String)>) -> Vec<RunRow> {
    let row = |(name, value): (&str, String)| RunRow {
        name: name.into(),
        value,
    };
    facts.into_iter().map(row).collect()
}
