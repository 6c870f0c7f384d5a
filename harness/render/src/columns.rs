//! A table is a list of columns over rows. All outputs are made from it: text for the terminal,
//! Markdown and HTML for people, JSON and CSV for programs.

use anyhow::Result;
use serde::{Serialize, Serializer};

use super::{document::Text, number};
use bouquet_ground::Outcome;
use bouquet_ground::line::{clean, is_harmless};
use bouquet_ground::record::guarded;
use bouquet_ground::units::trimmed;
use bouquet_stats::Interval;

/// Incremented when a name in any command's JSON is removed or changes its meaning.
pub const ANSWER_SCHEMA: u32 = 1;

/// Formats JSON on several lines; control characters that would affect a terminal are escaped as
/// \uXXXX.
pub fn json(value: &impl Serialize) -> Result<String> {
    let text = serde_json::to_string_pretty(value)?;
    let write = |mut all: String, c: char| {
        match c {
            '\n' => all.push(c),
            c if is_harmless(c) => all.push(c),
            c => all += &format!("\\u{:04x}", u32::from(c)),
        }
        all
    };
    Ok(text.chars().fold(String::new(), write) + "\n")
}

/// A cell, or another value in the JSON beside a table's rows.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Value {
    Nothing,
    Count(u64),
    Number(f64),
    YesNo(bool),
    Words(#[serde(serialize_with = "in_words")] Text),
    Rows(Table),
    List(Vec<Value>),
    Object(#[serde(serialize_with = "in_fields")] Vec<(&'static str, Value)>),
}

fn in_fields<S: Serializer>(fields: &[(&str, Value)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(fields.iter().map(|(name, value)| (name, value)))
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
    Table: Self::Rows;
    Vec<Value>: Self::List;
    Outcome: |outcome: Outcome| outcome.word().into();
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Nothing, T::into)
    }
}

impl Value {
    /// The JSON that a command prints: an object with the schema version, the verdict if there is
    /// one, the fields `more` that only this command has, and the rows.
    pub fn answer(
        verdict: Option<Outcome>,
        more: Vec<(&'static str, Self)>,
        rows: impl Into<Self>,
    ) -> Self {
        let first = [
            ("schema", ANSWER_SCHEMA.into()),
            ("verdict", verdict.into()),
        ];
        let last = ("rows", rows.into());
        Self::Object(first.into_iter().chain(more).chain([last]).collect())
    }

    pub fn json(&self) -> Result<String> {
        json(self)
    }

    /// Formats the value for people: numbers with six digits, `Nothing` as an empty string.
    pub fn words(&self) -> String {
        match self {
            Self::Nothing | Self::Rows(_) | Self::List(_) | Self::Object(_) => String::new(),
            Self::Count(count) => number::count(*count),
            Self::Number(number) => six_digits(*number),
            Self::YesNo(yes) => if *yes { "yes" } else { "no" }.into(),
            Self::Words(text) => text.words(),
        }
    }
}

/// Uses an exponent for very small or large numbers.
fn six_digits(number: f64) -> String {
    if !number.is_finite() {
        return String::new();
    }
    let exponent = number.abs().log10().floor();
    let text = if number == 0.0 || (-4.0..15.0).contains(&exponent) {
        let behind = (5.0 - exponent).clamp(0.0, 9.0) as usize;
        format!("{number:.behind$}")
    } else {
        format!("{number:.5e}")
    };
    let (digits, exponent) = text.split_at(text.find('e').unwrap_or(text.len()));
    trimmed(digits).to_owned() + exponent
}

/// A column; its name is the heading, and the key in JSON and CSV.
#[derive(Clone, PartialEq, Debug)]
pub struct Column {
    pub name: &'static str,
    /// Aligned right, with digits of equal width.
    pub numeric: bool,
    /// The unit, shown where a value stands alone; mostly empty.
    pub unit: &'static str,
    /// The rank: a narrow terminal leaves out columns of a lower rank first.
    pub kept: u8,
}

/// A table; every row has one cell per column.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<Value>>,
    /// Whether this is a command's answer and not a report's table: missing values are left blank,
    /// and Markdown shows column names unchanged.
    pub is_answer: bool,
}

/// A builder of a table: its rows, to which columns are added.
#[derive(Debug)]
pub struct Columns<Row> {
    of: Vec<Row>,
    table: Table,
}

impl<Row: Copy> Columns<Row> {
    /// Adds a column with the value of each row. The column is numeric if its values are numbers or
    /// the heading begins with `#`, which is not shown.
    pub fn column<V: Into<Value>>(
        mut self,
        heading: &'static str,
        value: impl Fn(Row) -> V,
    ) -> Self {
        let cells: Vec<Value> = self.of.iter().map(|row| value(*row).into()).collect();
        let is_number = |cell: &Value| matches!(cell, Value::Count(_) | Value::Number(_));
        self.table.columns.push(Column {
            name: heading.strip_prefix('#').unwrap_or(heading),
            numeric: heading.starts_with('#') || cells.iter().any(is_number),
            unit: "",
            kept: 0,
        });
        let rows = self.table.rows.iter_mut().zip(cells);
        rows.for_each(|(row, cell)| row.push(cell));
        self
    }

    /// Sets the unit of the last column.
    pub fn unit(mut self, unit: &'static str) -> Self {
        let last = self.table.columns.last_mut();
        last.into_iter().for_each(|column| column.unit = unit);
        self
    }

    /// Marks the last column as essential: a narrow terminal first leaves out columns without a
    /// rank or with a lower one.
    pub fn kept(mut self, rank: u8) -> Self {
        let last = self.table.columns.last_mut();
        last.into_iter().for_each(|column| column.kept = rank);
        self
    }

    /// Adds three columns: a value and the two ends of its interval.
    pub fn with_interval<E: Into<(f64, Interval)>>(
        self,
        [value, low, high]: [&'static str; 3],
        of: impl Fn(Row) -> Option<E>,
    ) -> Self {
        let of = |row| of(row).map(E::into);
        self.column(value, |row| of(row).map(|(value, _)| value))
            .column(low, |row| of(row).map(|(_, interval)| interval.low))
            .column(high, |row| of(row).map(|(_, interval)| interval.high))
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

    /// A table of a command's answer.
    pub fn answer<Row: Copy>(rows: impl IntoIterator<Item = Row>) -> Columns<Row> {
        let mut columns = Self::of(rows);
        columns.table.is_answer = true;
        columns
    }

    /// Removes the columns that are empty in every row.
    pub fn without_empty_columns(mut self) -> Self {
        let is_full = |at: usize| self.rows.iter().any(|row| !row[at].words().is_empty());
        let full: Vec<bool> = (0..self.columns.len()).map(is_full).collect();
        let mut kept = full.iter().cycle();
        self.columns.retain(|_| kept.next() == Some(&true));
        for row in &mut self.rows {
            row.retain(|_| kept.next() == Some(&true));
        }
        self
    }

    /// Puts a star in front of bold text.
    pub fn starred(mut self) -> Self {
        for cell in self.rows.iter_mut().flatten() {
            if let Value::Words(text) = cell {
                text.star();
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
        self.rows
            .iter()
            .map(move |row| row.iter().map(text).collect())
    }

    /// The table as JSON with full precision, with the verdict if there is one.
    pub fn json(&self, verdict: Option<Outcome>) -> Result<String> {
        Value::answer(verdict, Vec::new(), self.clone()).json()
    }

    /// The table as CSV with full precision; text that a spreadsheet would execute gets an
    /// apostrophe.
    pub fn csv(&self) -> Result<String> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        if self.is_answer || !self.rows.is_empty() {
            writer.write_record(self.columns.iter().map(|column| column.name))?;
        }
        let value = |value: &Value| match value {
            Value::Words(text) => guarded(&clean(&text.words())).into_owned().into(),
            Value::Number(x) if self.is_answer && x.is_finite() => format!("{x:?}").into(),
            Value::Number(_) if self.is_answer => Value::Nothing,
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
        to.collect_seq(self.rows.iter().map(|row| Object(&self.columns, row)))
    }
}

struct Object<'a>(&'a [Column], &'a [Value]);

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|column| column.name).zip(self.1))
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
            assert_eq!(Value::Number(number).words(), want);
        }
        assert_eq!(Value::Count(9_585_059).words(), "9,585,059");
    }

    /// A file name can look like a formula.
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
