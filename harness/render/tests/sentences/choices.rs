//! "If you …, take …": of the committed reports each line made again from the records.

mod scoreboard;
mod speed;

use std::collections::BTreeMap;

use crate::records::{Set, grouped};

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
