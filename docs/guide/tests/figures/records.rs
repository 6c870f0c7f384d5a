//! Reads rows of the committed records and formats their numbers.

use std::{collections::HashMap, path::Path};

/// A row, by the names of its columns.
pub struct Row(HashMap<String, String>);

impl Row {
    pub fn text(&self, column: &str) -> &str {
        self.0
            .get(column)
            .unwrap_or_else(|| panic!("the records have no column {column}"))
    }

    /// The number in a column; 0 if the cell is empty.
    pub fn number(&self, column: &str) -> f64 {
        let text = self.text(column);
        if text.is_empty() {
            0.0
        } else {
            text.parse().unwrap()
        }
    }

    /// Whether the columns have these values.
    pub fn is(&self, columns: &[(&str, &str)]) -> bool {
        columns
            .iter()
            .all(|(column, value)| self.text(column) == *value)
    }
}

/// All rows of `reports/REPORT/records/NAME.csv`.
pub fn rows(report: &str, name: &str) -> Vec<Row> {
    rows_of(&format!("reports/{report}/records/{name}.csv"))
}

/// All rows of a CSV file of the repository.
pub fn rows_of(file: &str) -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(file);
    let mut reader = csv::Reader::from_path(path).unwrap();
    let rows: Result<Vec<_>, _> = reader.deserialize().collect();
    rows.unwrap().into_iter().map(Row).collect()
}

/// Formats a number with three significant digits, as in the reports.
pub fn digits(number: f64) -> String {
    match number.abs() {
        0.0 => "0".to_owned(),
        99.95.. => format!("{number:.0}"),
        9.995.. => format!("{number:.1}"),
        0.999_5.. => format!("{number:.2}"),
        0.099_95.. => format!("{number:.3}"),
        0.009_995.. => format!("{number:.4}"),
        _ => format!("{number:.5}"),
    }
}

/// Formats a whole number with thousands separators.
pub fn thousands(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a share in percent.
pub fn percent(share: f64) -> String {
    digits(100.0 * share) + " %"
}
