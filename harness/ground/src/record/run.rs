//! The facts of a run.

use serde::{Deserialize, Serialize};

/// A fact about the run: `schema_version`, `revision`, `version`, `command`,
/// `profile`, `seed`, `duration_s`, `os`, `architecture`, `cpu`, `cores`,
/// `memory`, `build`; and `rows`, by which `report` sees that none is missing.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunRow {
    pub name: String,
    pub value: String,
}

/// A fact for the record: name and value.
pub type Fact = (&'static str, String);

impl From<Fact> for RunRow {
    fn from((name, value): Fact) -> Self {
        Self {
            name: name.into(),
            value,
        }
    }
}

/// Its value, empty if it was not recorded.
pub fn fact<'a>(run: &'a [RunRow], name: &str) -> &'a str {
    let found = run.iter().find(|row| row.name == name);
    found.map_or("", |row| &row.value)
}
