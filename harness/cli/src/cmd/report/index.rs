//! `bouquet report --index`: writes a page that links all reports of a folder.

use std::{fs, io, path::Path};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::files::save;
use bouquet_ground::record::RUN_FILE;
use bouquet_render::index::{self, Entry};

/// Writes `index.html` into a folder of reports.
///
/// Fails if the folder has no report, or an `index.html` that is not such an index.
pub fn write(folder: &Path) -> Result<()> {
    let shown = folder.display();
    let there = fs::read_dir(folder).with_context(|| format!("cannot read {shown}"))?;
    let paths = there
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<Vec<_>>>();
    let mut paths = paths.with_context(|| format!("cannot read {shown}"))?;
    paths.retain(|path| path.join("index.html").is_file() && path.join(RUN_FILE).is_file());
    paths.sort();
    let entries: Vec<Entry> = paths.iter().map(|path| read(path)).collect::<Result<_>>()?;
    ensure!(
        !entries.is_empty(),
        "{shown} has no report in it: name the folder that reports are in, such as reports"
    );
    let page = folder.join("index.html");
    let is_free = match fs::read(&page) {
        Err(error) => error.kind() == io::ErrorKind::NotFound,
        Ok(old) => str::from_utf8(&old).is_ok_and(index::is_one),
    };
    ensure!(
        is_free,
        "{} was not written by this command: move it away first",
        page.display()
    );
    save(&page, |out| out.write_all(index::page(&entries).as_bytes()))
}

fn read(report: &Path) -> Result<Entry> {
    let read = |name: &str| {
        let path = report.join(name);
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    };
    let (readme, run) = (read("README.md")?, read(RUN_FILE)?);
    let run: Value = serde_json::from_str(&run)
        .with_context(|| format!("{} is no JSON", report.join(RUN_FILE).display()))?;
    let fact = |name: &str| run[name].as_str().unwrap_or_default().to_owned();
    let name = report.file_name().unwrap_or_default();
    Ok(Entry {
        folder: name.to_string_lossy().into_owned(),
        verdict: index::title(&readme),
        date: fact("date"),
        revision: fact("revision"),
    })
}
