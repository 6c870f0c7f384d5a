//! The recorded command of a run repeats the run, even with names that a shell would interpret.
#![cfg(unix)]

use std::{
    ffi::OsString,
    fs,
    os::unix::ffi::OsStringExt,
    process::{Command, Output},
};

use super::support::{Folder, TINY};

/// File names that a shell would split, expand or run, or that contain a line end or invalid UTF-8.
const NAMES: [&[u8]; 5] = [
    b"my  keys $HOME.txt",
    b"it's \"`id`\" \\.txt",
    b"two\nlines\t*.txt",
    b"latin \xe9\xff1.txt",
    "line\u{2028}s turned\u{202e}".as_bytes(),
];

fn program(folder: &Folder, arguments: &[OsString]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_bouquet"));
    let program = program.args(arguments).current_dir(folder.root());
    program.output().unwrap()
}

/// The rows of each file of a report's records, without values that differ between equal runs.
fn records(folder: &Folder, report: &OsString) -> Vec<(String, String)> {
    let files = fs::read_dir(folder.root().join(report).join("records")).unwrap();
    let read = |entry: fs::DirEntry| {
        let text = fs::read_to_string(entry.path()).unwrap();
        let facts = ["command,", "date,", "duration_s,"];
        let is_fact = |line: &&str| !facts.iter().any(|fact| line.starts_with(fact));
        let lines: Vec<&str> = text.lines().filter(is_fact).collect();
        (entry.file_name().into_string().unwrap(), lines.join("\n"))
    };
    let mut records: Vec<_> = files.map(|entry| read(entry.unwrap())).collect();
    records.sort();
    records
}

/// The command in the records of a report, or in the gate's document.
fn command(folder: &Folder, report: &OsString) -> String {
    let report = folder.root().join(report);
    if let Ok(json) = fs::read(report.join("gate.json")) {
        let document: serde_json::Value = serde_json::from_slice(&json).unwrap();
        return document["run"]["command"].as_str().unwrap().to_owned();
    }
    let json = fs::read(report.join("run.json")).unwrap();
    let run: serde_json::Value = serde_json::from_slice(&json).unwrap();
    run["command"].as_str().unwrap().to_owned()
}

/// The arguments of a command as a shell parses them.
fn arguments(command: &str) -> Vec<OsString> {
    let script = format!("bouquet() {{ printf '%s\\0' \"$@\"; }}; {command}");
    let done = Command::new("bash").args(["-c", &script]).output().unwrap();
    assert!(done.status.success(), "{command}: {done:?}");
    let words = done
        .stdout
        .strip_suffix(b"\0")
        .unwrap()
        .split(|byte| *byte == 0);
    words
        .map(|word| OsString::from_vec(word.to_vec()))
        .collect()
}

/// For each of the names, runs a command in which `{}` is a file of this name, with `content`; then
/// runs the recorded command with another output folder. If `same`, both must record the same rows;
/// measured times would differ.
fn repeats(line: &str, content: &str, same: bool) {
    let folder = Folder::with_datasets();
    for (at, name) in NAMES.into_iter().enumerate() {
        let name = OsString::from_vec(name.to_vec());
        fs::write(folder.root().join(&name), content).unwrap();
        let mut out = OsString::from(format!("report {at} of "));
        out.push(&name);
        let word = |word: &str| {
            if word == "{}" {
                name.clone()
            } else {
                word.into()
            }
        };
        let mut asked: Vec<OsString> = line.split_whitespace().map(word).collect();
        asked.extend(["--out".into(), out.clone()]);
        let done = program(&folder, &asked);
        assert!(
            matches!(done.status.code(), Some(0 | 1)),
            "{asked:?}: {done:?}"
        );
        let recorded = command(&folder, &out);
        assert!(!recorded.contains(char::is_control), "{recorded:?}");
        let mut read = arguments(&recorded);
        assert_eq!(read, asked, "{recorded}");
        let again = OsString::from("again");
        *read.last_mut().unwrap() = again.clone();
        let repeated = program(&folder, &read);
        assert_eq!(repeated.status.code(), done.status.code(), "{repeated:?}");
        if same {
            assert_eq!(
                records(&folder, &again),
                records(&folder, &out),
                "{recorded}"
            );
        }
    }
}

#[test]
fn what_is_measured_repeats() {
    let keys = |count: u32| -> String { (0..count).map(|key| format!("{key}\n")).collect() };
    repeats("evaluate --seed 7 --define {}", TINY, true);
    repeats(
        "evaluate fpr --quick --filters standard --capacity 20 --fpr 0.1 --datasets keys --keys {}",
        &keys(200),
        true,
    );
    repeats(
        "evaluate uniformity --quick --schemes murmur3-double-hashing --datasets keys --keys {}",
        &keys(20_000),
        true,
    );
    repeats(
        "speed --tiny --quick --filters standard --capacity 1000",
        "",
        false,
    );
}

#[test]
fn gate_repeats() {
    let folder = Folder::new();
    let define = "[key_sets]\nids = { generator = \"ascii-id\" }\n\n[[filter]]\n\
                  filter = \"standard\"\ncapacity = 1_000\nfpr = 0.01\nkeys = \"ids\"\n";
    folder.file("gate.toml", define);
    folder.good(
        "gate --define gate.toml --tiers exact --accept --reason first --out out --baseline \
         baseline",
    );
    let baseline = folder.path("baseline");
    let gate = format!("gate --tiers exact --baseline {baseline} --define {{}}");
    repeats(&gate, define, true);
}

#[cfg(feature = "peers")]
#[test]
fn peers_repeats() {
    repeats(
        "evaluate peers --quick --filters standard --datasets sequential --capacity 1000",
        "",
        true,
    );
}
