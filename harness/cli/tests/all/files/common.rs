//! A folder of the test's own, and the program in it.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use serde_json::Value;

/// A folder, removed at the end.
pub struct Folder(pub PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Folder {
    pub fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("bouquet-files-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.0.join(name), bytes).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).unwrap()
    }

    /// What is in it, hidden files included.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// The program in this folder, its arguments divided by blanks.
    pub fn command(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bouquet"));
        command
            .args(args.split_whitespace())
            .current_dir(&self.0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub fn run(&self, args: &str) -> Output {
        self.command(args).output().unwrap()
    }

    /// The program with this on standard input.
    pub fn feed(&self, args: &str, input: impl AsRef<[u8]>) -> Output {
        let mut child = self.command(args).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.as_ref().to_vec();
        // Whoever does not read its input to the end breaks this pipe.
        let writer = std::thread::spawn(move || {
            let _ = stdin.write_all(&input);
        });
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        output
    }

    /// Standard output of a call that must succeed.
    pub fn good(&self, args: &str) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(0), "{args}: {}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Asserts that a call is rejected and that the error has these words.
    pub fn rejects(&self, args: &str, words: &[&str]) {
        let output = self.run(args);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{args}: {text}");
        assert!(output.stdout.is_empty(), "{args}");
        for word in words {
            assert!(text.contains(word), "{args}: {word:?} is not in {text}");
        }
    }

    /// What `inspect` says of a file, by name.
    pub fn facts(&self, args: &str) -> Value {
        let json = self.good(&format!("inspect --format json {args}"));
        let json: Value = serde_json::from_str(&json).unwrap();
        json["rows"][0].clone()
    }

    /// The number of keys that a file holds.
    pub fn count(&self, args: &str) -> u64 {
        let output = self.run(&format!("check --count {args}"));
        let text = String::from_utf8(output.stdout).unwrap();
        let count = text.trim().parse().unwrap();
        assert_eq!(output.status.code(), Some(i32::from(count == 0)));
        count
    }
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Lines with these numbers.
pub fn lines(numbers: impl Iterator<Item = u64>) -> String {
    numbers.map(|n| format!("key {n}\n")).collect()
}

/// A path in the repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}
