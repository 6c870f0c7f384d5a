//! The rows of attacks as tables: for people one an attack, for programs one.

use anyhow::Result;

use crate::{
    attack::Figure,
    cmd::{
        Format,
        sheet::{Cell, Sheet},
    },
    record::AttackRow,
};

/// The confidence of every interval that is shown.
const CONFIDENCE: f64 = 0.95;

/// All rows in a format, with a line end at the end.
pub fn text(rows: &[AttackRow], format: Format) -> Result<String> {
    if matches!(format, Format::Json | Format::Csv) {
        return sheet(rows.iter(), &every_column()).text(format);
    }
    let mark = if format == Format::Md { "### " } else { "" };
    let mut text = String::new();
    for (attack, table) in for_people(rows) {
        text += &format!("{mark}{attack}\n\n{}\n", table.text(format)?);
    }
    Ok(text)
}

/// A sheet an attack, under its name.
pub fn for_people(rows: &[AttackRow]) -> impl Iterator<Item = (&str, Sheet)> {
    let mut attacks: Vec<&str> = rows.iter().map(|row| row.attack.as_str()).collect();
    attacks.sort_unstable();
    attacks.dedup();
    attacks.into_iter().map(|attack| {
        let of_it = rows.iter().filter(|row| row.attack == attack);
        let table = sheet(of_it, &columns_for_people()).without_empty_columns();
        (attack, table)
    })
}

/// A column, and what a row has in it.
type Column = (&'static str, fn(&AttackRow) -> Cell);

fn sheet<'a>(rows: impl Iterator<Item = &'a AttackRow>, columns: &[Column]) -> Sheet {
    Sheet {
        columns: columns.iter().map(|(name, _)| *name).collect(),
        rows: rows
            .map(|row| columns.iter().map(|(_, cell)| cell(row)).collect())
            .collect(),
    }
}

fn every_column() -> Vec<Column> {
    vec![
        ("attack", |row| words(&row.attack)),
        ("filter", |row| words(&row.filter)),
        ("hashing", |row| words(&row.hashing)),
        ("knows", |row| words(&row.knows)),
        ("method", |row| words(&row.method)),
        ("capacity", |row| Cell::Count(row.capacity)),
        ("chosen", |row| Cell::Count(row.chosen)),
        ("succeeded", |row| Cell::Count(row.succeeded)),
        ("rate", |row| value(rate(row))),
        ("rate_low", |row| low(rate(row))),
        ("rate_high", |row| high(rate(row))),
        ("honest_rate", |row| Cell::Number(row.honest_rate)),
        ("trials", |row| Cell::Count(row.trials)),
        ("keys_found", |row| Cell::Count(row.keys_found)),
        ("trials_per_key", |row| value(cost(row))),
        ("trials_per_key_low", |row| low(cost(row))),
        ("trials_per_key_high", |row| high(cost(row))),
        ("fill_ratio", |row| number(row.fill_ratio)),
        ("expected_fill", |row| number(row.expected_fill)),
        ("expected_fill_sd", |row| number(row.expected_fill_sd)),
        ("measured_fpr", |row| value(fpr(row))),
        ("measured_fpr_low", |row| low(fpr(row))),
        ("measured_fpr_high", |row| high(fpr(row))),
        ("expected_fpr", |row| Cell::Number(row.expected_fpr)),
        ("removals_asked", |row| removals(row, row.removals_asked)),
        ("removals_taken", |row| removals(row, row.removals_taken)),
        ("members_lost", |row| removals(row, row.members_lost)),
        ("outcome", |row| words(&row.outcome)),
        ("error", |row| words(&row.error)),
    ]
}

fn columns_for_people() -> Vec<Column> {
    vec![
        ("filter", |row| words(&row.filter)),
        ("hashing", |row| words(&row.hashing)),
        ("knows", |row| words(&row.knows)),
        ("method", |row| words(&row.method)),
        ("capacity", |row| Cell::Count(row.capacity)),
        ("chosen", |row| Cell::Count(row.chosen)),
        ("rate (95 % interval)", |row| with_interval(rate(row))),
        ("honest rate", |row| words(&digits(row.honest_rate))),
        ("trials a key (95 % interval)", |row| {
            with_interval(cost(row))
        }),
        ("fill", |row| number(row.fill_ratio)),
        ("honest fill (sd)", |row| honest_fill(row)),
        ("FPR after (95 % interval)", |row| with_interval(fpr(row))),
        ("honest FPR", |row| words(&digits(row.expected_fpr))),
        ("members lost", |row| removals(row, row.members_lost)),
        ("outcome", |row| words(&row.outcome)),
        ("error", |row| words(&row.error)),
    ]
}

fn rate(row: &AttackRow) -> Option<Figure> {
    row.rate(CONFIDENCE)
}

fn cost(row: &AttackRow) -> Option<Figure> {
    row.trials_per_key(CONFIDENCE)
}

fn fpr(row: &AttackRow) -> Option<Figure> {
    row.measured_fpr(CONFIDENCE)
}

fn words(words: &str) -> Cell {
    if words.is_empty() {
        Cell::Nothing
    } else {
        Cell::Words(words.into())
    }
}

fn number(number: Option<f64>) -> Cell {
    number.map_or(Cell::Nothing, Cell::Number)
}

fn value(figure: Option<Figure>) -> Cell {
    number(figure.map(|figure| figure.value))
}

fn low(figure: Option<Figure>) -> Cell {
    number(figure.map(|figure| figure.interval.low))
}

fn high(figure: Option<Figure>) -> Cell {
    number(figure.map(|figure| figure.interval.high))
}

/// A count that only an attack by removals has.
fn removals(row: &AttackRow, count: u64) -> Cell {
    if row.attack == "deletion" {
        Cell::Count(count)
    } else {
        Cell::Nothing
    }
}

fn with_interval(figure: Option<Figure>) -> Cell {
    figure.map_or(Cell::Nothing, |Figure { value, interval }| {
        let [value, low, high] = [value, interval.low, interval.high].map(digits);
        Cell::Words(format!("{value} ({low} to {high})"))
    })
}

fn honest_fill(row: &AttackRow) -> Cell {
    match (row.expected_fill, row.expected_fill_sd) {
        (Some(mean), Some(sd)) => Cell::Words(format!("{} ({})", digits(mean), digits(sd))),
        _ => Cell::Nothing,
    }
}

/// Four digits of what is not below 0, with an exponent where the number is very small or large.
fn digits(number: f64) -> String {
    if number == 0.0 {
        return "0".into();
    }
    // Of the number as it is printed: 0.99999 is 1.000.
    let rounded = format!("{number:.3e}").parse().unwrap_or(number);
    let exponent = f64::log10(rounded).floor();
    if (-4.0..9.0).contains(&exponent) {
        let behind = (3.0 - exponent).max(0.0) as usize;
        format!("{number:.behind$}")
    } else {
        format!("{number:.2e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        for (number, want) in [
            (0.0, "0"),
            (1.0, "1.000"),
            (0.999_99, "1.000"),
            (0.010_039_5, "0.01004"),
            (98.76, "98.76"),
            (254_321.4, "254321"),
            (6.7e-32, "6.70e-32"),
        ] {
            assert_eq!(digits(number), want);
        }
    }
}
