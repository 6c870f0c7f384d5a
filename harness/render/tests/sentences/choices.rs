//! "If you …, take …": of the committed reports each line made again from the records.

use std::collections::BTreeMap;

use crate::{
    locations::{cell, p_value, threshold},
    records::{Row, Set, grouped, listed, sum},
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
fn of_hashes() {
    let set = Set::read("hashes", &["hashes", "battery"]);
    let set = set.only("battery", |row| row.is("law", "chi-square"));
    let p: Vec<f64> = set.rows("battery").iter().map(p_value).collect();
    let found = threshold(&p);
    let flagged = set.rows("battery").iter().zip(&p);
    let flagged: Vec<&str> = flagged
        .filter(|(_, p)| **p < found)
        .map(|(row, _)| row.text("subject"))
        .collect();
    let times = |bytes: &str| -> Vec<(&str, f64)> {
        let rows = set.rows("hashes").iter();
        let rows = rows.filter(|row| row.is("form", "whole") && row.is("key_bytes", bytes));
        let rows = rows.filter(|row| !flagged.contains(&row.text("hash")));
        let by_hash = grouped(rows, |row| row.text("hash")).into_iter();
        let net = |row: &&Row| row.number("gross_ns_per_key") - row.number("dry_run_ns_per_key");
        by_hash
            .map(|(name, rows)| (name, median(rows.iter().map(net))))
            .collect()
    };
    let said = set.sentences();
    assert_eq!(count(&said), 3);
    let (short, long) = (times("8"), times("20971520"));
    let (fastest, ns) = least(&short);
    let line = advice(&said, "hash short keys");
    match ns < 0.1 {
        true => assert_eq!(
            line,
            format!("take **{fastest}** (less than 0.1 ns on 8 bytes).")
        ),
        false => takes(line, fastest, ns, 0.05 * ns),
    }
    let (fastest, ns) = least(&long);
    takes(advice(&said, "hash large files"), fastest, ns / 1e6, 0.0005);
    let keyed: Vec<_> = short
        .into_iter()
        .filter(|(name, _)| name.ends_with(", keyed"))
        .collect();
    let (fastest, ns) = least(&keyed);
    let line = advice(&said, "hash keys that an adversary may choose");
    takes(line, fastest, ns, 0.05);
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
    assert_eq!(count(&said), 3);
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

#[test]
fn of_the_scoreboard() {
    let set = Set::read("peers", &["peers"]);
    let filters = grouped(
        set.rows("peers")
            .iter()
            .filter(|row| row.is("target_fpr", "0.01")),
        |row| row.text("filter"),
    );
    let at = |rows: &[&Row], load: f64, key: &str| {
        let own = rows.iter().copied();
        sum(
            own.filter(|row| row.is("phase", "load") && row.number("load") == load),
            key,
        )
    };
    let fpr = |rows: &[&Row], load: f64| {
        at(rows, load, "false_positives") / at(rows, load, "non_members_asked")
    };
    let removing = set.subjects("removes", "true");
    let said = set.sentences();
    assert_eq!(count(&said), 6);
    // Whoever is advised has no less of it than any that certainly keeps its promise.
    let kept = |rows: &[&Row]| {
        let broken = at(rows, 1.0, "rejected") + at(rows, 1.0, "false_negatives");
        broken == 0.0 && fpr(rows, 1.0) <= 0.01
    };
    let bits = |rows: &[&Row]| {
        let full = rows.iter().copied();
        let full = full.filter(|row| row.is("phase", "load") && row.number("load") == 1.0);
        let own = full.map(|row| 8.0 * row.number("allocated_bytes") / row.number("keys"));
        own.fold(f64::INFINITY, f64::min)
    };
    for (need, is_fit) in [
        (
            "have a fixed set of keys",
            &(|_: &str, _: &[&Row]| true) as &dyn Fn(&str, &[&Row]) -> bool,
        ),
        ("insert keys as they come", &|_, rows| {
            rows[0].is("is_static", "false")
        }),
        ("must delete keys", &|name, _| removing.contains(&name)),
    ] {
        let line = advice(&said, need);
        let name = line
            .strip_prefix("take **")
            .unwrap()
            .split("**")
            .next()
            .unwrap();
        let own = filters.iter().find(|(own, _)| *own == name);
        let (_, rows) = own.unwrap();
        assert!(is_fit(name, rows), "{line}");
        takes(line, name, bits(rows), 0.2);
        for (other, rows) in &filters {
            let is_less = kept(rows) && is_fit(other, rows) && bits(rows) < 0.99 * bits_said(line);
            assert!(!is_less, "{other} takes less than {line}");
        }
    }
    let line = advice(&said, "do not know how many keys will come");
    let grown = filters.iter().filter(|(_, rows)| {
        let past = rows.iter().filter(|row| row.is("phase", "load"));
        let missing: f64 = past.clone().map(|row| row.number("false_negatives")).sum();
        at(rows, 10.0, "keys") > 0.0 && at(rows, 10.0, "rejected") == 0.0 && missing == 0.0
    });
    let grown: Vec<(&str, f64)> = grown.map(|(name, rows)| (*name, fpr(rows, 10.0))).collect();
    let (name, share) = least(&grown);
    takes(line, name, 100.0 * share, 0.01);
}

/// The figure of a line.
fn bits_said(line: &str) -> f64 {
    let figure = line.split('(').nth(1).unwrap().split(' ').next();
    figure.unwrap().parse().unwrap()
}

/// The least time with half of the lookups members, at the usual size.
#[test]
fn of_speed() {
    let set = Set::read("speed", &["speed"]);
    let said = set.sentences();
    assert_eq!(count(&said), 6);
    let rows = set.rows("speed").iter().filter(|row| {
        row.is("keys", "u64")
            && row.is("capacity", "1000000")
            && row.is("target_fpr", "0.01")
            && row.is("operation", "half")
            && row.is("error", "")
    });
    let net = |row: &&Row| row.number("gross_ns_per_key") - row.number("dry_run_ns_per_key");
    let entrants: Vec<(&str, bool, bool, f64)> =
        grouped(rows, |row| (row.text("filter"), row.text("way")))
            .into_iter()
            .map(|((name, way), rows)| {
                let is_peer = rows[0].is("role", "peer");
                (name, way == "batch", is_peer, median(rows.iter().map(net)))
            })
            .collect();
    let fastest = |line: &str, among: &[&str]| {
        let name = line
            .strip_prefix("take **")
            .unwrap()
            .split("**")
            .next()
            .unwrap();
        let (filter, is_batch) = match name.strip_suffix(", batch") {
            Some(filter) => (filter, true),
            None => (name, false),
        };
        let mut own = entrants.iter();
        let own = own.find(|(other, batch, ..)| (*other, *batch) == (filter, is_batch));
        let ns = own.unwrap().3;
        takes(line, name, ns, 0.05 * ns);
        assert!(among.contains(&filter), "{line}");
        for (other, _, is_peer, time) in &entrants {
            let is_less = !is_peer && among.contains(other) && *time < ns;
            assert!(!is_less, "{other} is faster than {line}");
        }
    };
    let roles = set.subjects("role", "ours");
    let among = |flag: &str| -> Vec<&str> {
        let able = set.subjects(flag, "true");
        roles
            .iter()
            .copied()
            .filter(|name| able.contains(name))
            .collect()
    };
    fastest(advice(&said, "must delete keys"), &among("removes"));
    fastest(
        advice(&said, "do not know how many keys will come"),
        &among("grows"),
    );
    fastest(
        advice(&said, "share it between many threads"),
        &among("concurrent"),
    );
    fastest(advice(&said, "have a fixed set of keys"), &roles);
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
        let (_, figure) = least(&own);
        let line = advice(&said, need);
        let name = line
            .strip_prefix("take **")
            .unwrap()
            .split("**")
            .next()
            .unwrap();
        assert!(is_able(name), "{line}");
        takes(line, name, figure, 0.011);
    }
}
