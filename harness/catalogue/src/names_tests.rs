#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Exceptions: the first file names filters as examples in a help text, and the second has the name
/// of the family `blocked`.
const KNOWN: [&str; 2] = ["cli/src/cmd/theory.rs", "report/src/speed/score.rs"];

fn sources(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name.contains("tests") {
            continue;
        }
        if path.is_dir() {
            sources(&path, all);
        } else if name.ends_with(".rs") {
            all.push(path);
        }
    }
}

/// Adding a filter must need only one new file. So outside the crate `catalogue`, no source of the
/// harness may contain the quoted name of a filter, except in comments and tests.
#[test]
fn a_filter_is_named_in_its_file_alone() {
    let harness = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for entry in fs::read_dir(&harness).unwrap() {
        let source = entry.unwrap().path().join("src");
        if source.is_dir() && !source.parent().unwrap().ends_with("catalogue") {
            sources(&source, &mut files);
        }
    }
    assert!(files.len() > 100, "{} files", files.len());
    let mut found = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap();
        let lines = code
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        for line in lines {
            for facts in crate::facts() {
                if line.contains(&format!("\"{}\"", facts.name))
                    && !KNOWN.iter().any(|known| file.ends_with(known))
                {
                    found.push(format!("{}: {line}", file.display()));
                }
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}
