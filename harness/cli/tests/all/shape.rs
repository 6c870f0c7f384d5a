//! The JSON of every command has one shape, and flags may stand in any order.

use std::{fs, path::Path, process::Command};

use serde_json::Value;
use tempfile::TempDir;

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let keys =
        |range: std::ops::Range<u32>| -> String { range.map(|i| format!("key {i}\n")).collect() };
    write("keys", &keys(0..1_000));
    write("some", "key 1\nabsent 1\nkey 2\n");
    write("notes", "no filter\n");
    assert_eq!(run(folder.path(), "build -q -o a keys").0, Some(0));
    assert_eq!(run(folder.path(), "build -q -o b keys").0, Some(0));
    folder
}

fn run(folder: &Path, line: &str) -> (Option<i32>, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_bouquet"));
    let program = program.args(line.split_whitespace()).current_dir(folder);
    let output = program.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.code(), text)
}

fn json(folder: &Path, line: &str) -> (Option<i32>, Value) {
    let (code, text) = run(folder, &format!("{line} --format json"));
    let value = serde_json::from_str(&text);
    (
        code,
        value.unwrap_or_else(|error| panic!("{line}: {error}: {text}")),
    )
}

/// Commands, their exit codes, verdicts and the columns of their rows.
const ANSWERS: [(&str, i32, Option<&str>, &[&str]); 11] = [
    ("list", 0, None, &["kind", "name", "about"]),
    ("theory --capacity 1e6 --fpr 0.01", 0, None, &["exact_fpr"]),
    ("theory --explain", 0, None, &["quantity", "unit"]),
    ("inspect a b", 0, None, &["file", "estimated_fpr"]),
    ("inspect --fail-above-fpr 0.5 a", 0, Some("pass"), &["file"]),
    (
        "inspect --fail-above-fpr 1e-9 a",
        1,
        Some("fail"),
        &["file"],
    ),
    ("inspect a notes", 2, None, &["file", "verdict"]),
    ("check a some", 0, None, &["key", "may_be_present"]),
    ("check --absent a some", 0, None, &["key", "may_be_present"]),
    ("check --count a some", 0, None, &["keys", "count"]),
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
        let (ended, answer) = json(folder.path(), line);
        assert_eq!(ended, Some(code), "{line}");
        assert_eq!(answer["schema"], 1, "{line}");
        assert_eq!(answer["verdict"], Value::from(verdict), "{line}");
        let rows = answer["rows"].as_array().unwrap();
        assert!(!rows.is_empty(), "{line}");
        for (row, column) in rows
            .iter()
            .flat_map(|row| columns.iter().map(move |c| (row, c)))
        {
            assert!(
                row.get(column).is_some(),
                "{line}: {column} is not in {row}"
            );
        }
        // The rest is in CSV too, under the same names.
        let (_, csv) = run(folder.path(), &format!("{line} --format csv"));
        let head = csv.lines().next().unwrap();
        for column in columns {
            assert!(
                head.split(',').any(|name| name == *column),
                "{line}: {head}"
            );
        }
    }
}

#[test]
fn check_prints_the_keys_as_it_is_asked() {
    let folder = folder();
    let of = |line: &str| run(folder.path(), line).1;
    assert_eq!(of("check a some"), "key 1\nkey 2\n");
    assert_eq!(of("check --absent a some"), "absent 1\n");
    assert_eq!(
        of("check a some --format csv"),
        "key,may_be_present\nkey 1,true\nkey 2,true\n"
    );
    assert_eq!(of("check a some -c --format csv"), "keys,count\n3,2\n");
    assert_eq!(of("check a some --count"), "2\n");
    assert_eq!(
        run(folder.path(), "check --format csv --absent a keys"),
        (Some(1), "key,may_be_present\n".into())
    );
}

#[test]
fn flags_may_come_in_any_order() {
    let folder = folder();
    let want = run(
        folder.path(),
        "check --count a some --format csv --color never -v --wide",
    );
    assert_eq!(want.0, Some(0));
    for line in [
        "--color never -v --wide check --count a some --format csv",
        "--wide check --format csv -v a some -c --color=never",
        "check a --color never --format=csv --verbose some --count --wide",
    ] {
        assert_eq!(run(folder.path(), line), want, "{line}");
    }
}

/// What is said beside the answer is not said to who asks for quiet, of any command.
#[test]
fn quiet_is_an_option_of_every_command() {
    let folder = folder();
    let ended = |line: &str| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_bouquet"));
        let program = program.args(line.split_whitespace());
        let output = program.current_dir(folder.path()).output().unwrap();
        (output.status.code(), output.stdout, output.stderr)
    };
    let blocks = "theory --filter blocked --capacity 1e6 --fpr 0.01 --block-bits 100";
    for (line, is_noted) in [
        ("list", false),
        (blocks, true),
        ("inspect a", false),
        ("check a some", false),
        ("union -o u a b", true),
        ("recommend --capacity 1e6 --fpr 0.01", false),
        ("completions bash", false),
    ] {
        let (code, stdout, stderr) = ended(line);
        assert_eq!(code, Some(0), "{line}");
        assert_eq!(!stderr.is_empty(), is_noted, "{line}");
        for line in [
            format!("-q {line}"),
            format!("{line} --quiet"),
            format!("--quiet --color never {line}"),
        ] {
            let quiet = ended(&line);
            assert_eq!(quiet, (Some(0), stdout.clone(), Vec::new()), "{line}");
        }
    }
    // An error is said all the same.
    for line in [
        "-q report nowhere",
        "compare -q nowhere a",
        "gate --baseline nowhere -q",
    ] {
        let (code, _, stderr) = ended(line);
        assert_eq!(code, Some(2), "{line}");
        let said = String::from_utf8(stderr).unwrap();
        assert!(said.contains("nowhere"), "{said}");
    }
}

/// `--format` says how something is printed, and nowhere what a file is.
#[test]
fn a_kind_of_file_is_read_as_and_written_to() {
    let folder = folder();
    for line in ["build --to go -q -o g keys", "union --to go-json -q -o j g"] {
        assert_eq!(run(folder.path(), line).0, Some(0), "{line}");
    }
    for line in [
        "inspect --as go g",
        "inspect --as go-json j",
        "check --as native a keys",
    ] {
        assert_eq!(run(folder.path(), line).0, Some(0), "{line}");
    }
    for line in ["build --format go -o x keys", "union --format go -o x g"] {
        assert_eq!(run(folder.path(), line).0, Some(2), "{line}");
    }
}
