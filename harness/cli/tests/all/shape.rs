//! The JSON of every command has the same structure, and flags are accepted in any order.

use serde_json::Value;

use super::support::{Folder, stdout};

fn folder() -> Folder {
    let folder = Folder::new();
    let keys: String = (0..1_000).map(|i| format!("key {i}\n")).collect();
    folder.file("keys", keys);
    folder.file("some", "key 1\nabsent 1\nkey 2\n");
    folder.file("notes", "no filter\n");
    folder.good("build -q -o a keys");
    folder.good("build -q -o b keys");
    folder
}

fn run(folder: &Folder, line: &str) -> (Option<i32>, String) {
    let output = folder.run(line);
    (output.status.code(), stdout(&output))
}

/// Commands, their exit codes and verdicts, and some columns of their rows.
const ANSWERS: [(&str, i32, Option<&str>, &[&str]); 6] = [
    ("theory --capacity 1e6 --fpr 0.01", 0, None, &["exact_fpr"]),
    ("inspect a b", 0, None, &["file", "estimated_fpr"]),
    ("inspect --fail-above-fpr 0.5 a", 0, Some("pass"), &["file"]),
    (
        "inspect --fail-above-fpr 1e-9 a",
        1,
        Some("fail"),
        &["file"],
    ),
    ("inspect a notes", 2, None, &["file", "verdict"]),
    (
        "recommend -q --capacity 1e6 --fpr 0.01",
        0,
        None,
        &["candidate", "outcome"],
    ),
];

#[test]
fn json_is_an_object_with_schema_verdict_and_rows() {
    let folder = folder();
    for (line, code, verdict, columns) in ANSWERS {
        let (ended, json) = run(&folder, &format!("{line} --format json"));
        let answer: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(ended, Some(code), "{line}");
        assert_eq!(answer["schema"], 1, "{line}");
        assert_eq!(answer["verdict"], Value::from(verdict), "{line}");
        let rows = answer["rows"].as_array().unwrap();
        assert!(!rows.is_empty(), "{line}");
        // The columns have the same names in CSV.
        let (_, csv) = run(&folder, &format!("{line} --format csv"));
        let head: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
        for column in columns {
            let has = rows.iter().all(|row| row.get(column).is_some());
            assert!(has && head.contains(column), "{line}: {column}");
        }
    }
}

#[test]
fn flags_may_stand_in_any_order() {
    let folder = folder();
    for line in [
        "check a some --count",
        "--color never -v --wide check --count a some",
        "check a --color never --verbose some --count --wide",
    ] {
        assert_eq!(run(&folder, line), (Some(0), "2\n".into()), "{line}");
    }
}

/// With --quiet, no command prints anything except its answer.
#[test]
fn quiet_is_an_option_of_every_command() {
    let folder = folder();
    let ended = |line: &str| {
        let output = folder.run(line);
        (output.status.code(), output.stdout, output.stderr)
    };
    for (line, is_noted) in [
        ("theory --capacity 1e6 --fpr 0.01", false),
        ("inspect a", false),
        ("check a some", false),
        ("union -o u a b", true),
        ("recommend --capacity 1e6 --fpr 0.01", false),
        ("completions bash", false),
    ] {
        let (code, stdout, stderr) = ended(line);
        assert_eq!(code, Some(0), "{line}");
        assert_eq!(!stderr.is_empty(), is_noted, "{line}");
        for line in [format!("-q {line}"), format!("{line} --quiet")] {
            let quiet = ended(&line);
            assert_eq!(quiet, (Some(0), stdout.clone(), Vec::new()), "{line}");
        }
    }
    // Errors are still printed.
    for line in ["-q report nowhere", "gate --baseline nowhere -q"] {
        folder.rejects(line, &["nowhere"]);
    }
}
