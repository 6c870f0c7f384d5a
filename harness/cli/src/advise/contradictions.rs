//! Tests that each pair of flags leads to an answer, or to an error that names both flags.

use super::{
    Requirements, Workload, advise,
    workloads::{Stored, stored},
};

/// Flags, as lines of a workload file.
const FLAGS: [&str; 23] = [
    "fpr = 0.01",
    "memory = \"1MB\"",
    "bits-per-key = 12",
    "hits = 0",
    "hits = 0.9",
    "work-cost = \"3us\"",
    "lookups-per-build = 1e4",
    "threads = 4",
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
];

/// Pairs of flags that contradict each other.
const CONTRADICTIONS: [[&str; 2]; 11] = [
    ["memory", "bits-per-key"],
    // Of so little memory.
    ["growth = \"unknown\"", "memory"],
    ["growth = \"unknown\"", "bits-per-key"],
    ["growth = 4", "integers-below = 2e5"],
    ["growth", "static"],
    ["deletes", "static"],
    ["expires", "static"],
    ["expires", "deletes"],
    ["expires", "growth"],
    ["expires", "shared"],
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

/// Asserts that two flags contradict each other exactly if [`CONTRADICTIONS`] has the pair.
fn check(stored: &Stored, one: &str, other: &str, more: &str) {
    let text = format!("capacity = 1e5\n{more}{one}\n{other}\n");
    let flags = [one, other];
    let contradict = CONTRADICTIONS
        .iter()
        .any(|[a, b]| is(one, a) && is(other, b) || is(one, b) && is(other, a));
    // The use cases in `FLAGS` are static, which contradicts `deletes`, `growth` and `expires`.
    let is_static = flags.iter().any(|flag| is(flag, "use-case"));
    let changes = flags
        .iter()
        .any(|flag| ["deletes", "growth", "expires"].contains(&name(flag)));
    match answer(&text, stored) {
        Ok(()) => assert!(!(contradict || is_static && changes), "{text}"),
        Err(error) if contradict => {
            let names = flags.map(name);
            assert!(
                names.iter().all(|name| error.contains(name)),
                "{text}{error}"
            );
        }
        Err(error) if is_static && changes => assert!(error.contains("static"), "{text}{error}"),
        Err(error) => panic!("{text}{error}"),
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
    for alone in ["false-positive-loses = true", "hits = 1"] {
        let error = answer(&format!("capacity = 1e5\n{alone}"), &stored).unwrap_err();
        assert!(error.contains(name(alone)), "{error}");
    }
}
