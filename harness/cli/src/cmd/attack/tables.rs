//! The rows of attacks as tables: for people one an attack, for programs one.

use anyhow::Result;

use crate::cmd::{
    Format,
    sheet::{Cell, Column, Sheet, column},
};
use bouquet_ground::record::AttackRow;
use bouquet_lab::attack::{Figure, measured_fpr, success_rate, trials_per_key};
use bouquet_render::number;

/// The confidence of every interval that is shown.
const CONFIDENCE: f64 = 0.95;

/// All rows in a format, with a line end at the end.
pub fn text(rows: &[AttackRow], format: Format) -> Result<String> {
    if matches!(format, Format::Json | Format::Csv) {
        return Sheet::of(&every_column(), rows).text(format);
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
        let table = Sheet::of(&columns_for_people(), of_it).without_empty_columns();
        (attack, table)
    })
}

fn every_column() -> Vec<Column<AttackRow>> {
    vec![
        column("attack", |row| words(&row.attack)),
        column("filter", |row| words(&row.filter)),
        column("hashing", |row| words(&row.hashing)),
        column("knows", |row| words(&row.knows)),
        column("method", |row| words(&row.method)),
        column("capacity", |row| Cell::Count(row.capacity)),
        column("chosen", |row| Cell::Count(row.chosen)),
        column("succeeded", |row| Cell::Count(row.succeeded)),
        column("rate", |row| value(rate(row))),
        column("rate_low", |row| low(rate(row))),
        column("rate_high", |row| high(rate(row))),
        column("honest_rate", |row| Cell::Number(row.honest_rate)),
        column("trials", |row| Cell::Count(row.trials)),
        column("keys_found", |row| Cell::Count(row.keys_found)),
        column("trials_per_key", |row| value(cost(row))),
        column("trials_per_key_low", |row| low(cost(row))),
        column("trials_per_key_high", |row| high(cost(row))),
        column("fill_ratio", |row| plain(row.fill_ratio)),
        column("expected_fill", |row| plain(row.expected_fill)),
        column("expected_fill_sd", |row| plain(row.expected_fill_sd)),
        column("measured_fpr", |row| value(fpr(row))),
        column("measured_fpr_low", |row| low(fpr(row))),
        column("measured_fpr_high", |row| high(fpr(row))),
        column("expected_fpr", |row| Cell::Number(row.expected_fpr)),
        column("removals_asked", |row| removals(row, row.removals_asked)),
        column("removals_taken", |row| removals(row, row.removals_taken)),
        column("members_lost", |row| removals(row, row.members_lost)),
        column("outcome", |row| words(&row.outcome)),
        column("error", |row| words(&row.error)),
    ]
}

fn columns_for_people() -> Vec<Column<AttackRow>> {
    vec![
        column("filter", |row| words(&row.filter)),
        column("hashing", |row| words(&row.hashing)),
        column("knows", |row| words(&row.knows)),
        column("method", |row| words(&row.method)),
        column("capacity", |row| Cell::Count(row.capacity)),
        column("chosen", |row| Cell::Count(row.chosen)),
        column("rate (95 % interval)", |row| in_per_cent(rate(row))),
        column("honest rate", |row| share(Some(row.honest_rate))),
        column("trials a key (95 % interval)", |row| amount(cost(row))),
        column("fill", |row| share(row.fill_ratio)),
        column("honest fill", honest_fill),
        column("FPR after (95 % interval)", |row| in_per_cent(fpr(row))),
        column("honest FPR", |row| share(Some(row.expected_fpr))),
        column("members lost", |row| removals(row, row.members_lost)),
        column("outcome", |row| words(&row.outcome)),
        column("error", |row| words(&row.error)),
    ]
}

fn rate(row: &AttackRow) -> Option<Figure> {
    success_rate(row, CONFIDENCE)
}

fn cost(row: &AttackRow) -> Option<Figure> {
    trials_per_key(row, CONFIDENCE)
}

fn fpr(row: &AttackRow) -> Option<Figure> {
    measured_fpr(row, CONFIDENCE)
}

fn words(words: &str) -> Cell {
    if words.is_empty() {
        Cell::Nothing
    } else {
        Cell::Words(words.into())
    }
}

fn plain(number: Option<f64>) -> Cell {
    number.map_or(Cell::Nothing, Cell::Number)
}

fn value(figure: Option<Figure>) -> Cell {
    plain(figure.map(|figure| figure.value))
}

fn low(figure: Option<Figure>) -> Cell {
    plain(figure.map(|figure| figure.interval.low))
}

fn high(figure: Option<Figure>) -> Cell {
    plain(figure.map(|figure| figure.interval.high))
}

/// A count that only an attack by removals has.
fn removals(row: &AttackRow, count: u64) -> Cell {
    if row.attack == "deletion" {
        Cell::Count(count)
    } else {
        Cell::Nothing
    }
}

/// A share with its interval.
fn in_per_cent(figure: Option<Figure>) -> Cell {
    figure.map_or(Cell::Nothing, |Figure { value, interval }| {
        Cell::Figure(number::measured_with_interval(value, interval))
    })
}

/// What is no share, with its interval.
fn amount(figure: Option<Figure>) -> Cell {
    figure.map_or(Cell::Nothing, |Figure { value, interval }| {
        Cell::Figure(number::amount_with_interval(value, interval))
    })
}

/// A share without chance in it, to three digits.
fn share(share: Option<f64>) -> Cell {
    share.map_or(Cell::Nothing, |x| Cell::Figure(number::share(x, 3)))
}

fn honest_fill(row: &AttackRow) -> Cell {
    match (row.expected_fill, row.expected_fill_sd) {
        (Some(mean), Some(sd)) => Cell::Figure(number::share_with_spread(mean, sd)),
        _ => Cell::Nothing,
    }
}
