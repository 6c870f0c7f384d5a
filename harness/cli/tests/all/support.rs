//! Helpers that these tests share: running the program, and temporary folders.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::LazyLock,
};

use serde_json::Value;

use tempfile::TempDir;

/// The root of the repository, where the program finds the data sets.
pub fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    own.canonicalize().unwrap()
}

/// Runs the program in a folder; its arguments are separated by blanks.
pub fn run(folder: &Path, args: &str) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_bouquet"));
    let program = program.args(args.split_whitespace()).current_dir(folder);
    program.output().unwrap()
}

pub fn bouquet(args: &str) -> Output {
    run(&root(), args)
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Runs a command that must succeed, and returns its standard output.
pub fn good(args: &str) -> String {
    let done = bouquet(args);
    assert_eq!(done.status.code(), Some(0), "{args}: {}", stderr(&done));
    stdout(&done)
}

/// Asserts that a call failed without an answer, with an error that contains these words.
pub fn is_rejected(done: &Output, args: &str, words: &[&str]) {
    let text = stderr(done);
    assert_eq!(done.status.code(), Some(2), "{args}: {text}");
    assert!(done.stdout.is_empty(), "{args}");
    for word in words {
        assert!(text.contains(word), "{args}: {word:?} is not in {text}");
    }
}

pub fn rejects(args: &str, words: &[&str]) {
    is_rejected(&bouquet(args), args, words);
}

/// A temporary folder of one test, removed at the end.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// An empty folder with a link to the data sets.
    #[cfg(unix)]
    pub fn with_datasets() -> Self {
        let folder = Self::new();
        std::os::unix::fs::symlink(root().join("datasets"), folder.at("datasets")).unwrap();
        folder
    }

    pub fn root(&self) -> &Path {
        self.0.path()
    }

    pub fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn path(&self, name: &str) -> String {
        self.at(name).display().to_string()
    }

    /// Writes a file and returns its path.
    pub fn file(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        fs::write(self.at(name), text).unwrap();
        self.path(name)
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.at(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The names of all files in the folder, including hidden ones.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.root()).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    }

    /// Runs the program in this folder.
    pub fn run(&self, args: &str) -> Output {
        run(self.root(), args)
    }

    /// Runs a command that must succeed in this folder, and returns its standard output.
    pub fn good(&self, args: &str) -> String {
        let done = self.run(args);
        assert_eq!(done.status.code(), Some(0), "{args}: {}", stderr(&done));
        stdout(&done)
    }

    pub fn rejects(&self, args: &str, words: &[&str]) {
        is_rejected(&self.run(args), args, words);
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.at(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// A command that runs the program in this folder, with pipes for its input and output.
    pub fn command(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bouquet"));
        command
            .args(args.split_whitespace())
            .current_dir(self.root())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs the program with `input` on standard input.
    pub fn feed(&self, args: &str, input: impl AsRef<[u8]>) -> Output {
        let mut child = self.command(args).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.as_ref().to_vec();
        // Writing fails if the program ends before it has read all of its input: no error.
        let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        output
    }

    /// The values that `inspect` reports about a file, by name.
    pub fn facts(&self, args: &str) -> Value {
        let json = self.good(&format!("inspect --format json {args}"));
        let json: Value = serde_json::from_str(&json).unwrap();
        json["rows"][0].clone()
    }

    /// The number of keys for which `check` answers that the filter may contain them.
    pub fn count(&self, args: &str) -> u64 {
        let output = self.run(&format!("check --count {args}"));
        let count = stdout(&output).trim().parse().unwrap();
        assert_eq!(output.status.code(), Some(i32::from(count == 0)));
        count
    }

    /// A small report, made once and copied for each test that changes it.
    pub fn with_report() -> Self {
        static MADE: LazyLock<Folder> = LazyLock::new(|| {
            let made = Folder::new();
            let define = made.file("tiny.toml", TINY);
            let out = made.path("report");
            good(&format!("evaluate --define {define} --out {out} --seed 7"));
            made
        });
        let folder = Self::new();
        copy(MADE.root(), folder.root());
        folder
    }
}

/// Lines with one key each, such as `key 7` for the number 7.
pub fn lines(numbers: impl Iterator<Item = u64>) -> String {
    numbers.map(|n| format!("key {n}\n")).collect()
}

/// A definition with very small measurements.
pub const TINY: &str = include_str!("../data/tiny.toml");

/// Copies the contents of a folder into another.
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
}

/// Changes the cell of a column in each row of a CSV file for which `change` returns a value.
pub fn forge(file: &Path, column: &str, change: impl Fn(usize, &str) -> Option<String>) {
    let mut reader = csv::Reader::from_path(file).unwrap();
    let names = reader.headers().unwrap().clone();
    let place = names.iter().position(|name| name == column).unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let mut writer = csv::Writer::from_path(file).unwrap();
    writer.write_record(&names).unwrap();
    for (at, row) in rows.iter().enumerate() {
        let forged = change(at, &row[place]);
        let cells = row.iter().enumerate();
        let cells = cells.map(|(own, cell)| match (own == place, &forged) {
            (true, Some(forged)) => forged,
            _ => cell,
        });
        writer.write_record(cells).unwrap();
    }
    writer.flush().unwrap();
}
