//! The runner of every kind of experiment: what is the same in all of them is here.

use std::{
    fs,
    path::{Component, Path, PathBuf},
    time::Instant,
};

use anyhow::{Context, Result};
pub use indicatif::ProgressBar;
use indicatif::{ProgressDrawTarget, ProgressStyle};

use crate::{
    flags::{Jobs, Run},
    output::{Settings, in_ascii, say},
    results::results,
};
use bouquet_ground::{
    folder::{NewFolder, catch_interrupts, shown},
    interrupt::go_on,
    machine, parallel,
    record::{DatasetRow, ExperimentRow, Fact, Source, SubjectRow, Writer},
};
use bouquet_lab::measure::Measured;

/// A kind of experiment.
pub trait Kind {
    /// What `measure` takes of the plan.
    type Work;

    /// Says what is to be measured. What cannot be is rejected here, before a folder is
    /// begun.
    fn plan(&self) -> Result<Plan<Self::Work>>;

    /// Measures, and writes each row as it comes.
    fn measure(&self, work: &Self::Work, study: &mut Study) -> Result<()>;
}

/// What is to be measured, and what is recorded of it.
pub struct Plan<W> {
    pub work: W,
    pub profile: &'static str,
    /// What is said before it begins, after the seed.
    pub words: Option<String>,
    pub experiments: Vec<ExperimentRow>,
    /// The filters and schemes, and the key sets; some kinds record none.
    pub field: Option<(Vec<SubjectRow>, Vec<DatasetRow>)>,
    /// Beside those of every run.
    pub facts: Vec<Fact>,
}

/// Measures, judges and reports; gives the exit code.
pub fn run<K: Kind>(kind: &K, flags: &Run, strict: bool) -> Result<u8> {
    let started = Instant::now();
    catch_interrupts()?;
    let plan = kind.plan();
    // Whatever is wrong with it: nobody waits for that any more.
    go_on()?;
    let plan = plan?;
    // Where no report is asked for, its records are kept until they are judged.
    let mut study = match &flags.out {
        Some(out) => Study::begin(out)?,
        None => Study::of(NewFolder::aside()?)?,
    };
    let seed = flags.seed;
    if let Some(words) = &plan.words {
        say(&format!("seed {seed}{words}"));
    }
    // As long as it measures.
    let interrupted = ("interrupted", "true".to_owned());
    let first = facts(Some(plan.profile), seed, started).into_iter();
    study
        .rows
        .write_facts(first.chain([interrupted]).collect())?;
    if flags.out.is_some() {
        study.folder.keep_if_interrupted();
    }
    study.rows.write(&plan.experiments)?;
    if let Some((subjects, datasets)) = &plan.field {
        study.rows.write(subjects)?;
        study.rows.write(datasets)?;
    }
    kind.measure(&plan.work, &mut study)?;
    let mut facts = facts(Some(plan.profile), seed, started);
    facts.extend(plan.facts);
    study.rows.write_facts(facts)?;
    study.rows.finish()?;
    let recorded = study.written()?.read()?;
    let (outcome, text) = results(&recorded, study.path(), flags.format)?;
    let mut closing = format!("seed {seed}");
    if let Some(out) = &flags.out {
        study.commit()?;
        closing += &format!("; the report is in {}", out.display());
    }
    flags.format.print(&text)?;
    say(&closing);
    Ok(outcome.exit_code(strict))
}

/// A folder of a report that is being made, with its records.
pub struct Study {
    folder: NewFolder,
    records: PathBuf,
    pub rows: Writer,
}

impl Study {
    /// Begun before anything is measured: who names a folder that cannot be written
    /// hears of it then.
    pub fn begin(out: &Path) -> Result<Self> {
        Self::of(NewFolder::begin(out)?)
    }

    fn of(folder: NewFolder) -> Result<Self> {
        let records = folder.path().join("records");
        let name = shown(&records);
        fs::create_dir(&records).with_context(|| format!("cannot create {}", name.display()))?;
        Ok(Self {
            folder,
            rows: Writer::new(records.clone()),
            records,
        })
    }

    /// Where the report goes for now.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// What was written so far.
    pub fn written(&self) -> Result<Source> {
        Source::new(std::slice::from_ref(&self.records))
    }

    /// Measures cells on all threads, and writes the rows of each as they come.
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

    /// A bar over cells.
    pub fn bar(&self, cells: usize) -> Result<ProgressBar> {
        let style = "{wide_bar} {pos}/{len} cells, {eta} to go";
        bar(false, Some(cells as u64), 20, style)
    }

    /// Puts the report in its place.
    pub fn commit(mut self) -> Result<()> {
        self.rows.finish()?;
        self.folder.commit()
    }
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

/// A bar on a terminal, nothing elsewhere. Without a total it counts.
pub fn bar(hidden: bool, total: Option<u64>, hertz: u8, style: &str) -> Result<ProgressBar> {
    let target = if hidden || Settings::given().quiet {
        ProgressDrawTarget::hidden()
    } else {
        ProgressDrawTarget::stderr_with_hz(hertz)
    };
    let mut style = ProgressStyle::with_template(style)?;
    if in_ascii() {
        style = style.progress_chars("#>-").tick_chars("-\\|/-");
    }
    Ok(ProgressBar::with_draw_target(total, target).with_style(style))
}

/// The facts of a run of this program.
pub fn facts(profile: Option<&str>, seed: u64, started: Instant) -> Vec<Fact> {
    machine::of_run(profile, seed, started)
}

/// Where a folder is or will be, however it is written.
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
            // Of a folder that is yet to be made, and so no link.
            Some(Component::ParentDir) => _ = at.pop(),
            _ => return path.to_path_buf(),
        }
        at
    })
}
