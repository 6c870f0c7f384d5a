//! Folders that the program wrote before it marked them: known by their records, which
//! it must be able to read, by the names of what belongs to those, and of its pages by
//! words that each of them has.

use std::{fs, path::Path};

use anyhow::Result;

use super::listing::{Listing, digest, entries, is_file, is_folder};
use crate::record::{
    AssumedRow, BandRow, BatteryRow, CandidateRow, EnvelopeRow, FprRow, GATE_FILE, GateDocument,
    GateExactRow, GateTimeRow, LineRow, Row, RunRow, SensitivityRow, Source,
};

/// The files in a folder that belong to the report in it; none if there is no report.
///
/// # Errors
///
/// A file cannot be read.
pub fn files(folder: &Path) -> Result<Option<Listing>> {
    let Some(names) = of_gate(folder).or_else(|| of_records(folder)) else {
        return Ok(None);
    };
    let mut files = Listing::default();
    for name in names {
        let path = folder.join(&name);
        if is_file(&path) && is_own(&name, &path) {
            files.add(&name, digest(&path, false)?);
        }
    }
    Ok(Some(files))
}

/// Whether a page has what every page of this name has that the program wrote; other
/// files have their names alone.
fn is_own(name: &str, path: &Path) -> bool {
    let words: &[&str] = match name {
        // Of a report made of its records, of a recommendation, of a baseline.
        "README.md" => &["[records](records/)", "\n## Candidates\n", "# Baseline\n"],
        "index.html" | "tables.html" => {
            &["<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'"]
        }
        _ => return true,
    };
    let text = fs::read_to_string(path).unwrap_or_default();
    words.iter().any(|words| text.contains(words))
}

/// The names of a baseline's files, or of those of a report of the gate.
fn of_gate(folder: &Path) -> Option<Vec<String>> {
    if !is_file(&folder.join(GATE_FILE)) {
        return None;
    }
    // Of a schema that is no longer read, but is known to be an accepted one's.
    let is_before = GateDocument::version_before(folder).is_some();
    if is_before || GateDocument::read(folder).ok()?.acceptance.is_some() {
        return Some(vec![GATE_FILE.into(), "README.md".into()]);
    }
    let pages = ["benchmark.json", "comment.md", "junit.xml", "summary.md"];
    let rows = [
        GateExactRow::FILE,
        FprRow::FILE,
        BatteryRow::FILE,
        GateTimeRow::FILE,
    ];
    let mut names = within("records", &rows);
    names.extend(pages.into_iter().chain([GATE_FILE]).map(str::to_owned));
    Some(names)
}

/// The names of the files of a report that is made of its records.
fn of_records(folder: &Path) -> Option<Vec<String>> {
    let records = folder.join("records");
    let is_own = |entry: &fs::DirEntry| is_file(&entry.path());
    if !is_folder(&records) || !entries(&records).ok()?.iter().all(is_own) {
        return None;
    }
    let source = Source::new(&[records]).ok()?;
    let mut names = if source.read().is_ok() {
        within("records", &source.written().ok()?)
    } else {
        of_recommendation(&source)?
    };
    for page in ["README.md", "index.html", "tables.html", "machine.txt"] {
        names.push(page.into());
    }
    names.extend(charts(folder));
    Some(names)
}

/// A recommendation is not rewritten from its records, which say nothing of their
/// version.
fn of_recommendation(source: &Source) -> Option<Vec<String>> {
    macro_rules! read {
        ($($Row:ty),*) => {{
            $(source.rows::<$Row>().ok()?;)*
            [$(<$Row>::FILE),*]
        }};
    }
    let rows = read!(
        CandidateRow,
        LineRow,
        EnvelopeRow,
        BandRow,
        SensitivityRow,
        AssumedRow,
        RunRow
    );
    Some(within("records", &rows))
}

/// The charts that the page of a report shows.
fn charts(folder: &Path) -> Vec<String> {
    let page = folder.join("README.md");
    if !is_file(&page) {
        return Vec::new();
    }
    let text = fs::read_to_string(page).unwrap_or_default();
    let links = text.split("](").skip(1);
    let targets = links.filter_map(|link| Some(link.split_once(')')?.0));
    let charts = targets.filter(|to| to.starts_with("charts/") && to.ends_with(".svg"));
    charts.map(str::to_owned).collect()
}

fn within(folder: &str, names: &[impl AsRef<str>]) -> Vec<String> {
    let names = names.iter().map(AsRef::as_ref);
    names.map(|name| format!("{folder}/{name}")).collect()
}
