//! The sentence of the gate over raw rows and a baseline.

use bouquet_ground::record::{GateDocument, GateExactRow, GateRecords, GateTimeRow, Tier};
use bouquet_render::gate::{Run, Tolerance, accept, acceptance, judge};

use crate::records::Said;

/// What each filter takes, in bytes.
type Sizes<'a> = &'a [(&'a str, u64)];

fn judged(sizes: Sizes<'_>, baseline: Option<&GateDocument>) -> GateDocument {
    let row = |(subject, bytes): &(&str, u64)| GateExactRow {
        subject: (*subject).into(),
        what: "memory".into(),
        setting: String::new(),
        unit: "bytes".into(),
        value: bytes.to_string(),
    };
    let records = GateRecords {
        exact: sizes.iter().map(row).collect(),
        ..GateRecords::default()
    };
    run(&records, Tier::Exact, baseline)
}

fn run(records: &GateRecords, tier: Tier, baseline: Option<&GateDocument>) -> GateDocument {
    let facts = [("times_cpu", "here"), ("revision", "r")];
    let facts = facts.map(|(name, fact)| (name.to_owned(), fact.to_owned()));
    judge(Run {
        facts: facts.into(),
        configuration: Vec::new(),
        keys: Vec::new(),
        records,
        baseline,
        tiers: &[tier],
        is_narrowed: false,
        no_times: None,
        tolerance: Tolerance {
            same_machine: 1.3,
            other_machine: 2.0,
        },
    })
}

fn sentence(old: Sizes<'_>, new: Sizes<'_>) -> Said {
    let before = |name: &str| old.iter().find(|(other, _)| *other == name);
    let gone = old
        .iter()
        .filter(|(name, _)| new.iter().all(|(other, _)| other != name));
    let gone: Vec<&str> = gone.map(|(name, _)| *name).collect();
    let other = new
        .iter()
        .filter(|(name, bytes)| before(name).is_some_and(|b| b.1 != *bytes));
    let unknown = new
        .iter()
        .filter(|(name, _)| before(name).is_none())
        .count();
    let bad: Vec<&str> = other
        .map(|(name, _)| *name)
        .chain(gone.iter().copied())
        .collect();
    let checks = (new.len() + gone.len()) as f64;
    let mut said = Said::default();
    if bad.is_empty() && unknown > 0 {
        let words = "Inconclusive: no check failed, {#} of {#} say too little.";
        said.and(words, &[unknown as f64, checks]);
    } else if bad.is_empty() {
        said.and(
            "Pass: all of {#} checks are as the baseline has them.",
            &[checks],
        );
    } else {
        let names: Vec<String> = bad
            .iter()
            .take(3)
            .map(|name| format!("{name}: memory"))
            .collect();
        said.and(
            "Fail: {#} of {#} checks failed (",
            &[bad.len() as f64, checks],
        );
        said.and(&names.join("; "), &[]);
        if bad.len() > 3 {
            said.and(" and {#} more", &[bad.len() as f64 - 3.0]);
        }
        said.and(").", &[]);
    }
    said
}

#[test]
fn what_the_gate_says() {
    let old: Sizes<'_> = &[("a", 10), ("b", 20), ("c", 30), ("d", 40), ("e", 50)];
    let baseline = accept(judged(old, None), None, "a test");
    let first = judged(old, None).verdict.sentence;
    let mut said = Said::default();
    let words = "Pass: none of {#} checks failed, with no baseline to compare with.";
    said.and(words, &[5.0]);
    said.is(&first);
    let all: [Sizes<'_>; 4] = [
        old,
        &[
            ("a", 10),
            ("b", 20),
            ("c", 30),
            ("d", 40),
            ("e", 50),
            ("f", 1),
        ],
        &[("a", 10), ("b", 21), ("c", 30), ("d", 40)],
        &[("a", 11), ("b", 21), ("c", 31), ("d", 41), ("e", 50)],
    ];
    for new in all {
        let verdict = judged(new, Some(&baseline)).verdict;
        sentence(old, new).is(&verdict.sentence);
    }
}

/// 31 rounds of an operation that takes so many times as long as its reference.
fn timed(ratio: f64, baseline: Option<&GateDocument>) -> GateDocument {
    let row = |subject: &str, round: u32, ratio: f64| GateTimeRow {
        subject: subject.into(),
        operation: "hit".into(),
        capacity: 1,
        key_bytes: 8,
        attempt: 0,
        round,
        keys: 1,
        ns_per_key: 10.0 * ratio * (1.0 + 0.001 * f64::from(round % 7)),
        reference_ns_per_key: 10.0,
        error: String::new(),
    };
    let rounds = (0..31).flat_map(|round| [row("reference", round, 1.0), row("a", round, ratio)]);
    let records = GateRecords {
        times: rounds.collect(),
        ..GateRecords::default()
    };
    run(&records, Tier::Time, baseline)
}

#[test]
fn what_is_faster_is_not_as_it_was() {
    let baseline = accept(timed(1.0, None), None, "a test");
    for (ratio, end) in [
        (1.0, "Pass: all of {#} checks are as the baseline has them."),
        (
            0.5,
            "Pass: none of {#} checks failed, 1 changed since the baseline.",
        ),
    ] {
        let verdict = timed(ratio, Some(&baseline)).verdict;
        let mut said = Said::default();
        said.and(end, &[2.0]);
        said.is(&verdict.sentence);
    }
}

fn size_of(sizes: Sizes<'_>, name: &str) -> Option<u64> {
    let own = sizes.iter().find(|(other, _)| *other == name);
    own.map(|(_, bytes)| *bytes)
}

/// What accepting one set of sizes in the place of another comes to.
fn accepted(old: Sizes<'_>, new: Sizes<'_>) -> Said {
    let names = |sizes: Sizes<'_>, is: &dyn Fn(&str) -> bool| -> Vec<String> {
        let own = sizes.iter().filter(|(name, _)| is(name));
        own.map(|(name, _)| format!("{name}: memory")).collect()
    };
    let parts = [
        (
            "changed",
            names(new, &|name| {
                size_of(old, name).is_some_and(|was| Some(was) != size_of(new, name))
            }),
        ),
        ("new", names(new, &|name| size_of(old, name).is_none())),
        ("gone", names(old, &|name| size_of(new, name).is_none())),
    ];
    let mut said = Said::default();
    if parts.iter().all(|(_, names)| names.is_empty()) {
        said.and(
            "Baseline replaced: all of its {#} figures are as before.",
            &[new.len() as f64],
        );
        return said;
    }
    let plural = |many: usize| if many == 1 { "figure" } else { "figures" };
    let all = format!("Baseline replaced: of {{#}} {}", plural(new.len()));
    said.and(&all, &[new.len() as f64]);
    for (what, names) in parts.iter().filter(|(_, names)| !names.is_empty()) {
        let many = plural(names.len());
        said.and(&format!(", {{#}} {many} {what} ("), &[names.len() as f64]);
        said.and(&names[..names.len().min(3)].join("; "), &[]);
        match names.len() {
            ..=3 => {}
            4 => said.and("; and {#} figure more", &[1.0]),
            many => said.and("; and {#} figures more", &[many as f64 - 3.0]),
        }
        said.and(")", &[]);
    }
    said.and(".", &[]);
    said
}

#[test]
fn what_an_acceptance_says() {
    let old: Sizes<'_> = &[("a", 10), ("b", 20), ("c", 30), ("d", 40), ("e", 50)];
    let first = accept(judged(old, None), None, "a test");
    let mut said = Said::default();
    let words = "Baseline written: {#} figures, with none before them to compare with.";
    said.and(words, &[5.0]);
    said.is(&acceptance(&first, None));
    let all: [Sizes<'_>; 5] = [
        old,
        &[
            ("a", 10),
            ("b", 21),
            ("c", 30),
            ("d", 40),
            ("e", 50),
            ("f", 1),
        ],
        &[("a", 10)],
        &[("a", 1), ("b", 1), ("c", 1), ("d", 1), ("e", 1), ("f", 1)],
        &[("v", 1), ("w", 1), ("x", 1), ("y", 1)],
    ];
    for new in all {
        let run = judged(new, Some(&first));
        let second = accept(run, Some(&first), "another test");
        accepted(old, new).is(&acceptance(&second, Some(&first)));
    }
}
