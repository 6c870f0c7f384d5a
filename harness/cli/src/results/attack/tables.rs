//! The rows of attacks as tables: for people one an attack, for programs one.

use std::collections::BTreeSet;

use anyhow::Result;

use crate::output::Format;
use bouquet_ground::{
    Outcome,
    line::clean,
    record::{AttackRow, BROKEN, KEYED},
};
use bouquet_lab::attack::{measured_fpr, success_rate, trials_per_key};
use bouquet_render::{columns::Table, markdown::escape, number};

/// All rows in a format, with a line end at the end.
pub fn text(rows: &[AttackRow], outcome: Outcome, format: Format) -> Result<String> {
    if matches!(format, Format::Json | Format::Csv) {
        return format.text(&every_column(rows), Some(outcome));
    }
    let heading = |attack| match format {
        Format::Md => format!("### {}", escape(attack)),
        _ => clean(attack),
    };
    let mut text = String::new();
    for (attack, table) in for_people(rows) {
        let heading = heading(attack);
        text += &format!("{heading}\n\n{}\n", format.text(&table, None)?);
    }
    Ok(text)
}

/// How many of each attack succeed, by whether the hash has a secret key.
pub fn glance(rows: &[AttackRow]) -> Table {
    let attacks: BTreeSet<&str> = rows.iter().map(|row| row.attack.as_str()).collect();
    let attacks: Vec<&str> = attacks.into_iter().collect();
    let of = |attack: &str, is_keyed: bool| {
        let own = rows.iter().filter(|row| row.attack == attack);
        let own: Vec<_> = own
            .filter(|row| (row.hashing == KEYED) == is_keyed)
            .collect();
        let succeeded = own.iter().filter(|row| row.outcome == BROKEN).count();
        let all = number::count(own.len() as u64);
        (!own.is_empty()).then(|| format!("{succeeded} of {all}"))
    };
    Table::of(&attacks)
        .column("Attack", |attack| *attack)
        .column("Succeeded without a secret key", |attack| of(attack, false))
        .column("Succeeded against the keyed hash", |attack| {
            of(attack, true)
        })
        .table()
}

/// A table an attack, under its name.
pub fn for_people(rows: &[AttackRow]) -> impl Iterator<Item = (&str, Table)> {
    let attacks: BTreeSet<&str> = rows.iter().map(|row| row.attack.as_str()).collect();
    attacks.into_iter().map(|attack| {
        let of_it: Vec<_> = rows.iter().filter(|row| row.attack == attack).collect();
        (attack, columns_for_people(&of_it).without_empty_columns())
    })
}

fn every_column(rows: &[AttackRow]) -> Table {
    Table::answer(rows)
        .column("attack", |row| words(&row.attack))
        .column("filter", |row| words(&row.filter))
        .column("hashing", |row| words(&row.hashing))
        .column("knows", |row| words(&row.knows))
        .column("method", |row| words(&row.method))
        .column("capacity", |row| row.capacity)
        .column("chosen", |row| row.chosen)
        .column("succeeded", |row| row.succeeded)
        .with_interval(["rate", "rate_low", "rate_high"], success_rate)
        .column("random_key_rate", |row| row.random_key_rate)
        .column("trials", |row| row.trials)
        .column("keys_found", |row| row.keys_found)
        .with_interval(
            [
                "trials_per_key",
                "trials_per_key_low",
                "trials_per_key_high",
            ],
            trials_per_key,
        )
        .column("fill_ratio", |row| row.fill_ratio)
        .column("expected_fill", |row| row.expected_fill)
        .column("expected_fill_sd", |row| row.expected_fill_sd)
        .with_interval(
            ["measured_fpr", "measured_fpr_low", "measured_fpr_high"],
            measured_fpr,
        )
        .column("expected_fpr", |row| row.expected_fpr)
        .column("removals_asked", |row| removals(row, row.removals_asked))
        .column("removals_taken", |row| removals(row, row.removals_taken))
        .column("false_negatives", |row| removals(row, row.false_negatives))
        .column("outcome", |row| words(&row.outcome))
        .column("error", |row| words(&row.error))
        .table()
}

fn columns_for_people(rows: &[&AttackRow]) -> Table {
    let in_per_cent = |(value, interval)| number::measured_with_interval(value, interval);
    let amount = |(value, interval)| number::amount_with_interval(value, interval);
    let share = |share| number::share(share, 3);
    let random_key_fill = |row: &AttackRow| {
        let law = row.expected_fill.zip(row.expected_fill_sd);
        law.map(|(mean, sd)| number::share_with_spread(mean, sd))
    };
    Table::answer(rows.iter().copied())
        .column("filter", |row| &row.filter)
        .column("hashing", |row| &row.hashing)
        .column("knows", |row| &row.knows)
        .column("method", |row| &row.method)
        .column("capacity", |row| row.capacity)
        .column("chosen", |row| row.chosen)
        .column("#rate (95 % interval)", |row| {
            success_rate(row).map(in_per_cent)
        })
        .column("#rate with random keys", |row| share(row.random_key_rate))
        .column("#trials per key (95 % interval)", |row| {
            trials_per_key(row).map(amount)
        })
        .column("#fill", |row| row.fill_ratio.map(share))
        .column("#fill with random keys", random_key_fill)
        .column("#FPR after (95 % interval)", |row| {
            measured_fpr(row).map(in_per_cent)
        })
        .column("#FPR with random keys", |row| share(row.expected_fpr))
        .column("false negatives", |row| removals(row, row.false_negatives))
        .column("outcome", |row| &row.outcome)
        .kept(1)
        .column("error", |row| &row.error)
        .table()
}

fn words(words: &str) -> Option<&str> {
    Some(words).filter(|words| !words.is_empty())
}

/// A count that only an attack by removals has.
fn removals(row: &AttackRow, count: u64) -> Option<u64> {
    (row.attack == "deletion").then_some(count)
}
