//! Who takes part, as it is recorded.

use anyhow::{Result, bail};

use super::{Kind, definition::Column, fastest::fastest_peers, sharing::Sharing};
use crate::registry::{Contestant, contestants, sharings};
use bouquet_ground::record::{DatasetRow, SubjectRow, TimingRow};
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
        let alone = contestants.iter().map(|contestant| &contestant.subject);
        let known = alone.chain(sharings.iter().map(|sharing| &sharing.subject));
        let all: Vec<&str> = known.map(|subject| subject.subject.as_str()).collect();
        if let Some(name) = names.iter().find(|name| !all.contains(&name.as_str())) {
            bail!(unknown(
                "filter",
                name,
                &all,
                "`bouquet evaluate --help` shows ours"
            ));
        }
        let named = |of: &SubjectRow| names.contains(&of.subject);
        let all = names.is_empty();
        let runs = |contestant: &Contestant| {
            named(&contestant.subject) || (all && (contestant.is_quick || !quick))
        };
        let field = Self {
            contestants: contestants
                .into_iter()
                .filter(|contestant| has_grid && runs(contestant))
                .collect(),
            sharings: sharings
                .into_iter()
                .filter(|sharing| has_threads && (all || named(&sharing.subject)))
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
        seen: &[TimingRow],
        peers: Option<usize>,
    ) -> Vec<&Contestant> {
        let fastest = peers.map(|most| fastest_peers(&self.subjects(), seen, column, most));
        let runs = |Contestant { subject, .. }: &&Contestant| {
            let is_among = |names: &Vec<String>| names.contains(&subject.subject);
            subject.role == "ours" || fastest.as_ref().is_none_or(is_among)
        };
        self.contestants.iter().filter(runs).collect()
    }

    pub fn subjects(&self) -> Vec<SubjectRow> {
        let contestants = self.contestants.iter().map(|one| &one.subject);
        let mut subjects: Vec<SubjectRow> = contestants.cloned().collect();
        for Sharing { subject, .. } in &self.sharings {
            if !subjects.iter().any(|one| one.subject == subject.subject) {
                subjects.push(subject.clone());
            }
        }
        subjects
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
