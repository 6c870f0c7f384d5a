//! `bouquet evaluate` with flags that select experiments, filters and other crates.

use std::process::Command;

use super::support::{Folder, good, rejects, root};

/// The values of one column of the file with the measured FPRs.
fn column(folder: &Folder, name: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_path(folder.at("report/records/observations.csv")).unwrap();
    let head = reader.headers().unwrap().clone();
    let at = head.iter().position(|own| own == name).unwrap();
    let rows = reader.records().map(Result::unwrap);
    rows.map(|row| row[at].to_owned()).collect()
}

const SMALL: &str = "--quick --capacity 2000 --datasets sequential --seed=3";

#[test]
fn rates_are_measured_at_other_sizes_and_targets() {
    let folder = Folder::new();
    let out = folder.path("report");
    good(&format!(
        "evaluate fpr {SMALL} --filters standard,atomic --fpr 0.05,1e-5 --out {out}"
    ));
    let has = |name: &str, value: &str| column(&folder, name).iter().any(|own| own == value);
    let experiments = ["fpr-at-target", "fpr-over-bits", "fpr-over-load"];
    assert!(experiments.iter().all(|name| has("experiment", name)));
    assert!(has("filter", "standard") && has("filter", "atomic") && !has("filter", "blocked"));
    let targets = ["0.05", "0.00001", "0.01"].map(|target| has("target_fpr", target));
    assert_eq!(targets, [true, true, false]);
    assert!(column(&folder, "capacity").iter().all(|own| own == "2000"));
    // At a target FPR of 1e-5 fewer hits are planned: just enough to detect twice the FPR over all
    // key sets of the filter.
    let own = column(&folder, "target_fpr")
        .into_iter()
        .zip(column(&folder, "filter"));
    let asked = own.zip(column(&folder, "non_members"));
    let of = |(own, _): &((String, String), String)| *own == ("0.00001".into(), "standard".into());
    let asked = asked
        .filter(of)
        .map(|(_, asked)| asked.parse::<f64>().unwrap());
    let hits = asked.sum::<f64>() * 1e-5;
    assert!((60.0..75.0).contains(&hits), "{hits}");
    let sets = folder.read("report/records/tests.csv");
    assert!(sets.contains("fpr-at-target,standard"), "{sets}");
}

#[test]
fn wrong_usage_is_reported() {
    let folder = Folder::new();
    let out = folder.path("report");
    for (line, words) in [
        ("fprr", "fpr-over-bits"),
        ("fpr --fpr 0.1,0", "0 is not between 0 and 1"),
        (
            "fpr --capacity 1e8 --datasets random-u64",
            "give 10000000 or less",
        ),
        ("fpr --capacity 1e5", "name larger key sets with --datasets"),
        (
            "fpr --filter standard --fpr 1e-19",
            "--fpr 1e-19: standard rejects: ",
        ),
        ("fpr --define some.toml", "cannot be used with"),
        (
            "memory --filters standard --schemes doubel",
            "double-hashing",
        ),
        ("churn --filters standard", "nothing to measure"),
    ] {
        rejects(&format!("evaluate {line} --out {out}"), &[words]);
    }
    assert!(!folder.at("report").exists());
}

#[cfg(unix)]
#[test]
fn a_reader_of_errors_that_has_gone_away_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_bouquet"))
        .args(format!("evaluate fpr-at-target {SMALL} --filter standard").split_whitespace())
        .current_dir(root())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[cfg(not(feature = "peers"))]
#[test]
fn without_the_peers_it_says_how_to_build_them() {
    rejects("evaluate peers --quick", &["--features peers"]);
}

/// Filters of other crates are in the records and tables but fail nothing. A false negative of a
/// filter of Bouquet fails the run.
#[cfg(feature = "peers")]
#[test]
fn the_crates_of_others_are_reported() {
    use super::support::{bouquet, forge};

    let folder = Folder::new();
    let out = folder.path("report");
    good(&format!(
        "evaluate fpr-at-target peers --quick --capacity 300 --fpr 0.05 --datasets sequential --out \
         {out}"
    ));
    let filters = column(&folder, "filter");
    let all = "standard scalable cuckoofilter fastbloom fastbloom-atomic bloomfilter \
               probabilistic-collections growable-bloom-filter sbbf-rs bloom2 broomfilter \
               broomfilter-blocked scalable_cuckoo_filter qfilter qfilter-resizeable xorf-fuse8 \
               xorf-fuse16";
    for name in all.split(' ') {
        assert!(filters.iter().any(|own| own == name), "{name}");
    }
    let errors = column(&folder, "error");
    assert!(errors.iter().all(String::is_empty), "{errors:?}");
    let page = folder.read("report/README.md");
    assert!(page.contains("| bloom2 (peer) | reported |"), "{page}");
    for (name, code) in [("fastbloom", 0), ("standard", 1)] {
        let records = folder.at("report/records/observations.csv");
        forge(&records, "false_negatives", |at, _| {
            Some(u8::from(filters[at] == name).to_string())
        });
        let report = bouquet(&format!("report {out}"));
        assert_eq!(report.status.code(), Some(code), "{name}");
    }
}
