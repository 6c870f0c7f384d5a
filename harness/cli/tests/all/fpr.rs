//! `bouquet fpr` as a program.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::Value;

/// A folder of this test's own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("bouquet-fpr-{name}-{}", std::process::id()));
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

fn fpr(args: &[&str]) -> Output {
    loud(&[&["--quiet"], args].concat())
}

fn loud(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bouquet"))
        .arg("fpr")
        .args(args)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn json(args: &[&str], out: &str) -> Value {
    let run = fpr(&[args, &["--out", out, "--format", "json"]].concat());
    assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
    serde_json::from_slice(&run.stdout).unwrap()
}

fn of<'a>(rows: &'a Value, filter: &str) -> Vec<&'a Value> {
    let rows = rows.as_array().unwrap().iter();
    rows.filter(|row| row["filter"] == filter).collect()
}

const SMALL: [&str; 6] = [
    "--quick",
    "--capacity",
    "2000",
    "--datasets",
    "sequential",
    "--seed=3",
];

#[test]
fn rates_have_their_verdicts() {
    let folder = Folder::new("verdicts");
    let out = folder.path("report");
    let args = [&SMALL[..], &["--filters", "standard,counting,atomic"]].concat();
    let answer = json(&args, &out);
    assert_eq!(answer["verdict"], "pass");
    for filter in ["standard", "counting", "atomic"] {
        let points = of(&answer["rows"], filter);
        assert_eq!(points.len(), 1);
        let point = points[0];
        assert_eq!(point["given_bits_verdict"], "pass", "{point}");
        let from = point["given_bits_found_from"].as_f64().unwrap();
        assert!((0.05..0.2).contains(&from), "{point}");
        let all = of(&answer["filters"], filter)[0];
        assert_eq!(all["verdict"], "pass", "{all}");
        assert!(all["found_from"].as_f64().unwrap() > 0.001, "{all}");
        assert!(point["expected_fpr"].as_f64().unwrap() <= 0.01, "{point}");
        assert!(point["theory"].as_str().unwrap().contains("exact"));
    }
    // The report comes again from these records, byte for byte.
    let page = fs::read(Path::new(&out).join("README.md")).unwrap();
    let again = folder.path("again");
    let report = Command::new(env!("CARGO_BIN_EXE_bouquet"))
        .args(["report", &out, "--out", &again])
        .output()
        .unwrap();
    assert_eq!(report.status.code(), Some(0), "{}", text(&report.stderr));
    assert_eq!(fs::read(Path::new(&again).join("README.md")).unwrap(), page);
}

#[test]
fn loads_and_sizes_are_swept() {
    let folder = Folder::new("sweeps");
    let loads = ["--filter", "standard", "--fpr", "0.05", "--load", "0.5,2"];
    let answer = json(&[&SMALL[..], &loads].concat(), &folder.path("loads"));
    let points = of(&answer["rows"], "standard");
    let fprs: Vec<f64> = points
        .iter()
        .map(|p| p["expected_fpr"].as_f64().unwrap())
        .collect();
    assert_eq!((points.len(), points[1]["load"].as_f64()), (2, Some(2.0)));
    assert!(fprs[0] < 0.01 && fprs[1] > 0.1, "{fprs:?}");
    let bits = ["--filter", "blocked", "--bits-per-key", "8..9"];
    let answer = json(&[&SMALL[..], &bits].concat(), &folder.path("bits"));
    assert_eq!(of(&answer["rows"], "blocked").len(), 2);
}

/// Of a rate of 1e-5 so few hits are planned that twice the rate is found, and its key sets are
/// compared.
#[test]
fn a_low_rate_has_its_hits() {
    let folder = Folder::new("low");
    let low = ["--filter", "standard", "--fpr", "1e-5"];
    let answer = json(&[&SMALL[..], &low].concat(), &folder.path("low"));
    let point = of(&answer["rows"], "standard")[0];
    assert_eq!(point["given_bits_verdict"], "pass", "{point}");
    let [asked, fpr, from] = ["non_members_asked", "expected_fpr", "given_bits_found_from"]
        .map(|name| point[name].as_f64().unwrap());
    assert!((60.0..70.0).contains(&(asked * fpr)), "{point}");
    assert!(from < 1.0, "{point}");
    let sets = of(&answer["location_sets"], "standard")[0];
    assert_eq!(
        (&sets["verdict"], &sets["pairs"]),
        (&"pass".into(), &0.into())
    );
}

#[test]
fn wrong_usage_is_reported() {
    let rejects = |args: &[&str], words: &str| {
        let run = fpr(args);
        assert_eq!(run.status.code(), Some(2), "{args:?}");
        assert!(text(&run.stderr).contains(words), "{}", text(&run.stderr));
    };
    rejects(&["--filters", "rose"], "no filter is called");
    rejects(&["--fpr", "2"], "--fpr 2.0 is not between 0 and 1");
    rejects(&["--fpr", "0.1,0"], "--fpr 0.0 is not between 0 and 1");
    rejects(
        &["--bits-per-key", "0"],
        "--bits-per-key 0.0 is not above 0",
    );
    rejects(
        &["--bits-per-key", "8,1e300"],
        "--bits-per-key 1e300 is more than 4096",
    );
    rejects(&["--load", "1,0"], "--load 0.0 is not above 0");
    rejects(
        &["--fpr", "0.1", "--bits-per-key", "8"],
        "cannot be used with",
    );
    rejects(
        &["--load", "1", "--bits-per-key", "8"],
        "cannot be used with",
    );
    rejects(&["--capacity", "0"], "--capacity 0: give at least 1");
    rejects(&["--capacity", "10,20"], "one number");
    rejects(&["--capacity", "ten"], "whole number");
    let generated = ["--datasets", "random-u64"];
    let rejects_all = |args: &[&str], words| rejects(&[&generated[..], args].concat(), words);
    rejects_all(&["--capacity", "1e8"], "give 10000000 or less");
    rejects_all(&["--capacity", "1e12"], "give 10000000 or less");
    rejects_all(
        &["--capacity", "1e7", "--load", "1,2"],
        "at load 2: give 5000000 or less",
    );
    rejects(&["--capacity", "1e5"], "or take --datasets random-u64");
    rejects(&["--fpr", "1e-300"], "--fpr 1e-300: standard rejects: ");
    rejects(&["--datasets", "keys"], "--keys FILE");
    rejects(&["--keys", "/nowhere/at/all"], "/nowhere/at/all");
}

/// A set that cannot fill the capacity that was asked for is rejected; the usual one
/// is made smaller, and that is said.
#[test]
fn what_is_made_smaller_is_said() {
    let folder = Folder::new("few");
    let keys = folder.path("keys.txt");
    let lines: Vec<String> = (0..100).map(|i| format!("key {i}")).collect();
    fs::write(&keys, lines.join("\n")).unwrap();
    let out = folder.path("report");
    let own = ["--keys", &keys, "--datasets", "keys", "--out", &out];
    let own = [&own[..], &["--filter", "standard"]].concat();
    let rejected = fpr(&[&own[..], &["--capacity", "1e5"]].concat());
    assert_eq!(rejected.status.code(), Some(2));
    let why = "the 100 keys of keys cannot fill it: give 100 or less";
    assert!(
        text(&rejected.stderr).contains(why),
        "{}",
        text(&rejected.stderr)
    );
    assert!(!Path::new(&out).exists());
    let run = loud(&own);
    let page = fs::read_to_string(Path::new(&out).join("README.md")).unwrap();
    let note = "its filters are sized for 100, not for 10,000.";
    assert!(text(&run.stderr).contains(note), "{}", text(&run.stderr));
    assert!(page.contains(note), "{page}");
}

#[cfg(unix)]
#[test]
fn a_reader_of_errors_that_has_gone_away_is_no_error() {
    let folder = Folder::new("closed");
    let mut child = Command::new(env!("CARGO_BIN_EXE_bouquet"))
        .args(["fpr", "--filter", "standard", "--out"])
        .arg(folder.path("report"))
        .args(SMALL)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
