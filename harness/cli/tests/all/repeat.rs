//! The command that a run records makes the same run again: the real program, with
//! names that a shell would take for something else.
#![cfg(unix)]

use std::{
    ffi::OsString,
    fs,
    os::unix::{ffi::OsStringExt, fs::symlink},
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// What a shell would cut, expand or run, a line end, and a byte that is no UTF-8.
const NAMES: [&[u8]; 5] = [
    b"my  keys $HOME.txt",
    b"it's \"`id`\" \\.txt",
    b"two\nlines\t*.txt",
    b"latin \xe9\xff1.txt",
    "line\u{2028}s turned\u{202e}".as_bytes(),
];

/// A folder of this test's own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("bouquet-repeat-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        symlink(root.join("datasets"), path.join("datasets")).unwrap();
        Self(path)
    }

    fn program(&self, arguments: &[OsString]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_bouquet"))
            .args(arguments)
            .current_dir(&self.0)
            .output()
            .unwrap()
    }

    /// The rows of each file of records, without what no run has in common with the next.
    fn records(&self, report: &OsString) -> Vec<(String, String)> {
        let files = fs::read_dir(self.0.join(report).join("records")).unwrap();
        let read = |entry: fs::DirEntry| {
            let text = fs::read_to_string(entry.path()).unwrap();
            let is_fact = |line: &&str| {
                !["command,", "date,", "duration_s,"]
                    .iter()
                    .any(|f| line.starts_with(f))
            };
            let lines: Vec<&str> = text.lines().filter(is_fact).collect();
            (entry.file_name().into_string().unwrap(), lines.join("\n"))
        };
        let mut records: Vec<_> = files.map(|entry| read(entry.unwrap())).collect();
        records.sort();
        records
    }

    /// The command in the records of a report, or in gate's document.
    fn command(&self, report: &OsString) -> String {
        let report = self.0.join(report);
        if let Ok(json) = fs::read(report.join("gate.json")) {
            let document: serde_json::Value = serde_json::from_slice(&json).unwrap();
            return document["run"]["command"].as_str().unwrap().to_owned();
        }
        let mut rows = csv::Reader::from_path(report.join("records/run.csv")).unwrap();
        let mut rows = rows.records().map(Result::unwrap);
        rows.find(|row| &row[0] == "command").unwrap()[1].to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The arguments of a command as a shell reads them.
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

/// Runs a command, where `{}` is a file of this content and of each of the names, and
/// what it recorded, with another folder.
fn repeats(command: &str, content: &str) {
    check(command, content, true);
}

/// Likewise of a command whose records are times.
fn is_taken_again(command: &str, content: &str) {
    check(command, content, false);
}

fn check(command: &str, content: &str, same: bool) {
    let folder = Folder::new(command.split_whitespace().next().unwrap());
    for (at, name) in NAMES.into_iter().enumerate() {
        let name = OsString::from_vec(name.to_vec());
        fs::write(folder.0.join(&name), content).unwrap();
        let mut out = OsString::from(format!("report {at} of "));
        out.push(&name);
        let word = |word: &str| {
            if word == "{}" {
                name.clone()
            } else {
                word.into()
            }
        };
        let mut asked: Vec<OsString> = command.split_whitespace().map(word).collect();
        asked.extend(["--out".into(), out.clone()]);
        let done = folder.program(&asked);
        assert!(
            matches!(done.status.code(), Some(0 | 1)),
            "{asked:?}: {done:?}"
        );
        let recorded = folder.command(&out);
        assert!(!recorded.contains(char::is_control), "{recorded:?}");
        let mut read = arguments(&recorded);
        assert_eq!(read, asked, "{recorded}");
        let again = OsString::from("again");
        *read.last_mut().unwrap() = again.clone();
        let repeated = folder.program(&read);
        assert_eq!(repeated.status.code(), done.status.code(), "{repeated:?}");
        if same {
            assert_eq!(folder.records(&again), folder.records(&out), "{recorded}");
        }
    }
}

#[test]
fn evaluate_repeats() {
    repeats(
        "evaluate --seed 7 --define {}",
        include_str!("../data/tiny.toml"),
    );
}

#[test]
fn fpr_repeats() {
    let keys: String = (0..200).map(|key| format!("{key}\n")).collect();
    repeats(
        "fpr --quick --filters standard --capacity 20 --fpr 0.1 --datasets keys --keys {}",
        &keys,
    );
}

#[test]
fn uniformity_repeats() {
    let keys: String = (0..20_000).map(|key| format!("{key}\n")).collect();
    repeats(
        "uniformity --quick --schemes murmur3-double-hashing --datasets keys --keys {}",
        &keys,
    );
}

#[test]
fn gate_repeats() {
    let folder = Folder::new("gate-baseline");
    let define = "[key_sets]\nids = { generator = \"ascii-id\" }\n\n[[filter]]\n\
                  filter = \"standard\"\ncapacity = 1_000\nfpr = 0.01\nkeys = \"ids\"\n";
    fs::write(folder.0.join("gate.toml"), define).unwrap();
    let baseline = folder.0.join("baseline");
    let accept = format!(
        "gate --define gate.toml --tiers exact --accept --reason first --out out --baseline {}",
        baseline.display()
    );
    let words: Vec<OsString> = accept.split_whitespace().map(OsString::from).collect();
    assert_eq!(folder.program(&words).status.code(), Some(0));
    let baseline = baseline.display();
    repeats(
        &format!("gate --tiers exact --baseline {baseline} --define {{}}"),
        define,
    );
}

#[test]
fn speed_is_taken_again() {
    is_taken_again(
        "speed --tiny --quick --filters standard --capacity 1000",
        "",
    );
}

#[cfg(feature = "peers")]
#[test]
fn peers_repeats() {
    repeats(
        "peers --quick --filters standard --datasets sequential --capacity 1000",
        "",
    );
}
