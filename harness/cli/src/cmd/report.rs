//! `bouquet report`: writes a report again, from its records alone.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::files::save;
use crate::output::{Format, NEGATIVE, print, say, tell};
use crate::study::results;
use bouquet_record::{
    Kind, RUN_FILE, Source,
    folder::{NewFolder, catch_interrupts},
};
use bouquet_report::index::{self, Entry};
use bouquet_report::{Beside, cost_table, markdown_tables, speed::headline_tables, splice::splice};

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// The folder of the report.
    #[arg(value_name = "REPORT", required_unless_present = "index")]
    from: Option<PathBuf>,
    /// Only write the page that links all reports of this folder, and links to it in their pages.
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = "reports")]
    #[arg(conflicts_with_all = ["from", "out", "format", "strict", "splice"])]
    index: Option<PathBuf>,
    /// Only replace tables in a Markdown file, between marks such as `<!-- figures: begin -->` and
    /// `<!-- figures: end -->`: the results (`figures`), the costs of a filter (`cost of NAME`) or
    /// the fastest filters (`speed`).
    #[arg(long, value_name = "FILE.md", conflicts_with_all = ["out", "format", "strict"])]
    splice: Option<PathBuf>,
    /// Do not change the file; exit with 1 if it is not up to date.
    #[arg(long, requires = "splice")]
    check: bool,
    /// Another report, whose filters and times the Explore view of the page has too; may be repeated.
    #[arg(long, value_name = "REPORT", conflicts_with_all = ["index", "splice"])]
    with: Vec<PathBuf>,
    /// The folder to write; if not given, REPORT.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The format of the results on standard output.
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Exit with 3 if the verdict is inconclusive.
    #[arg(long)]
    strict: bool,
}

pub fn run(args: &Args) -> Result<u8> {
    if let Some(folder) = &args.index {
        write_index(folder)?;
        return Ok(0);
    }
    let from = args.from.as_deref().unwrap_or(Path::new(""));
    if let Some(file) = &args.splice {
        return splice_into(from, file, args.check);
    }
    catch_interrupts()?;
    let source = Source::new(from)?;
    let target = args.out.as_deref().unwrap_or(&source.report);
    let recorded = source.read()?;
    let beside = args.with.iter().map(|path| beside(path));
    let beside = beside.collect::<Result<Vec<_>>>()?;
    let folder = NewFolder::begin(target)?;
    source.copy_to(folder.path())?;
    let (outcome, summary) = results(&recorded, &beside, folder.path(), args.format)?;
    // A page beside an index links to it, and the same page written elsewhere must be equal.
    if is_index(&source.report.join("../index.html")) {
        link_back(folder.path())?;
    }
    folder.commit()?;
    print(&summary)?;
    if recorded.is_interrupted() {
        say("the run was interrupted: the report has its records so far");
    }
    Ok(outcome.exit_code(args.strict))
}

fn beside(report: &Path) -> Result<Beside> {
    Ok(Beside {
        name: report.display().to_string(),
        records: Source::new(report)?.read()?,
    })
}

/// Writes `index.html` into a folder of reports, and links to it from their pages.
///
/// Fails if the folder has no report, or has an `index.html` that this command did not write.
fn write_index(folder: &Path) -> Result<()> {
    let shown = folder.display();
    let there = fs::read_dir(folder).with_context(|| format!("cannot read {shown}"))?;
    let mut paths: Vec<PathBuf> = there.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.join("index.html").is_file() && path.join(RUN_FILE).is_file());
    paths.sort();
    let entries: Result<Vec<Entry>> = paths.iter().map(|path| entry(path)).collect();
    let entries = entries?;
    if entries.is_empty() {
        bail!("{shown} has no report in it: name a folder of reports, such as reports");
    }
    let page = folder.join("index.html");
    if page.exists() && !is_index(&page) {
        bail!("{shown}/index.html was not written by this command: move it away first");
    }
    let text = index::page(&entries, folder.join("../docs/CI.md").is_file());
    save(&page, |out| out.write_all(text.as_bytes()))?;
    paths.iter().try_for_each(|report| link_back(report))
}

fn is_index(page: &Path) -> bool {
    fs::read_to_string(page).is_ok_and(|page| index::is_one(&page))
}

/// Adds the link to the index to a report's page that lacks it.
fn link_back(report: &Path) -> Result<()> {
    let path = report.join("index.html");
    let page = read(&path)?;
    let linked = index::linked(&page);
    if linked == page {
        return Ok(());
    }
    save(&path, |out| out.write_all(linked.as_bytes()))
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

fn entry(report: &Path) -> Result<Entry> {
    let readme = read(&report.join("README.md"))?;
    let path = report.join(RUN_FILE);
    let run: Value = serde_json::from_str(&read(&path)?)
        .with_context(|| format!("{} is no JSON", path.display()))?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let fact = |name: &str| text(&run[name]);
    let name = report.file_name().unwrap_or_default();
    let rows = |name: &str| run[name].as_array().into_iter().flatten();
    let filters = || rows("subjects").filter(|row| row["kind"] == "filter");
    let others = filters().filter(|row| row["role"] == "peer");
    // A report of few results has no charts.
    let chart = readme.split_once("](charts/");
    let chart = chart.and_then(|(_, rest)| rest.split_once(')'));
    let chart = chart.map(|(name, _)| report.join("charts").join(name));
    Ok(Entry {
        folder: name.to_string_lossy().into_owned(),
        verdict: index::title(&readme),
        questions: rows("experiments").map(|row| text(&row["title"])).collect(),
        filters: [filters().count(), others.count()].map(|filters| filters as u64),
        date: fact("date"),
        revision: fact("revision"),
        chart: chart.map_or(Ok(String::new()), |path| read(&path))?,
    })
}

/// Replaces the tables between marks in a Markdown file; with `is_check`, only checks whether they
/// are up to date.
fn splice_into(report: &Path, path: &Path, is_check: bool) -> Result<u8> {
    let records = &Source::new(report)?.read()?;
    let file = path.display();
    // A pipe is rejected: opening it would block, and the result could not be written back.
    if path.exists() && !path.is_file() {
        bail!("{file} is not a regular file: name a Markdown file with marks");
    }
    let text = read(path)?;
    let report = report.display().to_string();
    let report = report.trim_end_matches('/');
    let spliced = splice(&text, |part| match (part, records.kind) {
        ("figures", Kind::Evaluation) => Ok(Some(markdown_tables(records))),
        ("speed", Kind::Speed) => Ok(Some(headline_tables(records))),
        (part, Kind::Evaluation) => {
            let filter = part.strip_prefix("cost of ");
            let table = filter.map(|filter| cost_table(records, filter, report));
            table.transpose()
        }
        _ => Ok(None),
    })
    .with_context(|| format!("cannot splice into {file}"))?;
    if spliced == text {
        return Ok(0);
    }
    if is_check {
        tell(&format!(
            "bouquet: {file} does not have the figures of {report}"
        ));
        return Ok(NEGATIVE);
    }
    save(path, |out| out.write_all(spliced.as_bytes()))?;
    Ok(0)
}
