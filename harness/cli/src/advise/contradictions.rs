//! Tests that each pair of flags leads to an answer, or to an error that names both flags.

use super::{
    Requirements, Workload, advise,
    workloads::{Stored, stored},
};

/// Flags, as lines of a workload file.
const FLAGS: [&str; 26] = [
    "fpr = 0.01",
    "memory = \"1MB\"",
    "bits-per-key = 12",
    "hits = 0",
    "hits = 0.9",
    "work-cost = \"3us\"",
    "lookups-per-build = 1e4",
    "threads = 4",
    "processes = 8",
    "filters-count = 10",
    "growth = 4",
    "growth = \"unknown\"",
    "integers-below = 2e5",
    "integers-below = 1e12",
    "key-kind = \"u64\"",
    "key-kind = \"url\"",
    "deletes = true",
    "static = true",
    "expires = \"1h\"",
    "persist = true",
    "shared = true",
    "hostile = true",
    "use-case = \"sstable\"",
    "use-case = \"join\"",
    "use-case = \"dedup-window\"",
    "use-case = \"crawler\"",
];

/// The flags that a use case brings, of those that contradict others.
fn brought(flag: &str) -> Vec<&str> {
    match flag.strip_prefix("use-case = ") {
        None => vec![flag],
        Some("\"dedup-window\"") => vec!["expires = \"1h\"", "fpr = 0.001"],
        Some("\"crawler\"") => vec!["growth = \"unknown\"", "false-positive-loses = true"],
        Some(_) => vec!["static = true"],
    }
}

/// Pairs of flags that contradict each other.
const CONTRADICTIONS: [[&str; 2]; 14] = [
    ["memory", "bits-per-key"],
    // Of so little memory.
    ["growth = \"unknown\"", "memory"],
    ["growth = \"unknown\"", "bits-per-key"],
    ["fpr = 0.001", "bits-per-key"],
    ["growth = 4", "integers-below = 2e5"],
    ["growth", "static"],
    ["deletes", "static"],
    ["expires", "static"],
    ["expires", "deletes"],
    ["expires", "growth"],
    ["expires", "shared"],
    ["expires", "processes"],
    ["deletes", "processes"],
    ["false-positive-loses", "hits = 0"],
];

fn name(flag: &str) -> &str {
    flag.split(' ').next().unwrap_or_default()
}

fn is(flag: &str, of: &str) -> bool {
    flag == of || name(flag) == of
}

fn answer(text: &str, stored: &Stored) -> Result<(), String> {
    let requirements = Requirements::of_toml(text).map_err(|error| format!("{error:#}"))?;
    let workload = Workload::new(&requirements, None).map_err(|error| format!("{error:#}"))?;
    let advice = advise(&workload, &stored.of(&workload));
    advice.map(drop).map_err(|error| format!("{error:#}"))
}

/// The names of the flags of which these two bring one each that contradict each other.
fn contradicting(one: &str, other: &str) -> Vec<[String; 2]> {
    // A flag goes before that of a use case.
    let kept = |flag, beside| {
        let all = brought(flag).into_iter();
        all.filter(move |own| *own == flag || name(own) != name(beside))
    };
    let mut found = Vec::new();
    for a in kept(one, other) {
        for b in kept(other, one) {
            let is_pair = |[x, y]: &[&str; 2]| is(a, x) && is(b, y) || is(a, y) && is(b, x);
            if CONTRADICTIONS.iter().any(is_pair) {
                found.push([a, b].map(|flag| name(flag).to_owned()));
            }
        }
    }
    found
}

/// Asserts that two flags contradict each other exactly if [`CONTRADICTIONS`] has the pair, and that
/// the error names both and says what to do.
fn check(stored: &Stored, one: &str, other: &str, more: &str) {
    let text = format!("capacity = 1e5\n{more}{one}\n{other}\n");
    let pairs = contradicting(one, other);
    match answer(&text, stored) {
        Ok(()) => assert!(pairs.is_empty(), "{text}"),
        Err(error) => {
            let names = |[a, b]: &[String; 2]| error.contains(a) && error.contains(b);
            assert!(pairs.iter().any(names), "{text}{error}");
            let remedies = ["leave out", "raise", "Possible: ", "cannot be used with"];
            assert!(
                remedies.iter().any(|words| error.contains(words)),
                "{text}{error}"
            );
        }
    }
}

#[test]
fn each_pair_of_flags_has_an_answer_or_an_error_that_names_both() {
    let stored = stored();
    for (at, one) in FLAGS.iter().enumerate() {
        for other in FLAGS[at + 1..]
            .iter()
            .filter(|other| name(other) != name(one))
        {
            check(&stored, one, other, "");
        }
        if name(one) != "fpr" {
            check(&stored, "false-positive-loses = true", one, "fpr = 0.01\n");
        }
    }
    // Twenty keys are no contradiction where 10^5 are none.
    for one in FLAGS {
        for other in FLAGS.iter().filter(|other| name(other) != name(one)) {
            let text = format!("capacity = 20\n{one}\n{other}\n");
            // Of 16 bits per key, a set so small has no room for its own header.
            let is_tiny = |flag: &&str| is(flag, "bits-per-key") || flag.contains("join");
            if contradicting(one, other).is_empty() && ![one, *other].iter().any(is_tiny) {
                answer(&text, &stored).unwrap_or_else(|error| panic!("{text}{error}"));
            }
        }
    }
    // A window of another number of keys than there is room for.
    let error = answer("capacity = 1e5\nexpires = \"5000\"", &stored).unwrap_err();
    assert!(
        ["expires", "capacity", "leave out"]
            .iter()
            .all(|words| error.contains(words))
    );
    for alone in ["false-positive-loses = true", "hits = 1"] {
        let error = answer(&format!("capacity = 1e5\n{alone}"), &stored).unwrap_err();
        assert!(error.contains(name(alone)), "{error}");
    }
}
