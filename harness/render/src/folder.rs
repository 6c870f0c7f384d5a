//! The files of a report.

use std::{fs, path::Path};

use anyhow::{Context, Result};

use super::{document::Document, html, markdown, short, svg};
use bouquet_ground::{
    folder::{shown, write},
    record::Records,
};

/// The same of a run, whose title says so if it was interrupted.
pub fn write_document(mut document: Document, records: &Records, folder: &Path) -> Result<()> {
    if records.is_interrupted() {
        document.title = format!("Interrupted: {}", document.title);
    }
    write_pages(&document, folder)
}

/// The document in its formats and its charts.
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
