//! The options that a definition sets for a filter beside its size.

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

#[test]
fn what_is_chosen_stands_in_the_report_and_no_baseline_lacks_it() {
    let project = Project::new("chosen-report");
    define(&project, "counting", "");
    project.accept(&WITHOUT_TIMES);
    // Without options, the configuration has only these fields, as in files of older versions.
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
    assert!(said(&done).contains("Not as in the baseline: seen;"));
    assert!(project.failed().contains(&"exact: memory".to_owned()));
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
    // FPRs are measured with many seeds; times are measured with a filter without options.
    let rate = setting("FPR");
    assert!(rate.ends_with(", each with its own seed"), "{rate}");
    let time = setting("hit");
    assert!(time.ends_with(", of a filter made by default"), "{time}");
}
