//! Runs an experiment of any kind; it has the code that all kinds share.

use std::{
    fs,
    path::{Component, Path, PathBuf},
    time::Instant,
};

use anyhow::Result;
pub use indicatif::ProgressBar;
use indicatif::{ProgressDrawTarget, ProgressStyle};

use crate::{
    flags::{Jobs, Run},
    output::{Settings, print, say},
    results::results,
};
use bouquet_ground::{
    folder::{NewFolder, catch_interrupts},
    interrupt::go_on,
    machine, parallel,
    record::{self, DatasetRow, ExperimentRow, Fact, Facts, Source, SubjectRow, Writer},
};
use bouquet_lab::measure::Measured;

/// A kind of experiment.
pub trait Kind {
    /// The type of the plan that `measure` receives.
    type Work;

    /// Plans the measurements. Impossible ones are rejected here, before a folder is created.
    fn plan(&self) -> Result<Plan<Self::Work>>;

    /// Measures, and writes each row as soon as it is complete.
    fn measure(&self, work: &Self::Work, study: &mut Study) -> Result<()>;
}

/// A plan: what to measure, and what to record about it.
pub struct Plan<W> {
    pub work: W,
    pub profile: &'static str,
    /// A message that is printed before measuring, after the seed.
    pub words: Option<String>,
    pub experiments: Vec<ExperimentRow>,
    pub kind: record::Kind,
    /// The filters and schemes, and the key sets.
    pub field: (Vec<SubjectRow>, Vec<DatasetRow>),
    /// Facts in addition to those that every run has.
    pub facts: Vec<Fact>,
}

/// Measures, judges and reports; returns the exit code.
pub fn run<K: Kind>(kind: &K, flags: &Run, strict: bool) -> Result<u8> {
    let started = Instant::now();
    catch_interrupts()?;
    let plan = kind.plan();
    // After Ctrl-C, an error in the plan no longer matters.
    go_on()?;
    let plan = plan?;
    // Without --out, records are kept in a temporary folder until they are judged.
    let folder = match &flags.out {
        Some(out) => NewFolder::begin(out)?,
        None => NewFolder::aside()?,
    };
    let seed = flags.seed;
    if let Some(words) = &plan.words {
        say(&format!("seed {seed}{words}"));
    }
    let facts = || facts(Some(plan.profile), seed, started).into_iter();
    let (subjects, key_sets) = plan.field;
    let mut run = record::Run {
        program: "bouquet".into(),
        kind: plan.kind,
        // The run counts as interrupted until it has finished measuring.
        facts: named(facts().chain([("interrupted", "true".into())])),
        experiments: plan.experiments,
        subjects,
        key_sets,
        ..record::Run::default()
    };
    let path = folder.path().to_path_buf();
    let mut study = Study {
        rows: Writer::new(&path),
    };
    study.rows.describe(&run)?;
    if flags.out.is_some() {
        folder.keep_if_interrupted();
    }
    kind.measure(&plan.work, &mut study)?;
    run.facts = named(facts().chain(plan.facts));
    run.rows = study.rows.finish()?;
    study.rows.describe(&run)?;
    let recorded = Source::new(&path)?.read()?;
    let (outcome, text) = results(&recorded, &path, flags.format)?;
    let mut closing = format!("seed {seed}");
    if let Some(out) = &flags.out {
        folder.commit()?;
        closing += &format!("; the report is in {}", out.display());
    }
    print(&text)?;
    say(&closing);
    Ok(outcome.exit_code(strict))
}

fn named(facts: impl Iterator<Item = Fact>) -> Facts {
    facts.map(|(name, value)| (name.into(), value)).collect()
}

/// The destination of the measurements.
pub struct Study {
    pub rows: Writer,
}

impl Study {
    /// Measures cells on several threads, and writes the rows of each when it is finished.
    pub fn each<C: Sync>(
        &mut self,
        cells: &[C],
        jobs: Jobs,
        measure: impl Fn(&C) -> Measured + Sync,
    ) -> Result<()> {
        let bar = self.bar(cells.len())?;
        parallel::in_order(cells, jobs.count(), measure, |measured| {
            bar.inc(1);
            measured(&mut self.rows)
        })?;
        bar.finish_and_clear();
        Ok(())
    }

    /// A progress bar that counts cells.
    pub fn bar(&self, cells: usize) -> Result<ProgressBar> {
        let style = "{wide_bar} {pos}/{len} cells, {eta} to go";
        bar(false, Some(cells as u64), 20, style)
    }
}

/// The record of an experiment.
pub fn experiment(name: &str, kind: &str, title: &str, analysis: &str) -> ExperimentRow {
    ExperimentRow {
        experiment: name.into(),
        kind: kind.into(),
        title: title.into(),
        analysis: analysis.trim().into(),
    }
}

/// A progress bar if standard error is a terminal. Without a known total it only counts.
pub fn bar(hidden: bool, total: Option<u64>, hertz: u8, style: &str) -> Result<ProgressBar> {
    let target = if hidden || Settings::given().quiet {
        ProgressDrawTarget::hidden()
    } else {
        ProgressDrawTarget::stderr_with_hz(hertz)
    };
    let style = ProgressStyle::with_template(style)?;
    Ok(ProgressBar::with_draw_target(total, target).with_style(style))
}

/// The facts of a run of this program.
pub fn facts(profile: Option<&str>, seed: u64, started: Instant) -> Vec<Fact> {
    machine::of_run(profile, seed, started)
}

/// The absolute path of a folder, whether or not it exists.
pub fn place(path: &Path) -> PathBuf {
    let whole = fs::canonicalize(path);
    whole.unwrap_or_else(|_| {
        let parent = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let mut at = place(parent);
        match path.components().next_back() {
            Some(Component::Normal(name)) => at.push(name),
            // `..` after a folder that does not exist yet, and so is no link.
            Some(Component::ParentDir) => _ = at.pop(),
            _ => return path.to_path_buf(),
        }
        at
    })
}
