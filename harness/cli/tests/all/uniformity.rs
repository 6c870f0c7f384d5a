//! `bouquet evaluate uniformity` as a program.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// A folder of this test's own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("bouquet-even-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn uniformity(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bouquet"))
        .args(["evaluate", "uniformity"])
        .args(args)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_narrowed_run_has_its_controls_and_passes() {
    let folder = Folder::new("narrow");
    let rows = |jobs: &str| {
        let out = folder.path(jobs);
        let run = uniformity(&[
            "--quick",
            "--schemes",
            "double-hashing",
            "--filters",
            "standard",
            "--datasets",
            "sequential",
            "--jobs",
            jobs,
            "--out",
            &out,
            "--seed",
            "7",
        ]);
        assert_eq!(
            run.status.code(),
            Some(0),
            "{}{}",
            text(&run.stdout),
            text(&run.stderr)
        );
        assert!(text(&run.stderr).contains("seed 7"));
        for name in ["double-hashing", "standard", "truncated-16", "independent"] {
            assert!(text(&run.stdout).contains(name), "{name}");
        }
        for file in ["README.md", "index.html", "run.json", "charts/p-values.svg"] {
            assert!(Path::new(&out).join(file).exists(), "{file}");
        }
        fs::read_to_string(Path::new(&out).join("records/tests.csv")).unwrap()
    };
    assert_eq!(rows("1"), rows("3"));
}

/// Where 32 bits end, the controls that are cut to 32 bits are found where their fault
/// shows, and there alone.
#[test]
#[ignore = "long: scripts/nightly battery"]
fn sizes_without_an_array() {
    let folder = Folder::new("sizes");
    let run = uniformity(&[
        "--full",
        "--filters",
        "counting",
        "--schemes",
        "hash-32,multiply-shift-32,product-64,mod-32,index-32,sign-32,abs-32,float-32",
        "--datasets",
        "sequential",
        "--format",
        "json",
        "--out",
        &folder.path("report"),
    ]);
    assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
    let answer: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    let rows = answer["rows"].as_array().unwrap();
    let of = |name: &str, slots: u64| {
        let is = |row: &&serde_json::Value| row["subject"] == name && row["slots"] == slots;
        rows.iter().find(is).unwrap()
    };
    let flagged = |name, slots| {
        let did = of(name, slots)["observed"].as_str().unwrap();
        did.strip_prefix("flagged by ").unwrap_or("").to_owned()
    };
    for (name, test) in [
        ("hash-32", "T7"),
        ("multiply-shift-32", "T3"),
        ("product-64", "T1"),
        ("mod-32", "T1"),
        ("index-32", "T1"),
        ("sign-32", "T0"),
        ("abs-32", "T1"),
        ("float-32", "T3"),
    ] {
        let by = flagged(name, 1 << 33);
        assert!(by.split(' ').any(|one| one == test), "{name}: {by}");
    }
    for name in ["multiply-shift-32", "mod-32", "index-32", "counting"] {
        assert_eq!(flagged(name, 1 << 32), "", "{name}");
    }
    // The last size of counters of 4 bits.
    let last = of("counting", 1 << 46);
    assert!(
        last["observed"] == "passed" && last["t0_p"].is_number(),
        "{last}"
    );
}

/// A filter in which nothing has to be found proves nothing.
#[test]
fn own_keys_too_few_for_the_control_are_inconclusive() {
    let folder = Folder::new("own");
    let keys = folder.path("keys.txt");
    let lines: String = (0..5_000).map(|i| format!("key {i}\n")).collect();
    fs::write(&keys, lines).unwrap();
    let out = folder.path("report");
    let args = [
        "--quick",
        "--keys",
        &keys,
        "--datasets",
        "keys",
        "--out",
        &out,
    ];
    let run = uniformity(&args);
    assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
    assert!(
        text(&run.stdout).contains("Inconclusive"),
        "{}",
        text(&run.stdout)
    );
    let strict = uniformity(&[&args[..], &["--strict"]].concat());
    assert_eq!(strict.status.code(), Some(3));
}

#[test]
fn formats_of_the_result() {
    let folder = Folder::new("formats");
    let out = folder.path("report");
    for (format, begins) in [
        (
            "json",
            "{\n  \"schema\": 1,\n  \"verdict\": \"pass\",\n  \"rows\": [",
        ),
        ("csv", "subject,slots,"),
        ("md", "| Scheme |"),
    ] {
        let run = uniformity(&[
            "--quick",
            "--schemes",
            "go-zero",
            "--datasets",
            "uuid",
            "--format",
            format,
            "--out",
            &out,
            "--quiet",
        ]);
        assert_eq!(run.status.code(), Some(0), "{}", text(&run.stdout));
        assert!(
            text(&run.stdout).starts_with(begins),
            "{}",
            text(&run.stdout)
        );
        assert_eq!(text(&run.stderr), "");
    }
}

#[test]
fn bad_input_is_rejected() {
    let folder = Folder::new("bad");
    let out = folder.path("report");
    let few = folder.path("few.txt");
    fs::write(&few, "a\nb\n").unwrap();
    for (args, word) in [
        (vec!["--schemes", "doubel"], "double-hashing"),
        (vec!["--datasets", "wurds"], "words"),
        (vec!["--datasets", "keys"], "--keys"),
        (
            vec!["--keys", &few, "--datasets", "keys"],
            "nothing to measure",
        ),
    ] {
        let run = uniformity(&[&args[..], &["--quick", "--out", &out]].concat());
        assert_eq!(
            run.status.code(),
            Some(2),
            "{args:?}: {}",
            text(&run.stdout)
        );
        assert!(
            text(&run.stderr).contains(word),
            "{args:?}: {}",
            text(&run.stderr)
        );
    }
    assert!(!Path::new(&out).exists());
}

/// Records that expect of a scheme what it does not do: the run shows nothing of
/// others, and the exit code says so.
#[test]
fn a_contradiction_of_the_table_is_void() {
    let folder = Folder::new("void");
    let out = folder.path("report");
    let args = ["--quick", "--schemes", "double-hashing", "--datasets"];
    let kept = uniformity(&[&args[..], &["sequential", "--out", &out]].concat());
    assert_eq!(kept.status.code(), Some(0), "{}", text(&kept.stdout));
    let path = Path::new(&out).join("records/tests.csv");
    let mut reader = csv::Reader::from_path(&path).unwrap();
    let head = reader.headers().unwrap().clone();
    let place = |name: &str| head.iter().position(|own| own == name).unwrap();
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    let (outcome_at, tests_at) = (place("expected_outcome"), place("expected_tests"));
    // A good scheme that is not found to be bad, and a bad one said to be good,
    // invisible, or found by another test than finds it.
    for (scheme, outcome, tests, why) in [
        ("double-hashing", "flagged", "", "observed: passed"),
        ("truncated-16", "passes", "", "observed: flagged"),
        ("truncated-16", "undetectable", "", "xpected: undetectable"),
        ("truncated-16", "flagged", "T0", "xpected: flagged by T0"),
    ] {
        let mut writer = csv::Writer::from_path(&path).unwrap();
        writer.write_record(&head).unwrap();
        for row in &rows {
            let cells = row.iter().enumerate().map(|(at, cell)| match at {
                _ if &row[place("subject")] != scheme => cell,
                _ if at == outcome_at => outcome,
                _ if at == tests_at => tests,
                _ => cell,
            });
            writer.write_record(cells).unwrap();
        }
        writer.flush().unwrap();
        let mut report = Command::new(env!("CARGO_BIN_EXE_bouquet"));
        let void = report.args(["report", &out]).output().unwrap();
        let printed = text(&void.stdout);
        assert_eq!(void.status.code(), Some(1), "{scheme} {outcome}: {printed}");
        assert!(printed.starts_with("∅ Invalid run"), "{printed}");
        assert!(printed.contains(why), "{printed}");
    }
}
