//! `bouquet compare` as a program.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::Value;

/// Removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let id = std::process::id();
        let path = std::env::temp_dir().join(format!("bouquet-compare-{name}-{id}"));
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

fn bouquet(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bouquet"))
        .args(args)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .output()
        .unwrap()
}

fn compared(a: &str, b: &str, more: &[&str]) -> String {
    let done = bouquet(&[&["compare", a, b], more].concat());
    assert_eq!(
        done.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    String::from_utf8(done.stdout).unwrap()
}

fn fpr(folder: &Folder, name: &str, more: &[&str]) -> String {
    let out = folder.path(name);
    let args = [
        "fpr",
        "--quick",
        "--filters",
        "standard,blocked",
        "--quiet",
        "--out",
        &out,
    ];
    let done = bouquet(&[&args, more].concat());
    assert_eq!(
        done.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    out
}

#[test]
fn a_report_is_the_same_as_itself() {
    let text = compared("reports/main", "reports/main", &[]);
    assert!(text.starts_with("0 of "), "{text}");
    assert!(
        text.contains("The runs are of one version, machine and seed"),
        "{text}"
    );
    let all = compared(
        "reports/main",
        "reports/main",
        &["--all", "--format", "csv"],
    );
    for figure in [
        "same,standard,errors,0,0",
        "of churn, ",
        "standard,\"958,511 slots, expected: passes\",passed,passed,",
        "truncated-16,\"958,511 slots, expected: flagged by T7\",flagged by ",
    ] {
        assert!(all.contains(figure), "{figure}: {all}");
    }
}

#[test]
fn seeds_are_within_chance_and_another_size_is_a_change() {
    let folder = Folder::new("fpr");
    let a = fpr(&folder, "a", &[]);
    let b = fpr(&folder, "b", &["--seed", "2"]);
    let text = compared(&a, &b, &[]);
    assert!(text.starts_with("0 of "), "{text}");
    let seed = text.lines().find(|line| line.starts_with("seed")).unwrap();
    assert_eq!(
        seed.split_whitespace().collect::<Vec<_>>(),
        ["seed", "1", "2"]
    );

    // The rates of the other run, under the name of the first point.
    let path = Path::new(&b).join("records/fpr.csv");
    let mut reader = csv::Reader::from_path(&path).unwrap();
    let at = reader
        .headers()
        .unwrap()
        .iter()
        .position(|name| name == "false_positives");
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(reader.headers().unwrap()).unwrap();
    for row in reader.records() {
        let row = row.unwrap();
        let hits: u64 = row[at.unwrap()].parse().unwrap();
        let cells = row.iter().enumerate().map(|(i, cell)| {
            if Some(i) == at && &row[1] == "blocked" {
                (hits * 3 / 2).to_string()
            } else {
                cell.to_owned()
            }
        });
        writer.write_record(cells).unwrap();
    }
    fs::write(&path, writer.into_inner().unwrap()).unwrap();
    let file = path.display().to_string();
    let json: Value = serde_json::from_str(&compared(&a, &file, &["--format", "json"])).unwrap();
    assert_eq!(json["changed"], 1);
    let row = &json["rows"][0];
    assert_eq!(
        (&row["subject"], &row["finding"]),
        (&"blocked".into(), &"changed".into())
    );
    let [low, high] = ["ratio_low", "ratio_high"].map(|name| row[name].as_f64().unwrap());
    assert!(low < 1.5 && 1.5 < high + 0.1 && low > 1.2, "{row}");

    for (format, begins) in [("csv", "finding,subject,what"), ("md", "1 of ")] {
        let text = compared(&a, &b, &["--format", format]);
        assert!(text.starts_with(begins), "{text}");
    }
    let all = compared(&a, &b, &["--all", "--format", "csv"]);
    assert!(all.contains("within chance,standard"), "{all}");
}

#[test]
fn baselines_are_compared_too() {
    let text = compared("reports/baseline", "reports/baseline/gate.json", &[]);
    assert!(text.starts_with("0 of "), "{text}");
}

/// A page shows what folders are called, and makes nothing of it.
#[test]
fn names_of_folders_are_text_in_markdown() {
    let folder = Folder::new("names");
    let wild = folder.path("a|<script>`b`");
    fs::create_dir(&wild).unwrap();
    let baseline = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports/baseline/gate.json");
    fs::copy(baseline, Path::new(&wild).join("gate.json")).unwrap();
    let page = compared(&wild, "reports/baseline", &["--format", "md"]);
    assert!(page.contains("a\\|&lt;script>\\`b\\`, B is"), "{page}");
}

#[test]
fn wrong_input_is_2() {
    let folder = Folder::new("wrong");
    fs::write(folder.path("a.json"), "{}").unwrap();
    for (a, b, words) in [
        ("reports/main", "reports/none", "reports/none"),
        ("reports/main", "reports/baseline", "compare like with like"),
        (&*folder.path("a.json"), "reports/baseline", "no document"),
    ] {
        let done = bouquet(&["compare", a, b]);
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(2), "{said}");
        assert!(said.contains(words), "{said}");
    }
}

/// Of reports/main the memory alone: the lines of its table, each as it is, changed or
/// left out.
fn memory(
    folder: &Folder,
    name: &str,
    line: impl Fn(usize, &str) -> Option<String>,
) -> Vec<String> {
    let own = folder.0.join(name).join("records");
    fs::create_dir_all(&own).unwrap();
    let main = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports/main/records");
    let read = |file: &str| fs::read_to_string(main.join(file)).unwrap();
    for file in ["datasets.csv", "experiments.csv", "subjects.csv"] {
        fs::write(own.join(file), read(file)).unwrap();
    }
    for file in ["battery", "churn", "fpr", "histogram", "location-sets"] {
        fs::write(own.join(format!("{file}.csv")), "").unwrap();
    }
    // It counts the rows of all files.
    let run: Vec<String> = read("run.csv").lines().map(str::to_owned).collect();
    let run: Vec<String> = run
        .into_iter()
        .filter(|line| !line.starts_with("rows,"))
        .collect();
    fs::write(own.join("run.csv"), run.join("\n") + "\n").unwrap();
    let text = read("memory.csv");
    let (head, rows) = text.split_once('\n').unwrap();
    let rows: Vec<String> = rows
        .lines()
        .enumerate()
        .filter_map(|(at, row)| line(at, row))
        .collect();
    fs::write(
        own.join("memory.csv"),
        format!("{head}\n{}\n", rows.join("\n")),
    )
    .unwrap();
    rows
}

/// A figure a row, the bytes, and one a filter, its errors.
fn bytes(rows: &[String]) -> BTreeMap<String, String> {
    let mut figures = BTreeMap::new();
    for row in rows {
        let cells: Vec<&str> = row.split(',').collect();
        figures.insert(cells[1..4].join(","), cells[6].to_owned());
        figures.insert(format!("errors of {}", cells[1]), "0".to_owned());
    }
    figures
}

#[test]
fn the_first_line_counts_what_the_rows_say() {
    let folder = Folder::new("counted");
    let whole = memory(&folder, "whole", |_, row| Some(row.to_owned()));
    let is_of = |row: &str, filter: &str| row.starts_with(&format!("memory,{filter},"));
    let changed = |row: &str| {
        let mut cells: Vec<String> = row.split(',').map(str::to_owned).collect();
        cells[6] += "0";
        cells.join(",")
    };
    let some = memory(&folder, "some", |at, row| match at % 7 {
        0 => Some(changed(row)),
        1 => None,
        _ => Some(row.to_owned()),
    });
    let fewer = memory(&folder, "fewer", |_, row| {
        (!is_of(row, "blocked")).then(|| row.to_owned())
    });
    let all = [("whole", &whole), ("some", &some), ("fewer", &fewer)];
    for (name_a, a) in all {
        for (name_b, b) in all {
            let (old, new) = (bytes(a), bytes(b));
            let both = || {
                old.iter()
                    .filter_map(|(what, of_a)| Some((of_a, new.get(what)?)))
            };
            let same = both().filter(|(a, b)| a == b).count();
            let changed = both().count() - same;
            let (only_a, only_b) = (old.len() - both().count(), new.len() - both().count());
            let text = compared(&folder.path(name_a), &folder.path(name_b), &[]);
            let first = format!(
                "{changed} of {} figures changed; {same} the same, 0 within chance, {only_a} only in \
                 A, {only_b} only in B.\n",
                same + changed + only_a + only_b
            );
            assert!(text.starts_with(&first), "{first}{text}");
        }
    }
}

#[test]
fn out_writes_the_comparison_as_a_page() {
    let folder = Folder::new("page");
    let out = folder.path("changes");
    let text = compared("reports/peers", "reports/peers", &["--all", "--out", &out]);
    let read = |name: &str| fs::read_to_string(Path::new(&out).join(name)).unwrap();
    let page = read("README.md");
    let title = text.lines().next().unwrap().trim_end_matches('.');
    assert_eq!(page.lines().next(), Some(&*format!("# {title}")));
    let csv = compared(
        "reports/peers",
        "reports/peers",
        &["--all", "--format", "csv"],
    );
    assert_eq!(read("records/changes.csv"), csv);
    let shown = read("index.html");
    for id in ["id=\"what-changed\"", "id=\"in-what-the-runs-differ\""] {
        assert!(shown.contains(id), "{id}");
    }
}

/// The page has records of its own, and a folder of a report is written as a whole.
#[test]
fn a_report_that_is_compared_keeps_its_records() {
    let folder = Folder::new("own");
    let (out, records) = (folder.path("one"), folder.path("one/records/run.csv"));
    fs::create_dir_all(Path::new(&records).parent().unwrap()).unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports/peers/records");
    for file in fs::read_dir(from).unwrap().map(Result::unwrap) {
        fs::copy(
            file.path(),
            Path::new(&out).join("records").join(file.file_name()),
        )
        .unwrap();
    }
    let before = fs::read(&records).unwrap();
    let beside = folder.path("one/../one");
    for (a, b) in [(&*out, "reports/peers"), ("reports/peers", &*out)] {
        for out in [&out, &beside] {
            let done = bouquet(&["compare", a, b, "--out", out]);
            assert_eq!(done.status.code(), Some(2));
            let words = String::from_utf8_lossy(&done.stderr).into_owned();
            assert!(
                words.contains("is one of the two that are compared"),
                "{words}"
            );
        }
    }
    assert_eq!(fs::read(&records).unwrap(), before);
}
