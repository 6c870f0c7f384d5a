//! Runs a measurement of any kind, from its plan to its report.

use std::{path::Path, time::Instant};

use anyhow::Result;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::{
    flags::OutputArgs,
    output::{Format, Settings, print, say, screen},
};
use bouquet_record::{
    DatasetRow, ExperimentRow, Fact, Facts, Kind, Outcome, Records, Source, SubjectRow, Writer,
    folder::{NewFolder, catch_interrupts},
    machine,
};
use bouquet_report::{Beside, markdown_tables, plain, summary, write_report};

type Measure<'a> = Box<dyn FnOnce(&mut Writer) -> Result<()> + 'a>;

/// What to measure, and what to record about it.
pub struct Plan<'a> {
    /// Measures, and writes each row as soon as it is complete.
    pub measure: Measure<'a>,
    pub profile: &'static str,
    /// A text that is printed after the seed, before the measurement begins.
    pub words: String,
    pub experiments: Vec<ExperimentRow>,
    pub kind: Kind,
    pub subjects: Vec<SubjectRow>,
    pub key_sets: Vec<DatasetRow>,
    /// Facts to record besides those that are recorded for every run.
    pub facts: Vec<Fact>,
}

/// Measures, judges, writes the report and returns the exit code. `plan` runs first: if it rejects
/// an impossible measurement, no folder is created.
pub fn run<'a>(
    plan: impl FnOnce() -> Result<Plan<'a>>,
    flags: &OutputArgs,
    strict: bool,
) -> Result<u8> {
    let started = Instant::now();
    catch_interrupts()?;
    let plan = plan()?;
    let out = flags.out.as_deref().unwrap_or(Path::new(""));
    let folder = NewFolder::begin(out)?;
    let seed = flags.seed;
    say(&format!("seed {seed}{}", plan.words));
    let facts = |more: Vec<Fact>| -> Facts {
        let all = [machine::of_run(Some(plan.profile), seed, started), more].concat();
        let all = all.into_iter().map(|(name, value)| (name.into(), value));
        all.collect()
    };
    let mut run = bouquet_record::Run {
        program: "bouquet".into(),
        kind: plan.kind,
        // The run is recorded as interrupted until it has finished measuring.
        facts: facts(vec![("interrupted", "true".into())]),
        experiments: plan.experiments,
        subjects: plan.subjects,
        key_sets: plan.key_sets,
        ..bouquet_record::Run::default()
    };
    let path = folder.path().to_path_buf();
    let mut rows = Writer::new(&path);
    run.write(&path)?;
    folder.keep_if_interrupted();
    (plan.measure)(&mut rows)?;
    run.facts = facts(plan.facts);
    run.rows = rows.finish()?;
    run.write(&path)?;
    let recorded = Source::new(&path)?.read()?;
    let (outcome, text) = results(&recorded, &[], &path, flags.format)?;
    folder.commit()?;
    print(&text)?;
    say(&format!("seed {seed}; the report is in {}", out.display()));
    Ok(outcome.exit_code(strict))
}

/// Judges records of any kind and writes their report into the folder; returns the outcome and the
/// results as text.
pub fn results(
    records: &Records,
    beside: &[Beside],
    folder: &Path,
    format: Format,
) -> Result<(Outcome, String)> {
    let mut outcome = write_report(records, beside, folder)?;
    let text = match format {
        Format::Table => summary(records, screen()),
        Format::Md => markdown_tables(records),
        Format::Json | Format::Csv => format.text(&plain(records), Some(outcome))?,
    };
    if records.is_interrupted() {
        // An interrupted run does not pass, because the complete run might have failed.
        outcome = outcome.max(Outcome::Inconclusive);
    }
    Ok((outcome, text))
}

pub fn experiment(name: &str, kind: &str, title: &str, analysis: &str) -> ExperimentRow {
    ExperimentRow {
        experiment: name.into(),
        kind: kind.into(),
        title: title.into(),
        analysis: analysis.trim().into(),
    }
}

/// A progress bar that counts finished measurements (cells), if standard error is a terminal.
pub fn bar(cells: usize) -> Result<ProgressBar> {
    let target = match Settings::given().quiet {
        true => ProgressDrawTarget::hidden(),
        false => ProgressDrawTarget::stderr(),
    };
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} cells, {eta} to go")?;
    Ok(ProgressBar::with_draw_target(Some(cells as u64), target).with_style(style))
}
