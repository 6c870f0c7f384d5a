//! What is compared, as it is given: a report, its records, or a document of the gate.

use std::path::Path;

use anyhow::{Context, Result};

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
    let source = Source::new(path)?;
    let recorded = source.read();
    let recorded = recorded.with_context(|| format!("{} cannot be read", path.display()))?;
    Ok(Loaded::Records(Box::new(recorded)))
}
