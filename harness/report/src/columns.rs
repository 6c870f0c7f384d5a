//! Tables of values. All outputs are made from tables: text for the terminal, Markdown and HTML for
//! people, JSON and CSV for programs.

use std::collections::BTreeMap;

use anyhow::Result;
use serde::{Serialize, Serializer};

use super::{
    document::Text,
    number::{self, Estimate},
};
use bouquet_record::{
    Outcome, guarded,
    line::{clean, is_harmless},
};

/// The version of the commands' JSON. It grows when a field is removed or changes its meaning.
pub const ANSWER_SCHEMA: u32 = 1;

/// Formats JSON on several lines; control characters that would affect a terminal are escaped as
/// \uXXXX.
pub fn json(value: &impl Serialize) -> Result<String> {
    let mut text = String::new();
    for c in serde_json::to_string_pretty(value)?.chars() {
        match c == '\n' || is_harmless(c) {
            true => text.push(c),
            false => text += &format!("\\u{:04x}", u32::from(c)),
        }
    }
    Ok(text + "\n")
}

/// An answer in the JSON structure that all commands share: the schema version, the verdict if
/// there is one, and the answer's own fields.
pub fn answer(verdict: Option<Outcome>, answer: impl Serialize) -> Result<String> {
    #[derive(Serialize)]
    struct Answer<T> {
        schema: u32,
        verdict: Option<Outcome>,
        #[serde(flatten)]
        answer: T,
    }
    json(&Answer {
        schema: ANSWER_SCHEMA,
        verdict,
        answer,
    })
}

/// The value of one cell of a table.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Value {
    Nothing,
    Count(u64),
    Number(f64),
    YesNo(bool),
    Words(#[serde(serialize_with = "in_words")] Text),
}

fn in_words<S: Serializer>(text: &Text, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&text.words())
}

macro_rules! values {
    ($($from:ty: $value:expr;)*) => {
        $(impl From<$from> for Value {
            fn from(from: $from) -> Self {
                $value(from)
            }
        })*
    };
}

values! {
    u64: Self::Count;
    u32: |count| Self::Count(u64::from(count));
    usize: |count| Self::Count(count as u64);
    f64: Self::Number;
    bool: Self::YesNo;
    Text: Self::Words;
    &str: |words| Self::Words(Text::from(words));
    &String: |words| Self::Words(Text::from(words));
    String: |words| Self::Words(Text::from(words));
    Outcome: |outcome: Outcome| outcome.word().into();
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Nothing, T::into)
    }
}

impl Value {
    /// Formats the value for people: numbers with six significant digits, `Nothing` as an empty
    /// string.
    pub fn words(&self) -> String {
        match self {
            Self::Count(count) => number::count(*count),
            Self::Number(number) if number.is_finite() => number::significant(*number, 6),
            Self::Nothing | Self::Number(_) => String::new(),
            Self::YesNo(yes) => if *yes { "yes" } else { "no" }.into(),
            Self::Words(text) => text.words(),
        }
    }
}

/// A column; its name is the heading, and the key in JSON and CSV.
#[derive(Clone, PartialEq, Debug)]
pub struct Column {
    pub name: &'static str,
    /// Whether the column is aligned right, with digits of equal width.
    pub numeric: bool,
    /// The unit, shown after the value when each row is printed as a list; mostly empty.
    pub unit: &'static str,
}

/// A table: every row has one cell per column. A narrow terminal does not show the last columns.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<Value>>,
    /// Whether the table is the answer of a command and not part of a report. In an answer, a
    /// missing value is blank; in a report, it is a dash.
    pub is_answer: bool,
}

/// A builder that adds columns to the rows of a table.
#[derive(Debug)]
pub struct Columns<Row> {
    of: Vec<Row>,
    table: Table,
}

impl<Row: Copy> Columns<Row> {
    /// Adds a column with the value of each row. The column is numeric if any value is a number, or
    /// if the heading begins with `#`, which is not shown.
    pub fn column<V: Into<Value>>(
        mut self,
        heading: &'static str,
        value: impl Fn(Row) -> V,
    ) -> Self {
        let cells: Vec<Value> = self.of.iter().map(|row| value(*row).into()).collect();
        let is_number = |cell: &Value| matches!(cell, Value::Count(_) | Value::Number(_));
        self.table.columns.push(Column {
            name: heading.trim_start_matches('#'),
            numeric: heading.starts_with('#') || cells.iter().any(is_number),
            unit: "",
        });
        for (row, cell) in self.table.rows.iter_mut().zip(cells) {
            row.push(cell);
        }
        self
    }

    /// Sets the unit of the last column.
    pub fn unit(mut self, unit: &'static str) -> Self {
        if let Some(column) = self.table.columns.last_mut() {
            column.unit = unit;
        }
        self
    }

    /// Adds three columns: a value, and the two ends of its interval. If the value is exact, the
    /// ends are empty.
    pub fn with_interval(
        self,
        [value, low, high]: [&'static str; 3],
        of: impl Fn(Row) -> Option<Estimate>,
    ) -> Self {
        let ends = |row| of(row).and_then(Estimate::ends);
        self.column(value, |row| of(row).map(|of| of.value))
            .column(low, |row| ends(row).map(|[low, _]| low))
            .column(high, |row| ends(row).map(|[_, high]| high))
    }

    pub fn table(self) -> Table {
        self.table
    }
}

impl Table {
    /// A table of a report, with one row per item.
    pub fn of<Row: Copy>(rows: impl IntoIterator<Item = Row>) -> Columns<Row> {
        let of: Vec<Row> = rows.into_iter().collect();
        let table = Self {
            rows: vec![Vec::new(); of.len()],
            ..Self::default()
        };
        Columns { of, table }
    }

    /// A table for a command's answer, with one row per item.
    pub fn answer<Row: Copy>(rows: impl IntoIterator<Item = Row>) -> Columns<Row> {
        let mut columns = Self::of(rows);
        columns.table.is_answer = true;
        columns
    }

    pub fn without_empty_columns(mut self) -> Self {
        for at in (0..self.columns.len()).rev() {
            if self.rows.iter().all(|row| row[at].words().is_empty()) {
                self.columns.remove(at);
                self.rows.iter_mut().for_each(|row| _ = row.remove(at));
            }
        }
        self
    }

    /// The rows as formatted text.
    pub fn texts(&self) -> impl Iterator<Item = Vec<Text>> {
        let text = |value: &Value| match value {
            Value::Words(text) => text.clone(),
            Value::Nothing if !self.is_answer => "–".into(),
            value => value.words().into(),
        };
        let rows = self.rows.iter();
        rows.map(move |row| row.iter().map(text).collect())
    }

    /// The table as JSON with full precision, with the verdict if there is one.
    pub fn json(&self, verdict: Option<Outcome>) -> Result<String> {
        answer(verdict, BTreeMap::from([("rows", self)]))
    }

    /// The table as CSV with full precision. Text that a spreadsheet would execute gets an
    /// apostrophe in front.
    pub fn csv(&self) -> Result<String> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(self.columns.iter().map(|column| column.name))?;
        let value = |value: &Value| match value {
            Value::Words(text) => guarded(&clean(&text.words())).into_owned().into(),
            Value::Number(x) if x.is_finite() => format!("{x:?}").into(),
            Value::Number(_) => Value::Nothing,
            other => other.clone(),
        };
        for row in &self.rows {
            writer.serialize(row.iter().map(value).collect::<Vec<_>>())?;
        }
        Ok(String::from_utf8(writer.into_inner()?)?)
    }
}

/// Serializes as an array with one object per row.
impl Serialize for Table {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        struct Row<'a>(&'a [Column], &'a [Value]);
        impl Serialize for Row<'_> {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_map(self.0.iter().map(|column| column.name).zip(self.1))
            }
        }
        to.collect_seq(self.rows.iter().map(|row| Row(&self.columns, row)))
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
            (123_456.7, "123,457"),
            (100_000.0, "100,000"),
            (-0.25, "-0.25"),
            (f64::NAN, ""),
        ] {
            assert_eq!(Value::Number(number).words(), want);
        }
        assert_eq!(Value::Count(9_585_059).words(), "9,585,059");
    }

    /// A file name that looks like a formula must not be computed by a spreadsheet.
    #[test]
    fn a_spreadsheet_computes_no_cell() {
        let answer = Table::answer([()])
            .column("a", |()| "=HYPERLINK(\"x\")")
            .column("b", |()| "\t@b")
            .column("c", |()| "-c")
            .column("d", |()| -0.5)
            .table();
        let wanted = "a,b,c,d\n\"'=HYPERLINK(\"\"x\"\")\", @b,'-c,-0.5\n";
        assert_eq!(answer.csv().unwrap(), wanted);
    }

    #[test]
    fn programs_get_every_digit() {
        let answer = Table::answer([()])
            .column("a", |()| 0.1 + 0.2)
            .column("b", |()| None::<f64>)
            .column("c", |()| "x, y\n")
            .table();
        let csv = answer.csv().unwrap();
        assert_eq!(csv, "a,b,c\n0.30000000000000004,,\"x, y \"\n");
        let json: serde_json::Value =
            serde_json::from_str(&answer.json(Some(Outcome::Pass)).unwrap()).unwrap();
        assert_eq!(
            (&json["schema"], &json["verdict"]),
            (&1.into(), &"pass".into())
        );
        let json = &json["rows"];
        assert_eq!(json[0]["a"].as_f64(), Some(0.1 + 0.2));
        assert!(json[0]["b"].is_null());
        let left = answer.without_empty_columns();
        let names: Vec<_> = left.columns.iter().map(|column| column.name).collect();
        assert_eq!((names, left.rows[0].len()), (vec!["a", "c"], 2));
    }
}
