//! The report of `bouquet recommend`: made again of its records, and read anywhere.

use std::{collections::BTreeMap, fs, path::Path, process::Command};

/// The files of a report by their names, in all its folders.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_dir() {
            let inside = files(&entry.path()).into_iter();
            found.extend(inside.map(|(own, bytes)| (format!("{name}/{own}"), bytes)));
        } else {
            found.insert(name, fs::read(entry.path()).unwrap());
        }
    }
    found
}

fn bouquet(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_bouquet"))
        .args(args)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// The answer and the folder of its report.
fn answered(out: &Path, workload: &str) -> String {
    let args = format!(
        "recommend {workload} --no-measure --quiet --format json --out {}",
        out.display()
    );
    bouquet(&args.split_whitespace().collect::<Vec<_>>())
}

#[test]
fn its_records_give_the_same_report() {
    let folder = tempfile::tempdir().unwrap();
    for (at, workload) in [
        "--capacity 1e6 --fpr 0.01 --work-cost 80us",
        "--capacity 1e5 --integers-below 1e6 --deletes",
        "--capacity 1000 --static --false-positive-loses --fpr 0.001",
    ]
    .iter()
    .enumerate()
    {
        let [first, again] =
            ["first", "again"].map(|name| folder.path().join(format!("{name}-{at}")));
        let printed = answered(&first, workload);
        let read = bouquet(&[
            "report",
            first.to_str().unwrap(),
            "--out",
            again.to_str().unwrap(),
            "--format",
            "json",
        ]);
        assert!(files(&first).len() >= 13, "{workload}");
        assert_eq!(files(&first), files(&again), "{workload}");
        // All of the answer, but where our crates are.
        let [mut printed, mut read] =
            [printed, read].map(|text| serde_json::from_str::<serde_json::Value>(&text).unwrap());
        for answer in [&mut printed, &mut read] {
            answer.as_object_mut().unwrap().remove("cargo_toml");
        }
        assert_eq!(printed, read, "{workload}");
    }
}

#[test]
fn only_what_is_printed_names_the_folder_of_the_build() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("report");
    let printed = answered(&out, "--capacity 1e6 --fpr 0.01 --work-cost 80us --persist");
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    let here = here.unwrap().display().to_string();
    assert!(printed.contains(&here), "{printed}");
    for (name, bytes) in files(&out) {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(&here), "{name}");
    }
    let page = fs::read_to_string(out.join("README.md")).unwrap();
    assert!(page.contains("path = \"../bouquet/crates/"), "{page}");
}

#[test]
fn records_that_are_not_whole_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("report");
    answered(&out, "--capacity 1e6 --fpr 0.01 --work-cost 80us");
    fs::remove_file(out.join("records/notes.csv")).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_bouquet"))
        .args(["report", out.to_str().unwrap()])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("notes.csv"), "{errors}");
}
