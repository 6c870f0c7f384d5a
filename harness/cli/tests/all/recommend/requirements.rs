//! Requirements by flags and files, the output formats, and the user's own keys.

use super::*;

#[test]
fn a_workload_in_toml_is_read_and_flags_go_before_it() {
    let folder = Folder::new();
    let text = "capacity = 5e4\nfpr = 0.001\ndeletes = true\nwork-cost = \"3us\"\n";
    let path = folder.file("workload.toml", text);
    let answer = json(&format!("--use-case {path} --capacity 70000"));
    assert_eq!(
        (&answer["capacity"], &answer["work_cost_ns"]),
        (&70_000.into(), &3e3.into())
    );
    let choice = answer["choice"].as_str().unwrap().to_owned();
    assert!(
        ["cuckoo", "counting", "hash-set"].contains(&choice.as_str()),
        "{choice}"
    );
    assert_eq!(row(&answer, "standard")["outcome"], "rejected");
    let same = json(&format!("--use-case {path} --deletes=false"));
    assert_ne!(row(&same, "standard")["outcome"], "rejected");
    folder.file("workload.toml", "capacty = 5\n");
    rejected(&format!("--use-case {path}"), &["capacty"]);
}

#[test]
fn times_are_measured_when_asked_for() {
    let output = bouquet("recommend --capacity 1e6 --fpr 0.01 --measure --tiny --format json");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("measuring with 300 keys"));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let times = answer["times"].as_str().unwrap();
    assert!(times.contains("measured now"), "{times}");
}

#[test]
fn the_users_own_keys_are_measured_with() {
    let folder = Folder::new();
    let run = |text: String| -> Value {
        let path = folder.file("keys.txt", text);
        json(&format!(
            "--keys {path} --fpr 0.01 --measure --tiny --quiet"
        ))
    };
    let urls = (0..250).map(|i| format!("https://example.org/{i}\n"));
    let urls = run(urls.collect());
    assert_eq!(urls["capacity"], 250);
    assert!(
        row(&urls, "bitmap")["reasons"]
            .as_str()
            .unwrap()
            .contains("integers")
    );
    let integers = run((0..250).map(|i| format!("{}\n", 3 * i)).collect());
    let bitmap = row(&integers, "bitmap");
    assert_ne!(bitmap["outcome"], "rejected", "{bitmap}");
    // The bits up to the largest key, 747, rounded up to whole words.
    assert_eq!(bitmap["memory_bytes"], 96.0);
}

/// With so low target FPRs or so much memory, blocked filters are rejected, and not measured.
#[test]
fn what_is_rejected_at_low_targets_is_not_measured_there() {
    for asked in ["--fpr 1e-9", "--fpr 1e-12", "--memory 1MB"] {
        json(&format!("--capacity 1000 {asked} --measure --tiny --quiet"));
    }
}

#[test]
fn keys_that_cannot_be_measured_with_are_rejected() {
    let folder = Folder::new();
    for (text, more, words) in [
        ("", "", "no key"),
        ("", "--measure --tiny", "no key"),
        ("one\n", "--measure --tiny", "one key"),
        ("5\n9\n17\n", "--key-kind url", "--key-kind"),
    ] {
        let path = folder.file("keys.txt", text);
        rejected(&format!("--keys {path} {more}"), &[words]);
    }
    if cfg!(debug_assertions) {
        rejected("--capacity 1000 --fpr 0.01 --measure", &["debug build"]);
    }
}
