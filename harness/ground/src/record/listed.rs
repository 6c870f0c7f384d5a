//! Filters, key sets and experiments of rows that no list of the run has: nothing judges what
//! such a row says.

use std::collections::HashSet;

use serde_json::Value;

use super::{DatasetRow, ExperimentRow, Row, SubjectRow};

/// The names that rows of a run may have.
pub struct Listed<'a> {
    subjects: HashSet<&'a str>,
    datasets: HashSet<&'a str>,
    experiments: HashSet<&'a str>,
}

/// A row, counted from 0 on, with a name of which there is none in a file.
#[derive(PartialEq, Debug)]
pub struct Unlisted {
    pub row: usize,
    pub column: &'static str,
    pub name: String,
    pub file: &'static str,
}

impl<'a> Listed<'a> {
    pub fn of(
        subjects: &'a [SubjectRow],
        datasets: &'a [DatasetRow],
        experiments: &'a [ExperimentRow],
    ) -> Self {
        Self {
            subjects: subjects.iter().map(|row| &*row.subject).collect(),
            datasets: datasets.iter().map(|row| &*row.dataset).collect(),
            experiments: experiments.iter().map(|row| &*row.experiment).collect(),
        }
    }

    /// The first of these rows that has a name which is not listed.
    pub fn lacks<R: Row>(&self, rows: &[R]) -> serde_json::Result<Option<Unlisted>> {
        let columns = [
            ("filter", &self.subjects, SubjectRow::FILE),
            ("subject", &self.subjects, SubjectRow::FILE),
            ("dataset", &self.datasets, DatasetRow::FILE),
            ("experiment", &self.experiments, ExperimentRow::FILE),
        ];
        for (number, row) in rows.iter().enumerate() {
            let Value::Object(mut row) = serde_json::to_value(row)? else {
                continue;
            };
            for (column, names, file) in columns {
                if let Some(Value::String(name)) = row.remove(column)
                    && !names.contains(&*name)
                {
                    return Ok(Some(Unlisted {
                        row: number,
                        column,
                        name,
                        file,
                    }));
                }
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{FprRow, MemoryRow};

    #[test]
    fn the_first_name_that_no_list_has_is_found_with_its_row() {
        let subjects = [SubjectRow {
            subject: "standard".into(),
            ..SubjectRow::default()
        }];
        let experiments = [ExperimentRow {
            experiment: "e".into(),
            kind: "fpr".into(),
            title: String::new(),
            analysis: String::new(),
        }];
        let listed = Listed::of(&subjects, &[], &experiments);
        let memory = |filter: &str| MemoryRow {
            experiment: "e".into(),
            filter: filter.into(),
            ..MemoryRow::default()
        };
        let lacks = |rows: &[MemoryRow]| listed.lacks(rows).unwrap();
        assert_eq!(lacks(&[]), None);
        assert_eq!(lacks(&[memory("standard")]), None);
        let found = lacks(&[memory("standard"), memory("ghost")]).unwrap();
        assert_eq!((found.row, found.column), (1, "filter"));
        assert_eq!((&*found.name, found.file), ("ghost", SubjectRow::FILE));
        let of_a_key_set = FprRow {
            experiment: "e".into(),
            filter: "standard".into(),
            dataset: "words".into(),
            ..FprRow::default()
        };
        let found = listed.lacks(&[of_a_key_set]).unwrap().unwrap();
        assert_eq!((found.column, found.file), ("dataset", DatasetRow::FILE));
    }
}
