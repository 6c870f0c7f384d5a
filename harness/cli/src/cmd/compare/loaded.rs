//! What is compared, as it is given: a report, its records, or a document of the gate.

use std::path::Path;

use anyhow::{Context, Result, bail};

use bouquet_ground::record::{GATE_FILE, GateDocument, Source};
use bouquet_render::compare::Loaded;

/// Reads it, whatever it is.
pub fn loaded(path: &Path) -> Result<Loaded> {
    let is_json = path
        .extension()
        .is_some_and(|extension| extension == "json");
    if is_json || path.join(GATE_FILE).exists() {
        return Ok(Loaded::Gate(Box::new(GateDocument::read_current(path)?)));
    }
    // One file of records says too little: what run it is of stands beside it.
    let folder = match path.parent() {
        Some(folder) if path.is_file() && folder.as_os_str().is_empty() => Path::new("."),
        Some(folder) if path.is_file() => folder,
        _ => path,
    };
    let source = match Source::new(&[folder.to_path_buf()]) {
        Err(_) if path.is_file() => bail!(
            "{} is no report: name the folder of one, or a file of its records",
            path.display()
        ),
        source => source?,
    };
    let recorded = source.read();
    let recorded = recorded.with_context(|| format!("{} cannot be read", path.display()))?;
    Ok(Loaded::Records(Box::new(recorded)))
}
