//! Who takes part, as it is recorded.

use anyhow::{Result, bail};

use super::{Kind, definition::Column, fastest::fastest_peers, sharing::Sharing};
use crate::registry::{Contestant, Entry, contestants, filters, sharings};
use bouquet_ground::record::{DatasetRow, SpeedRow, SubjectRow};
use bouquet_ground::unknown::unknown;

/// Who takes part.
pub struct Field {
    pub contestants: Vec<Contestant>,
    pub sharings: Vec<Sharing>,
}

impl Field {
    /// Those with these names, or all: in the grid and sharing a filter by threads.
    pub fn chosen(
        names: &[String],
        quick: bool,
        has_grid: bool,
        has_threads: bool,
    ) -> Result<Self> {
        let (contestants, sharings) = (contestants(), sharings());
        let known: Vec<&str> = contestants
            .iter()
            .map(|contestant| contestant.name)
            .collect();
        let sharing: Vec<&str> = sharings.iter().map(|sharing| sharing.name).collect();
        let is_known =
            |name: &&String| known.contains(&name.as_str()) || sharing.contains(&name.as_str());
        if let Some(name) = names.iter().find(|name| !is_known(name)) {
            let all = [&known[..], &sharing].concat();
            bail!(unknown(
                "filter",
                name,
                &all,
                "`bouquet evaluate --help` shows ours"
            ));
        }
        let named = |name: &str| names.iter().any(|wanted| wanted == name);
        let all = names.is_empty();
        let runs = |contestant: &Contestant| {
            named(contestant.name) || (all && (contestant.is_quick || !quick))
        };
        let field = Self {
            contestants: contestants
                .into_iter()
                .filter(|contestant| has_grid && runs(contestant))
                .collect(),
            sharings: sharings
                .into_iter()
                .filter(|sharing| has_threads && (all || named(sharing.name)))
                .collect(),
        };
        if field.contestants.is_empty() && field.sharings.is_empty() {
            bail!("nothing to measure: the chosen filters have no part in this");
        }
        Ok(field)
    }

    /// Those that are compared where filters are large: ours, and of the peers all or the few
    /// that were fastest in what was seen.
    pub fn of_large(
        &self,
        column: Column,
        seen: &[SpeedRow],
        peers: Option<usize>,
    ) -> Vec<&Contestant> {
        let fastest = peers.map(|most| fastest_peers(seen, column, most));
        let is_among = |name: &str| {
            let fastest = fastest.as_ref();
            fastest.is_none_or(|names| names.iter().any(|one| one == name))
        };
        let runs =
            |contestant: &&Contestant| contestant.role == "ours" || is_among(contestant.name);
        self.contestants.iter().filter(runs).collect()
    }

    pub fn subjects(&self) -> Vec<SubjectRow> {
        let known: Vec<SubjectRow> = filters().iter().map(Entry::row).collect();
        let contestants = self.contestants.iter().map(|contestant| {
            let row = subject_row(contestant.name, &contestant.about, contestant.role);
            // What it can do is known where it is judged.
            let judged = known.iter().find(|known| known.subject == contestant.name);
            SubjectRow {
                promises_no_false_negatives: contestant.promises_no_false_negatives,
                removes: judged.is_some_and(|judged| judged.removes),
                grows: judged.is_some_and(|judged| judged.grows),
                concurrent: judged.is_some_and(|judged| judged.concurrent),
                ..row
            }
        });
        let of_threads = self.sharings.iter().filter(|sharing| {
            self.contestants
                .iter()
                .all(|contestant| contestant.name != sharing.name)
        });
        let sharings = of_threads.map(|sharing| SubjectRow {
            concurrent: true,
            ..subject_row(sharing.name, sharing.about, sharing.role)
        });
        contestants.chain(sharings).collect()
    }
}

fn subject_row(name: &str, about: &str, role: &str) -> SubjectRow {
    SubjectRow {
        subject: name.into(),
        kind: "filter".into(),
        about: about.into(),
        role: role.into(),
        promises_no_false_negatives: role == "ours",
        ..SubjectRow::default()
    }
}

impl Kind {
    /// As a key set.
    pub fn row(self) -> DatasetRow {
        DatasetRow {
            dataset: self.name().into(),
            about: self.about().into(),
            keys: 0,
            duplicates_dropped: 0,
            key_bytes: self.bytes(),
            sha256: String::new(),
            generator: "in the loop".into(),
        }
    }
}
