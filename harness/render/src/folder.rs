//! The files of a report.

use std::{fs, path::Path};

use anyhow::{Context, Result};

use super::{document::Document, html, markdown, short, svg};
use bouquet_ground::{
    line::clean,
    record::Records,
    unfinished::{shown, write},
};

/// The document in its formats, its charts and the facts of the run.
pub fn write_document(document: &Document, records: &Records, folder: &Path) -> Result<()> {
    write_pages(document, folder)?;
    write(&folder.join("machine.txt"), &machine(records))
}

/// The document in its formats and its charts: of what has no run of its own.
pub fn write_pages(document: &Document, folder: &Path) -> Result<()> {
    let charts = folder.join("charts");
    for figure in document.figures() {
        fs::create_dir_all(&charts)
            .with_context(|| format!("cannot create {}", shown(&charts).display()))?;
        write(
            &charts.join(format!("{}.svg", figure.name)),
            &svg::file(&figure.svg),
        )?;
    }
    let readme = markdown::document(&short::document(document));
    write(&folder.join("README.md"), &readme)?;
    write_html(document, folder)
}

/// The page for a browser, and that of its long tables.
pub fn write_html(document: &Document, folder: &Path) -> Result<()> {
    let pages = html::pages(document);
    write(&folder.join("index.html"), &pages.index)?;
    if let Some(tables) = &pages.tables {
        write(&folder.join(html::TABLES), tables)?;
    }
    Ok(())
}

/// The facts of the machine and the run, a line each.
fn machine(records: &Records) -> String {
    let facts = records.run.iter();
    facts
        .map(|row| format!("{}: {}\n", row.name, clean(&row.value)))
        .collect()
}
