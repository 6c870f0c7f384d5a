//! Reads records again that are complete, partial or damaged.

use std::{collections::BTreeMap, fs, path::Path};

use super::*;
use crate::support::forge;

#[test]
fn forged_records_are_rejected() {
    let folder = Folder::with_report();
    let out = folder.path("report");
    for (file, from, to, words) in [
        (
            "run.json",
            "\"schema_version\": \"",
            "\"schema_version\": \"9",
            &["schema version \"9", "the program of revision"][..],
        ),
        (
            "run.json",
            "\"experiments\": [",
            "\"experiments\": {",
            &["run.json: ", " at line "],
        ),
        (
            "records/observations.csv",
            ",1000,",
            ",many,",
            &["observations.csv: line 2: column "],
        ),
    ] {
        let name = format!("report/{file}");
        let text = folder.read(&name);
        folder.file(&name, text.replace(from, to));
        rejects(&format!("report {out}"), words);
        folder.file(&name, text);
    }
    let path = folder.at("report/records/observations.csv");
    let whole = folder.read("report/records/observations.csv");
    for (column, cell) in [
        ("filter", "standart"),
        ("expected_fpr", "NaN"),
        ("expected_fpr", "-0.1"),
        ("fpr_given_bits", "1.5"),
    ] {
        forge(&path, column, |at, _| (at == 1).then(|| cell.to_owned()));
        let words = format!("observations.csv: line 3: {column} cannot be \"{cell}\"; take");
        rejects(&format!("report {out}"), &[&words]);
        folder.file("report/records/observations.csv", &whole);
    }
}

#[test]
fn an_index_replaces_nothing_but_an_index() {
    let folder = Folder::with_report();
    let index = format!("report --index {}", folder.path("."));
    for words in [&b"<html>Gr\xfc\xdfe</html>"[..], b"<html></html>", b""] {
        let page = folder.file("index.html", words);
        rejects(&index, &["index.html was not written"]);
        assert_eq!(fs::read(page).unwrap(), words);
    }
    fs::remove_file(folder.at("index.html")).unwrap();
    good(&index);
    good(&index);
}

/// The names and the bytes of all files in a folder.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            let inside = contents(&path);
            found.extend(inside.into_iter().map(|(k, v)| (format!("{name}/{k}"), v)));
        } else {
            found.insert(name, fs::read(&path).unwrap());
        }
    }
    found
}

#[test]
fn records_alone_give_the_same_report() {
    let folder = Folder::with_report();
    let [report, even, again] = ["report", "even", "again"].map(|name| folder.path(name));
    good(&format!(
        "evaluate uniformity --quick --schemes go-zero --datasets uuid --out {even}"
    ));
    for report in [&report, &even] {
        let whole = contents(Path::new(report));
        for file in ["README.md", "index.html", "run.json"] {
            assert!(whole.contains_key(file), "{file}");
        }
        let said = good(&format!("report {report}"));
        for from in [report, &format!("{report}/records")] {
            assert_eq!(good(&format!("report {from} --out {again}")), said);
            assert!(contents(Path::new(&again)) == whole, "{from}");
            good(&format!("report {from}"));
            assert!(contents(Path::new(report)) == whole, "{from}");
        }
    }
}

#[test]
fn missing_rows_are_seen() {
    let folder = Folder::with_report();
    let report = format!("report {}", folder.path("report"));
    let whole = folder.read("report/records/observations.csv");
    let lines: Vec<&str> = whole.lines().collect();
    let rows = lines.len() - 1;
    for keep in [rows, 1] {
        folder.file(
            "report/records/observations.csv",
            lines[..keep].join("\n") + "\n",
        );
        let words = format!("{} rows, the run wrote {rows}", keep - 1);
        rejects(&report, &["observations.csv", &words]);
    }
    folder.file(
        "report/records/observations.csv",
        whole.clone() + lines[rows],
    );
    rejects(&report, &[&format!("the run wrote {rows}")]);
    folder.file("report/records/observations.csv", &whole);
    good(&report);
    fs::remove_file(folder.at("report/records/observations.csv")).unwrap();
    rejects(&report, &["observations.csv is missing"]);
}

#[test]
fn a_false_negative_in_the_records_is_exit_code_1() {
    let folder = Folder::with_report();
    let fpr = folder.at("report/records/observations.csv");
    forge(&fpr, "false_negatives", |at, _| {
        (at == 0).then(|| "1".to_owned())
    });
    let output = bouquet(&format!("report {}", folder.path("report")));
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    let said = stdout(&output);
    assert!(said.contains("false negatives"), "{said}");
}
