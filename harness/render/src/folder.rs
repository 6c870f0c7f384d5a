//! Writes the files of a report.

use std::{fs, path::Path};

use anyhow::{Context, Result};

use super::{document::Document, html, markdown, svg};
use bouquet_ground::folder::{shown, write};

/// Writes the document in all of its formats, and its charts.
pub fn write_document(document: &Document, folder: &Path) -> Result<()> {
    let charts = folder.join("charts");
    for figure in &document.figures {
        fs::create_dir_all(&charts)
            .with_context(|| format!("cannot create {}", shown(&charts).display()))?;
        write(
            &charts.join(format!("{}.svg", figure.name)),
            &svg::file(&figure.svg),
        )?;
    }
    write(&folder.join("README.md"), &markdown::document(document))?;
    write(&folder.join("index.html"), &html::document(document))
}
