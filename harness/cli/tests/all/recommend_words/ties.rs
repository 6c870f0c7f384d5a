//! Candidates that are equal to the byte.

use std::{fs, path::Path, process::Command};

use tempfile::TempDir;

use crate::recommend_words::{answer::Answer, request::Request, sentences, table};

const FLAGS: &str = "--capacity 300 --static --threads 4 --work-cost 3us --filters \
                     sharded,partitioned,atomic,standard,blocked-line,blocked-words32,blocked";

fn printed(cache: &Path, more: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_bouquet"))
        .args(["recommend", "--tiny", "--quiet"])
        .args(FLAGS.split_whitespace())
        .args(more.split_whitespace())
        .env("XDG_CACHE_HOME", cache)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Gives all times that were kept the same value.
fn level(cache: &Path) {
    let mut files = fs::read_dir(cache.join("bouquet")).unwrap();
    let path = files.next().unwrap().unwrap().path();
    let text = fs::read_to_string(&path).unwrap();
    let mut lines = text.lines();
    let head = lines.next().unwrap();
    assert!(head.ends_with(",net_ns_per_key,low,high,source"));
    let leveled = lines.map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        format!("{},20,19,21,\n", cells[..cells.len() - 4].join(","))
    });
    fs::write(&path, format!("{head}\n{}", leveled.collect::<String>())).unwrap();
}

#[test]
fn of_candidates_that_tie_to_the_byte_the_plainer_one_is_taken() {
    let folder = TempDir::new().unwrap();
    printed(folder.path(), "");
    level(folder.path());
    let [json, text] = ["--format json", ""].map(|more| printed(folder.path(), more));
    assert_eq!(json, printed(folder.path(), "--format json"));
    let answer = Answer::new(Request::new(FLAGS), &json, text);
    let key = |name: &str| {
        let row = answer.row(name);
        [row.memory, row.fpr, row.overhead, row.build_s]
    };
    assert_eq!(key("standard"), key("atomic"));
    assert_eq!(answer.choice().candidate, "standard");
    table::check(&answer);
    table::choice(&answer);
    table::printed(&answer);
    sentences::of_choice(&answer);
}
