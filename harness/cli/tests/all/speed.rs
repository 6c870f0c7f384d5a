//! `bouquet speed`: all of it but the speed.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn bouquet(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bouquet"))
        .args(args)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let id = std::process::id();
        let path = std::env::temp_dir().join(format!("bouquet-speed-{name}-{id}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }

    /// A column of a file of records.
    fn column(&self, file: &str, name: &str) -> Vec<String> {
        let mut reader = csv::Reader::from_path(self.0.join("report/records").join(file)).unwrap();
        let at = reader
            .headers()
            .unwrap()
            .iter()
            .position(|head| head == name)
            .unwrap();
        reader
            .records()
            .map(|row| row.unwrap()[at].to_owned())
            .collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Next to nothing to measure.
fn tiny(folder: &Folder, more: &[&str]) -> Output {
    let out = folder.path("report");
    let args = ["speed", "--tiny", "--quiet", "--out", &out];
    let output = bouquet(&[&args, more].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    output
}

#[cfg(debug_assertions)]
#[test]
fn a_debug_build_rejects_to_measure() {
    let folder = Folder::new("debug");
    let output = bouquet(&["speed", "--quick", "--out", &folder.path("report")]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("debug build"),
        "{}",
        stderr(&output)
    );
    assert!(!folder.0.join("report").exists());
}

#[test]
fn every_filter_way_and_operation_has_its_rows() {
    let folder = Folder::new("rows");
    tiny(
        &folder,
        &["--filters", "standard,sharded,cuckoo", "--fpr", "0.05"],
    );
    let column = |name| folder.column("speed.csv", name);
    // Two repetitions on two kinds of key: four operations of each filter one by one
    // and in batches, three in turn.
    assert_eq!(column("operation").len(), 2 * 2 * (4 * 6 + 3 * 3));
    assert!(column("error").iter().all(String::is_empty));
    assert!(
        column("false_negatives")
            .iter()
            .all(|missing| missing == "0")
    );
    assert!(column("rejected").iter().all(|rejected| rejected == "0"));
    let number = |text: &String| text.parse::<f64>().unwrap();
    assert!(
        column("gross_ns_per_key")
            .iter()
            .map(number)
            .all(|ns| ns > 0.0)
    );
    let bits: Vec<f64> = column("allocated_bytes")
        .iter()
        .map(|b| number(b) * 8.0 / 300.0)
        .collect();
    assert!(
        bits.iter().all(|bits| (4.0..60.0).contains(bits)),
        "{bits:?}"
    );
    let found = column("false_positives").iter().map(number).sum::<f64>();
    let asked = 9.0 * 2.0 * 2.0 * 1_000.0;
    assert!((0.01..0.1).contains(&(found / asked)), "{found} of {asked}");
    assert_eq!(folder.column("roofline.csv", "bytes").len(), 2 * 2 * 4);
}

#[test]
fn the_report_is_made_again_of_its_records() {
    let folder = Folder::new("again");
    let first = tiny(&folder, &["--full", "--filters", "standard,blocked,atomic"]);
    let read = |name: &str| folder.read(&format!("report/{name}"));
    let (readme, page) = (read("README.md"), read("index.html"));
    assert!(readme.contains("| standard, batch |"), "{readme}");
    assert!(readme.contains("shared by threads"), "{readme}");
    assert!(page.contains("<figure id=\"threads-"));
    fs::write(folder.0.join("report/README.md"), "").unwrap();
    let again = bouquet(&["report", &folder.path("report")]);
    assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
    assert_eq!(stdout(&again), stdout(&first));
    assert_eq!((read("README.md"), read("index.html")), (readme, page));
}

#[test]
fn tables_come_in_four_formats() {
    let folder = Folder::new("formats");
    let of = |format| {
        let narrow = ["--filters", "blocked", "--quick", "--format", format];
        stdout(&tiny(&folder, &narrow))
    };
    let answer: serde_json::Value = serde_json::from_str(&of("json")).unwrap();
    assert_eq!(answer["verdict"], "pass");
    let lines = &answer["rows"];
    assert_eq!(lines.as_array().unwrap().len(), 2 * 4 + 3, "{lines}");
    assert!(lines[0]["net_ns_per_key"].is_number() && lines[0]["operation"] == "insert");
    assert!(of("csv").starts_with("keys,capacity,target_fpr,filter,way,"));
    assert!(of("md").contains("| Filter | Insert |"));
    assert!(of("table").contains("debug build") == cfg!(debug_assertions));
}

#[test]
fn a_false_negative_of_ours_fails_the_report() {
    let folder = Folder::new("false-negatives");
    tiny(&folder, &["--filters", "standard", "--quick"]);
    let path = folder.0.join("report/records/speed.csv");
    let mut reader = csv::Reader::from_path(&path).unwrap();
    let heads = reader.headers().unwrap().clone();
    let at = heads
        .iter()
        .position(|head| head == "false_negatives")
        .unwrap();
    let mut rows: Vec<Vec<String>> = reader.deserialize().map(Result::unwrap).collect();
    rows[3][at] = "2".into();
    let mut writer = csv::Writer::from_path(&path).unwrap();
    writer.write_record(&heads).unwrap();
    rows.iter()
        .for_each(|row| writer.write_record(row).unwrap());
    drop(writer);
    let output = bouquet(&["report", &folder.path("report")]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stdout(&output).contains("standard: false negatives for 2 of its keys"));
}

#[test]
fn what_cannot_be_measured_is_rejected() {
    for (args, word) in [
        (["--filters", "rose"], "no filter is called"),
        (["--capacity", "1"], "give 2 to"),
        (["--fpr", "1.5"], "between 0 and 1"),
        (["--filters", "mutex"], "nothing to measure"),
    ] {
        let output = bouquet(&[&["speed", "--tiny"][..], &args].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(word), "{}", stderr(&output));
    }
}

#[cfg(feature = "peers")]
#[test]
fn all_peers_run_and_are_compared() {
    let folder = Folder::new("peers");
    tiny(
        &folder,
        &["--kinds", "url", "--fpr", "0.01", "--capacity", "300"],
    );
    let errors = folder.column("speed.csv", "error");
    assert!(errors.iter().all(String::is_empty), "{errors:?}");
    let (filters, roles) = (
        folder.column("speed.csv", "filter"),
        folder.column("speed.csv", "role"),
    );
    let peers: std::collections::HashSet<_> = filters
        .iter()
        .zip(&roles)
        .filter(|(_, role)| *role == "peer")
        .collect();
    assert_eq!(peers.len(), 14);
    assert!(
        folder
            .read("report/README.md")
            .contains("Ours and other crates")
    );
}
