//! What a definition chooses of a filter beside its size.

use super::*;

fn define(project: &Project, filter: &str, chosen: &str) {
    project.write(
        "bouquet.toml",
        &format!(
            "[key_sets]\nids = {{ generator = \"ascii-id\" }}\n[[filter]]\nname = \"seen\"\n\
             keys = \"ids\"\nfilter = \"{filter}\"\ncapacity = 2_000\nfpr = 0.01\n{chosen}\n"
        ),
    );
}

/// A project that has another of these than its baseline fails, and is shown what changed.
#[test]
fn another_choice_without_a_new_baseline_fails() {
    let project = Project::new("chosen");
    for (filter, before, after, failed) in [
        ("counting", "", "counter_bits = 8", "exact: memory"),
        ("sharded", "shards = 4", "shards = 5", "exact: locations"),
        ("scalable", "", "stage_growth = 4", "exact: stored bytes"),
        (
            "scalable",
            "stage_tightening = 0.8",
            "stage_tightening = 0.5",
            "exact: memory",
        ),
        ("blocked", "seed = 1", "seed = 2", "exact: answers"),
        ("blocked", "", "hasher = \"xxh3\"", "exact: locations"),
    ] {
        define(&project, filter, before);
        project.accept(&["--tiers", "exact"]);
        let same = project.gate(&["--tiers", "exact", "--strict"]);
        assert_eq!(same.status.code(), Some(0), "{}", said(&same));
        define(&project, filter, after);
        let other = project.gate(&["--tiers", "exact"]);
        assert_eq!(other.status.code(), Some(1), "{after}: {}", said(&other));
        let all = project.failed();
        assert!(all.iter().any(|one| one == failed), "{after}: {all:?}");
        let words = "Not as in the baseline: seen;";
        assert!(said(&other).contains(words), "{after}: {}", said(&other));
        fs::remove_dir_all(project.0.join("baseline")).unwrap();
    }
}

#[test]
fn what_is_chosen_stands_in_the_report_and_no_baseline_lacks_it() {
    let project = Project::new("chosen-report");
    define(&project, "counting", "");
    project.accept(&WITHOUT_TIMES);
    // As it was written before anything could be chosen.
    let configured = project.report()["configuration"][0].clone();
    let names: Vec<&str> = configured
        .as_object()
        .unwrap()
        .keys()
        .map(|name| &**name)
        .collect();
    let known = [
        "bits_per_key",
        "capacity",
        "filter",
        "keys",
        "name",
        "target_fpr",
    ];
    assert_eq!(names, known);
    define(&project, "counting", "counter_bits = 8\nseed = 9");
    let done = project.gate(&["--tiny"]);
    assert_eq!(done.status.code(), Some(1), "{}", said(&done));
    let report = project.report();
    let configured = &report["configuration"][0];
    assert_eq!(
        (&configured["counter_bits"], &configured["seed"]),
        (&json!(8), &json!(9))
    );
    let complaint = documents::Schema::published().complaint(&report);
    assert_eq!(complaint, None);
    let rows = report["rows"].as_array().unwrap();
    let setting = |what: &str| {
        let row = rows
            .iter()
            .find(|row| row["subject"] == "seen" && row["what"] == what);
        text(&row.unwrap()["setting"])
    };
    assert!(
        setting("memory").ends_with(", counter_bits 8, seed 9"),
        "{}",
        setting("memory")
    );
    // Rates are of many seeds, and times of a filter without any of it.
    let rate = setting("FPR");
    assert!(rate.ends_with(", each with its own seed"), "{rate}");
    let time = setting("hit");
    assert!(time.ends_with(", of a filter made by default"), "{time}");
    let page = project.read("out/summary.md");
    assert!(
        page.contains("seen (counting): counter\\_bits 8, seed 9."),
        "{page}"
    );
}

#[test]
fn a_wrong_choice_is_wrong_usage() {
    let project = Project::new("chosen-wrong");
    define(&project, "standard", "counter_bits = 8");
    let done = project.gate(&WITHOUT_TIMES);
    assert_eq!(done.status.code(), Some(2), "{}", said(&done));
    let words = "seen: standard has no counter_bits; what has it is counting";
    assert!(said(&done).contains(words), "{}", said(&done));
}
