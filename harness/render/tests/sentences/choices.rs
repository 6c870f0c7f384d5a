//! "If you …, take …": of the committed reports each line made again from the records.

mod scoreboard;
mod speed;

use std::collections::BTreeMap;

use crate::{
    locations::{cell, p_value, threshold},
    records::{Row, Set, grouped, listed},
};

/// What is advised for a need.
fn advice<'a>(said: &'a BTreeMap<String, String>, need: &str) -> &'a str {
    let need = format!("If you {need}");
    let found = said.get(&need);
    assert!(found.is_some(), "{need:?} is not among {:?}", said.keys());
    found.unwrap()
}

/// How many lines there are.
fn count(said: &BTreeMap<String, String>) -> usize {
    said.keys().filter(|key| key.starts_with("If ")).count()
}

/// The least of these, by name.
fn least<'a>(all: &[(&'a str, f64)]) -> (&'a str, f64) {
    let least = all.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1));
    least.unwrap()
}

/// Ends the test unless this is advised, with a figure that stands for this one.
fn takes(line: &str, name: &str, figure: f64, digits: f64) {
    let rest = line.strip_prefix(&format!("take **{name}** ("));
    assert!(rest.is_some(), "{name} with {figure} is not {line:?}");
    let number: f64 = rest.unwrap().split(' ').next().unwrap().parse().unwrap();
    let off = (number - figure).abs();
    assert!(off <= digits, "{number} stands for {figure} in {line:?}");
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    f64::midpoint(values[(values.len() - 1) / 2], values[values.len() / 2])
}

#[test]
fn of_locations() {
    let set = Set::read("uniformity", &["battery"]);
    let set = set.only("battery", |row| row.is("law", "chi-square"));
    let rows: Vec<&Row> = set.rows("battery").iter().collect();
    let sound = rows.iter().filter(|row| row.is("error", ""));
    let p: Vec<f64> = sound.clone().map(|row| p_value(row)).collect();
    let found = threshold(&p);
    let flagged: Vec<&str> = sound
        .clone()
        .zip(&p)
        .filter(|(_, p)| **p < found)
        .map(|(row, _)| row.text("subject"))
        .collect();
    let said = set.sentences();
    assert_eq!(count(&said), 8);
    for (need, flag) in [
        ("must delete keys", "removes"),
        ("do not know how many keys will come", "grows"),
        ("share it between many threads", "concurrent"),
    ] {
        let mut names = set.subjects(flag, "true");
        names.retain(|name| {
            !flagged.contains(name) && rows.iter().any(|row| row.is("subject", name))
        });
        assert!(!names.is_empty());
        let tested = sound.clone().copied();
        let tested = tested.filter(|row| names.contains(&row.text("subject")));
        let cells = grouped(tested, cell).len();
        assert_eq!(
            advice(&said, need),
            format!(
                "take **{}** (nothing found; cells: {cells}).",
                listed(&names)
            )
        );
    }
    for need in ["want speed above all", "want the least memory above all"] {
        let line = advice(&said, need);
        assert!(line.starts_with("see what was "), "{line}");
    }
    for (need, verb, role, is_found, words) in [
        (
            "want a filter of ours",
            "take",
            "ours",
            false,
            "nothing found",
        ),
        (
            "place the probes of a filter yourself",
            "take",
            "known-good",
            false,
            "nothing found",
        ),
        (
            "meet it in a filter",
            "leave",
            "known-bad",
            true,
            "found out",
        ),
    ] {
        let own = rows.iter().copied().filter(|row| row.is("role", role));
        let names = grouped(own, |row| row.text("subject")).into_iter();
        let names: Vec<&str> = names
            .map(|(name, _)| name)
            .filter(|name| flagged.contains(name) == is_found)
            .collect();
        let tested = sound.clone().copied();
        let tested = tested.filter(|row| names.contains(&row.text("subject")));
        let cells = grouped(tested, cell).len();
        let names = listed(&names);
        assert_eq!(
            advice(&said, need),
            format!("{verb} **{names}** ({words}; cells: {cells}).")
        );
    }
}

/// The name in a line.
fn named(line: &str) -> &str {
    let rest = line.strip_prefix("take **").unwrap();
    rest.split("**").next().unwrap()
}

/// Ends the test unless this is what a line advises: the least of these, or one that is as
/// small to so many digits, and its figure.
fn takes_least(line: &str, all: &[(&str, f64)], digits: f64) {
    let own = all.iter().find(|(name, _)| *name == named(line));
    assert!(own.is_some(), "{line} is of none of {all:?}");
    let (name, figure) = own.unwrap();
    takes(line, name, *figure, digits);
    let (other, least) = least(all);
    assert!(
        *figure <= least + digits,
        "{other} has {least}, less than {line}"
    );
}

/// By the size of those that are full, as at a glance.
#[test]
fn of_an_evaluation() {
    let set = Set::read("main", &["fpr"]);
    let said = set.sentences();
    // Baselines are only reported.
    let judged = set.subjects("role", "ours");
    let rows = set.rows("fpr").iter().filter(|row| {
        row.is("experiment", "fpr-over-load") && row.number("x") == 1.0 && row.is("error", "")
    });
    let bits: Vec<(&str, f64)> = grouped(rows, |row| row.text("filter"))
        .into_iter()
        .map(|(name, rows)| {
            let own = rows
                .iter()
                .map(|row| 8.0 * row.number("memory_bytes") / row.number("capacity"));
            (name, own.fold(f64::INFINITY, f64::min))
        })
        .collect();
    for (need, flag) in [
        ("have a fixed set of keys", None),
        ("must delete keys", Some("removes")),
        ("do not know how many keys will come", Some("grows")),
        ("share it between many threads", Some("concurrent")),
    ] {
        let able = flag.map(|flag| set.subjects(flag, "true"));
        let is_able = |name: &str| {
            judged.contains(&name) && able.as_ref().is_none_or(|able| able.contains(&name))
        };
        let own: Vec<_> = bits
            .iter()
            .copied()
            .filter(|(name, _)| is_able(name))
            .collect();
        takes_least(advice(&said, need), &own, 0.011);
    }
    let own: Vec<_> = bits
        .iter()
        .copied()
        .filter(|(name, _)| judged.contains(name))
        .collect();
    let line = advice(&said, "want the least memory above all");
    takes_least(line, &own, 0.011);
    // Beside the bits, what its expected FPR needs at least.
    let full = set.rows("fpr").iter().find(|row| {
        row.is("experiment", "fpr-over-load")
            && row.number("x") == 1.0
            && row.is("filter", named(line))
    });
    let bound = -full.unwrap().number("expected_fpr").log2();
    let times = line.split(" bits per key, ").nth(1).unwrap();
    let times: f64 = times.split(' ').next().unwrap().parse().unwrap();
    let (_, bits) = own.iter().find(|(name, _)| *name == named(line)).unwrap();
    assert!((times - bits / bound).abs() <= 0.011, "{line}: {bound}");
    let line = advice(&said, "want speed above all");
    assert!(line.starts_with("see what was timed by "), "{line}");
}
