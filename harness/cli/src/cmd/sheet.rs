//! A sheet of values, in the four formats.

use anyhow::Result;
use serde_json::{Map, Value as Json};

use super::Format;
use bouquet_render::{
    document::{self, Table, Text},
    markdown,
    terminal::clean,
};

/// A cell.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    Count(u64),
    Number(f64),
    Words(String),
    /// A number as it is to be read, with its unit or its interval.
    Figure(String),
    YesNo(bool),
    Nothing,
}

impl Cell {
    /// For people: six digits.
    pub fn short(&self) -> String {
        match self {
            Self::Count(count) => grouped(*count),
            Self::Number(number) => short(*number),
            Self::Words(words) | Self::Figure(words) => clean(words),
            Self::YesNo(yes) => if *yes { "yes" } else { "no" }.into(),
            Self::Nothing => String::new(),
        }
    }

    /// For programs: every digit. Numbers that are none are nothing.
    fn full(&self) -> String {
        match self {
            Self::Count(count) => count.to_string(),
            Self::Number(number) if number.is_finite() => format!("{number:?}"),
            Self::Words(words) | Self::Figure(words) => clean(words),
            Self::YesNo(yes) => yes.to_string(),
            Self::Number(_) | Self::Nothing => String::new(),
        }
    }

    fn json(&self) -> Json {
        match self {
            Self::Count(count) => Json::from(*count),
            Self::Number(number) => Json::from(*number),
            Self::Words(words) | Self::Figure(words) => Json::from(words.as_str()),
            Self::YesNo(yes) => Json::from(*yes),
            Self::Nothing => Json::Null,
        }
    }

    fn is_number(&self) -> bool {
        matches!(self, Self::Count(_) | Self::Number(_) | Self::Figure(_))
    }
}

/// 9_585_059 as 9,585,059.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Six digits, with an exponent where the number is very small or large.
fn short(number: f64) -> String {
    if !number.is_finite() {
        return String::new();
    }
    if number == 0.0 {
        return "0".into();
    }
    let exponent = number.abs().log10().floor();
    if (-4.0..15.0).contains(&exponent) {
        let behind = (5.0 - exponent).max(0.0) as usize;
        let text = format!("{number:.behind$}");
        if !text.contains('.') {
            return text;
        }
        return text.trim_end_matches('0').trim_end_matches('.').into();
    }
    let text = format!("{number:.5e}");
    match text.split_once('e') {
        Some((digits, exponent)) => {
            let digits = digits.trim_end_matches('0').trim_end_matches('.');
            format!("{digits}e{exponent}")
        }
        None => text,
    }
}

/// Rows of cells under named columns.
#[derive(Clone, Debug)]
pub struct Sheet {
    pub columns: Vec<&'static str>,
    pub rows: Vec<Vec<Cell>>,
}

/// A column, and what a row has in it.
pub struct Column<Row: ?Sized> {
    /// In JSON and CSV, and above the column.
    pub key: &'static str,
    /// Of people's lists; empty for none.
    pub unit: &'static str,
    pub value: fn(&Row) -> Cell,
}

/// A column without a unit.
pub const fn column<Row: ?Sized>(key: &'static str, value: fn(&Row) -> Cell) -> Column<Row> {
    Column {
        key,
        unit: "",
        value,
    }
}

impl<Row: ?Sized> Column<Row> {
    pub const fn in_unit(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }
}

impl Sheet {
    /// A line a row, a cell a column.
    pub fn of<'a, Row: ?Sized + 'a>(
        columns: &[Column<Row>],
        rows: impl IntoIterator<Item = &'a Row>,
    ) -> Self {
        let cells = |row| columns.iter().map(|column| (column.value)(row)).collect();
        Self {
            columns: columns.iter().map(|column| column.key).collect(),
            rows: rows.into_iter().map(cells).collect(),
        }
    }

    /// In the format asked for, with a line end at the end.
    pub fn text(&self, format: Format) -> Result<String> {
        Ok(match format {
            Format::Table => self.table(),
            Format::Json => self.json()?,
            Format::Csv => self.csv()?,
            Format::Md => self.markdown(),
        })
    }

    /// Without the columns that are empty in every row.
    pub fn without_empty_columns(&self) -> Self {
        let full: Vec<usize> = (0..self.columns.len())
            .filter(|at| self.rows.iter().any(|row| row[*at] != Cell::Nothing))
            .collect();
        Self {
            columns: full.iter().map(|at| self.columns[*at]).collect(),
            rows: self
                .rows
                .iter()
                .map(|row| full.iter().map(|at| row[*at].clone()).collect())
                .collect(),
        }
    }

    /// As a table of a report.
    pub fn document_table(&self) -> Table {
        let column = |(at, name): (usize, &&'static str)| document::Column {
            name,
            numeric: self.is_numeric(at),
        };
        let words = |row: &Vec<Cell>| row.iter().map(|cell| Text::from(cell.short())).collect();
        Table {
            columns: self.columns.iter().enumerate().map(column).collect(),
            rows: self.rows.iter().map(words).collect(),
        }
    }

    fn is_numeric(&self, at: usize) -> bool {
        self.rows.iter().any(|row| row[at].is_number())
    }

    fn table(&self) -> String {
        let head = self.columns.iter().map(|name| (*name).to_owned()).collect();
        let body = self
            .rows
            .iter()
            .map(|row| row.iter().map(Cell::short).collect());
        let lines: Vec<Vec<String>> = std::iter::once(head).chain(body).collect();
        let width = |at: usize| lines.iter().map(|line| line[at].chars().count()).max();
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|at| width(at).unwrap_or(0))
            .collect();
        let mut out = String::new();
        for line in &lines {
            let cells = line
                .iter()
                .zip(&widths)
                .enumerate()
                .map(|(at, (cell, &width))| {
                    if self.is_numeric(at) {
                        format!("{cell:>width$}")
                    } else {
                        format!("{cell:<width$}")
                    }
                });
            out.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
            out.push('\n');
        }
        out
    }

    fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let rule = (0..self.columns.len()).map(|at| {
            let rule = if self.is_numeric(at) { "---:" } else { "---" };
            rule.to_owned()
        });
        let mut out = line(self.columns.iter().map(|name| (*name).to_owned()).collect());
        out += &line(rule.collect());
        for row in &self.rows {
            out += &line(
                row.iter()
                    .map(|cell| markdown::bars(&cell.short()))
                    .collect(),
            );
        }
        out
    }

    fn csv(&self) -> Result<String> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(&self.columns)?;
        for row in &self.rows {
            writer.write_record(row.iter().map(Cell::full))?;
        }
        Ok(String::from_utf8(writer.into_inner()?)?)
    }

    fn json(&self) -> Result<String> {
        let object = |row: &Vec<Cell>| -> Map<String, Json> {
            let names = self.columns.iter().map(|name| (*name).to_owned());
            names.zip(row.iter().map(Cell::json)).collect()
        };
        let objects: Vec<_> = self.rows.iter().map(object).collect();
        Ok(serde_json::to_string_pretty(&objects)? + "\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        for (number, want) in [
            (0.010_039_508_12, "0.0100395"),
            (9.585_058, "9.58506"),
            (0.5, "0.5"),
            (0.0, "0"),
            (1e-6, "1e-6"),
            (2.710_505e-11, "2.7105e-11"),
            (123_456.7, "123457"),
            (100_000.0, "100000"),
            (-0.25, "-0.25"),
            (f64::NAN, ""),
        ] {
            assert_eq!(short(number), want);
        }
        assert_eq!(grouped(9_585_059), "9,585,059");
        assert_eq!(grouped(100), "100");
    }

    #[test]
    fn programs_get_every_digit() {
        let sheet = Sheet {
            columns: vec!["a", "b", "c"],
            rows: vec![vec![
                Cell::Number(0.1 + 0.2),
                Cell::Nothing,
                Cell::Words("x, y".into()),
            ]],
        };
        let csv = sheet.text(Format::Csv).unwrap();
        assert_eq!(csv, "a,b,c\n0.30000000000000004,,\"x, y\"\n");
        let json: Json = serde_json::from_str(&sheet.text(Format::Json).unwrap()).unwrap();
        assert_eq!(json[0]["a"].as_f64(), Some(0.1 + 0.2));
        assert!(json[0]["b"].is_null());
        assert_eq!(sheet.without_empty_columns().columns, ["a", "c"]);
    }
}
