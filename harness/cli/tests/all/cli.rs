//! The real program, on good and bad input.

mod ended;
mod records;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// A folder of this test's own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("bouquet-cli-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// What is in it, hidden files included.
    fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(&self.0)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn bouquet(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bouquet"))
        .args(args)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .output()
        .unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Asserts that the call fails as unusable and that the error has these words.
fn rejects(args: &[&str], words: &[&str]) {
    let output = bouquet(args);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {text}");
    for word in words {
        assert!(text.contains(word), "{args:?}: {word:?} is not in {text}");
    }
}

/// The filters of ours, all of which tell their locations.
const OURS: [&str; 10] = [
    "standard",
    "counting",
    "partitioned",
    "blocked",
    "blocked-words32",
    "blocked-line",
    "scalable",
    "sharded",
    "atomic",
    "cuckoo",
];

/// A definition that measures next to nothing.
const TINY: &str = r#"
name = "tiny"
title = "Tiny"
analysis = "For tests."
datasets = ["sequential"]
seconds = { quick = 1, default = 1, full = 1 }
[fpr]
sweep = "bits-per-key"
points = [10]
capacity = 1_000
filters = ["standard", "cuckoofilter"]
replicates = { quick = 4, default = 4, full = 4 }
hits = { quick = 2_000, default = 2_000, full = 2_000 }
max_non_members = { quick = 1_000_000, default = 1_000_000, full = 1_000_000 }
"#;

#[test]
fn a_run_writes_a_report_whole_and_the_same_again() {
    let folder = Folder::new("run");
    let define = folder.file("tiny.toml", TINY);
    let out = folder.path("report");
    let output = bouquet(&[
        "evaluate", "--define", &define, "--out", &out, "--seed", "7",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("seed 7"));
    assert!(stdout(&output).contains("standard"));
    for file in [
        "README.md",
        "index.html",
        "run.json",
        "records/fpr.csv",
        "records/run.csv",
    ] {
        assert!(Path::new(&out).join(file).exists(), "{file}");
    }
    assert_eq!(folder.names(), ["report", "tiny.toml"]);

    let page = fs::read(Path::new(&out).join("index.html")).unwrap();
    let again = folder.path("again");
    assert_eq!(
        bouquet(&["report", &out, "--out", &again]).status.code(),
        Some(0)
    );
    assert_eq!(
        fs::read(Path::new(&again).join("index.html")).unwrap(),
        page
    );
    assert_eq!(bouquet(&["report", &out]).status.code(), Some(0));
    assert_eq!(fs::read(Path::new(&out).join("index.html")).unwrap(), page);
}

/// Blocks, partitions, shards and stages all have what they are due.
#[test]
fn every_filter_that_has_locations_is_shown_in_the_histogram_and_even() {
    let folder = Folder::new("even");
    let subjects = OURS.map(|name| format!("\"{name}\""));
    let define = folder.file(
        "even.toml",
        format!(
            "name = \"even\"\ntitle = \"Even?\"\nanalysis = \"None.\"\n\
             datasets = [\"random-u64\"]\nseconds = {{ quick = 1, default = 1, full = 1 }}\n\
             [uniformity]\nslots = [1_048_576]\nprobes = 7\n\
             keys = {{ quick = 30_000, default = 30_000, full = 30_000 }}\n\
             subjects = [{}]\n",
            subjects.join(", ")
        ),
    );
    let out = folder.path("report");
    let output = bouquet(&["evaluate", "--define", &define, "--out", &out]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let page = fs::read_to_string(Path::new(&out).join("README.md")).unwrap();
    assert!(
        page.contains("Locations in 64 equal ranges of slots"),
        "{page}"
    );
    let mut rows = csv::Reader::from_path(Path::new(&out).join("records/histogram.csv")).unwrap();
    let names = rows.headers().unwrap().clone();
    let mut all = Vec::new();
    for row in rows.records() {
        let row = row.unwrap();
        let of = |name| &row[names.iter().position(|own| own == name).unwrap()];
        let numbers = |name| -> Vec<f64> {
            let each = of(name).split_whitespace();
            each.map(|number| number.parse().unwrap()).collect()
        };
        let (counts, due) = (numbers("locations"), numbers("due"));
        let keys: f64 = counts.iter().sum();
        for (at, count) in counts.iter().enumerate() {
            let due = keys * due.get(at).copied().unwrap_or(1.0 / 64.0);
            let off = (count / due - 1.0).abs();
            assert!(off < 0.3, "{}, range {at}: {off}", of("subject"));
        }
        all.push(of("subject").to_owned());
    }
    assert_eq!(all, OURS);
}

#[test]
fn the_rows_do_not_depend_on_the_number_of_threads() {
    let folder = Folder::new("jobs");
    let define = folder.file("tiny.toml", TINY);
    let rows = |jobs: &str| {
        let out = folder.path(jobs);
        let args = [
            "evaluate",
            "--define",
            &define,
            "--out",
            &out,
            "--jobs",
            jobs,
            "--filters",
            "standard",
        ];
        assert_eq!(bouquet(&args).status.code(), Some(0));
        fs::read_to_string(Path::new(&out).join("records/fpr.csv")).unwrap()
    };
    assert_eq!(rows("1"), rows("3"));
}

#[test]
fn own_keys_are_judged_whatever_they_look_like() {
    let folder = Folder::new("keys");
    let mut keys: Vec<u8> = (0..3_000)
        .flat_map(|i| format!("key {i}\n").into_bytes())
        .collect();
    keys.extend_from_slice(b"\xff\xfe not UTF-8\n\nkey 1\nkey 2\nthe last has no end");
    let keys = folder.file("keys.txt", keys);
    let define = folder.file("tiny.toml", TINY);
    let out = folder.path("report");
    let run = bouquet(&[
        "evaluate",
        "--define",
        &define,
        "--keys",
        &keys,
        "--datasets",
        "keys",
        "--out",
        &out,
    ]);
    assert_eq!(run.status.code(), Some(0), "{}", stderr(&run));
    let sets = fs::read_to_string(Path::new(&out).join("records/datasets.csv")).unwrap();
    // 3,000 keys, the odd one, the empty one and the last; two came twice.
    assert!(sets.contains(",3003,2,"), "{sets}");

    let crlf = folder.file("crlf.txt", "a\r\nb\r\nc\r\n");
    let run = bouquet(&[
        "evaluate",
        "--define",
        &define,
        "--keys",
        &crlf,
        "--datasets",
        "keys",
        "--out",
        &out,
    ]);
    assert!(stderr(&run).contains("CR"), "{}", stderr(&run));
}

#[test]
fn too_few_keys_to_tell_fail_nothing() {
    let folder = Folder::new("few");
    let define = folder.file("tiny.toml", TINY.replace("1_000_000", "10_000"));
    let out = folder.path("report");
    for count in [1, 300] {
        let text: String = (0..count).map(|i| format!("key {i}\n")).collect();
        let keys = folder.file("keys.txt", text);
        let run = |more: &[&str]| {
            let args = [
                "evaluate",
                "--keys",
                &keys,
                "--datasets",
                "keys",
                "--out",
                &out,
            ];
            bouquet(&[&args[..], more].concat())
        };
        let even = run(&["--experiments", "uniformity"]);
        assert!(
            stdout(&even).starts_with("? Inconclusive"),
            "{count} keys: {}",
            stdout(&even)
        );
        assert_eq!(even.status.code(), Some(0));
        assert_eq!(
            bouquet(&["report", &out, "--strict"]).status.code(),
            Some(3)
        );
        let rates = run(&["--define", &define]);
        assert_eq!(
            rates.status.code(),
            Some(0),
            "{count} keys: {}",
            stdout(&rates)
        );
    }
}

#[test]
fn bad_input_is_rejected_with_what_and_where() {
    let folder = Folder::new("bad");
    let out = folder.path("report");
    let empty = folder.file("empty.txt", "");
    let broken = folder.file("broken.toml", TINY.replace("capacity", "kapacity"));
    let letter = folder.file("letter", "dear");
    let inside = format!("{letter}/report");
    rejects(
        &["evaluate", "--keys", "/no/such/file", "--out", &out],
        &["/no/such/file"],
    );
    rejects(
        &["evaluate", "--keys", &folder.path(""), "--out", &out],
        &["bouquet-cli-bad"],
    );
    rejects(
        &["evaluate", "--keys", &empty, "--out", &out],
        &["no keys", "empty.txt"],
    );
    rejects(
        &["evaluate", "--datasets", "wurds", "--out", &out],
        &["wurds", "words"],
    );
    rejects(
        &["evaluate", "--datasets", "keys", "--out", &out],
        &["--keys"],
    );
    rejects(
        &["evaluate", "--filters", "standart", "--out", &out],
        &["standart", "standard"],
    );
    rejects(
        &["evaluate", "--schemes", "doubel", "--out", &out],
        &["doubel", "double-hashing"],
    );
    rejects(
        &["evaluate", "--experiments", "fprr", "--out", &out],
        &["fprr", "fpr-over-bits"],
    );
    rejects(
        &["evaluate", "--define", &broken, "--out", &out],
        &["broken.toml", "kapacity"],
    );
    rejects(
        &["evaluate", "--define", "/no/such.toml", "--out", &out],
        &["/no/such.toml"],
    );
    rejects(&["evaluate", "--out", &inside, "--quick"], &["letter"]);
    rejects(&["evaluate", "--out", &letter, "--quick"], &["letter"]);
    rejects(&["evaluate", "--frobnicate"], &["--frobnicate"]);
    // As records of old have it.
    rejects(
        &["--out", &out],
        &["--out needs a command", "bouquet evaluate --out"],
    );
    rejects(&["report", &folder.path("nothing")], &["nothing"]);
    rejects(&["splice", &folder.path("nothing"), &letter], &["nothing"]);
    // The folder has files that are no report: it stays as it is.
    rejects(
        &["evaluate", "--out", &folder.path(""), "--quick"],
        &["no run.json says"],
    );
    assert_eq!(folder.names(), ["broken.toml", "empty.txt", "letter"]);
}

#[test]
fn the_list_has_objects_with_kind_and_name() {
    let output = bouquet(&["list", "--format", "json"]);
    let list: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let has = |kind: &str, name: &str| {
        list["rows"]
            .as_array()
            .unwrap()
            .iter()
            .any(|item| item["kind"] == kind && item["name"] == name)
    };
    assert!(has("experiment", "uniformity") && has("filter", "standard"));
    assert!(has("scheme", "bits-and-blooms") && has("dataset", "words"));
    assert_eq!(bouquet(&["list"]).status.code(), Some(0));
    assert!(stdout(&bouquet(&["list", "--format", "csv"])).starts_with("kind,name,"));
}

#[test]
fn formats_of_the_result() {
    let folder = Folder::new("formats");
    let define = folder.file("tiny.toml", TINY);
    let out = folder.path("report");
    let run = |format| {
        let args = [
            "evaluate", "--define", &define, "--out", &out, "--format", format, "--quiet",
        ];
        let output = bouquet(&args);
        assert_eq!(stderr(&output), "");
        stdout(&output)
    };
    assert!(serde_json::from_str::<serde_json::Value>(&run("json")).unwrap()["rows"].is_array());
    assert!(run("csv").lines().count() >= 3);
    assert!(run("md").contains("| --- |"));
    assert!(!run("table").contains('\u{1b}'));
}
