//! What the program writes, and what it leaves alone: the real program.
#![cfg(unix)]

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// A folder of this test's own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let id = std::process::id();
        let path = std::env::temp_dir().join(format!("bouquet-written-{name}-{id}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// What is in it, hidden files included.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The program in this folder, its arguments divided by blanks.
    fn run(&self, args: &str) -> Output {
        Command::new(env!("CARGO_BIN_EXE_bouquet"))
            .args(args.split_whitespace())
            .current_dir(&self.0)
            .output()
            .unwrap()
    }

    fn good(&self, args: &str) {
        let done = self.run(args);
        assert_eq!(done.status.code(), Some(0), "{args}: {}", stderr(&done));
    }

    /// Asserts that a call is rejected, with these words.
    fn rejects(&self, args: &str, words: &[&str]) {
        let done = self.run(args);
        let text = stderr(&done);
        assert_eq!(done.status.code(), Some(2), "{args}: {text}");
        for word in words {
            assert!(text.contains(word), "{args}: {word:?} is not in {text}");
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

const PAGE: &str = "<!-- figures: begin -->\n<!-- figures: end -->\n";

#[test]
fn splice_keeps_the_mode_follows_links_and_leaves_other_files_alone() {
    let folder = Folder::new("splice");
    let main = repository("reports/main");
    let splice = |page: &str| folder.good(&format!("splice {} {page}", main.display()));
    folder.write("page.md", PAGE);
    fs::set_permissions(folder.path("page.md"), fs::Permissions::from_mode(0o600)).unwrap();
    folder.write("page.md.tmp", "my own");
    splice("page.md");
    assert!(folder.read("page.md").contains("standard"));
    let mode = |name: &str| {
        fs::metadata(folder.path(name))
            .unwrap()
            .permissions()
            .mode()
    };
    assert_eq!(mode("page.md") & 0o7777, 0o600);
    assert_eq!(folder.read("page.md.tmp"), "my own");

    fs::create_dir(folder.path("real")).unwrap();
    folder.write("real/page.md", PAGE);
    folder.write("precious", "to be kept");
    symlink("real/page.md", folder.path("link.md")).unwrap();
    symlink("precious", folder.path("link.md.tmp")).unwrap();
    splice("link.md");
    assert!(folder.path("link.md").is_symlink());
    assert!(folder.read("real/page.md").contains("standard"));
    assert_eq!(folder.read("precious"), "to be kept");
    // Nobody writes into the pipe: it would wait forever.
    let made = Command::new("mkfifo").arg(folder.path("pipe.md")).status();
    assert!(made.unwrap().success());
    let report = main.display();
    folder.rejects(&format!("splice {report} pipe.md"), &["pipe.md is no file"]);
    fs::remove_file(folder.path("pipe.md")).unwrap();
    assert_eq!(
        folder.names(),
        [
            "link.md",
            "link.md.tmp",
            "page.md",
            "page.md.tmp",
            "precious",
            "real"
        ]
    );
}

/// One that measures next to nothing.
const TINY: &str = include_str!("../data/tiny.toml");

const GATE: &str = "[key_sets]\nids = { generator = \"ascii-id\" }\n\n[[filter]]\n\
                    filter = \"standard\"\ncapacity = 1_000\nfpr = 0.01\nkeys = \"ids\"\n";

/// Each command that writes a folder, before it measures anything: of most that would
/// take minutes.
#[test]
fn no_command_replaces_what_it_did_not_write() {
    let folder = Folder::new("theirs");
    symlink(repository("datasets"), folder.path("datasets")).unwrap();
    folder.write("gate.toml", GATE);
    let theirs = ["README.md", "records/run.csv", "charts/fpr.svg"];
    for sub in ["records", "charts"] {
        fs::create_dir_all(folder.path("theirs").join(sub)).unwrap();
    }
    for name in theirs {
        folder.write(&format!("theirs/{name}"), "name,value\nmine,all\n");
    }
    let main = repository("reports/main").display().to_string();
    let commands = [
        "evaluate --full --out theirs",
        "fpr --full --out theirs",
        "uniformity --full --out theirs",
        "speed --tiny --out theirs",
        "gate --tiers exact --accept --reason first --baseline new --out theirs",
        "gate --tiers exact --accept --reason first --baseline theirs --out new",
        &format!("report {main} --out theirs"),
    ];
    for command in commands {
        folder.rejects(command, &["theirs", "no run.json says", "would be deleted"]);
        for name in theirs {
            assert_eq!(
                folder.read(&format!("theirs/{name}")),
                "name,value\nmine,all\n"
            );
        }
        assert_eq!(
            folder.names(),
            ["datasets", "gate.toml", "theirs"],
            "{command}"
        );
    }
}

#[cfg(feature = "peers")]
#[test]
fn nor_does_the_scoreboard() {
    let folder = Folder::new("theirs-peers");
    symlink(repository("datasets"), folder.path("datasets")).unwrap();
    fs::create_dir(folder.path("theirs")).unwrap();
    folder.write("theirs/README.md", "mine");
    folder.rejects("peers --full --out theirs", &["no run.json says"]);
}

#[test]
fn folders_that_are_none_for_a_report() {
    let folder = Folder::new("places");
    let report = |out: &str| {
        let main = repository("reports/main");
        format!("report {} --out {out}", main.display())
    };
    folder.write("file", "mine");
    symlink("nothing", folder.path("link")).unwrap();
    fs::create_dir_all(folder.path("checkout/.git")).unwrap();
    folder.rejects(&report("file"), &["file", "is a file"]);
    folder.rejects(&report("link"), &["link to nothing, which is not there"]);
    folder.rejects(&report("checkout"), &["\".git\"", "would be deleted"]);
    folder.rejects(&report("."), &["you are in it"]);
    folder.rejects(&report("/"), &["the root of all folders"]);
    if cfg!(target_os = "linux") {
        folder.rejects(&report("/proc"), &["mount point", "name a folder in it"]);
    }
    assert_eq!(folder.names(), ["checkout", "file", "link"]);
    assert_eq!(folder.read("file"), "mine");
}

/// What a run writes is listed and is replaced by the next, by way of a link too; what
/// somebody put into it is not.
#[test]
fn a_report_is_replaced_as_long_as_it_is_the_program_s() {
    let folder = Folder::new("own");
    symlink(repository("datasets"), folder.path("datasets")).unwrap();
    folder.write("tiny.toml", TINY);
    folder.good("evaluate --define tiny.toml --seed 1 --out report");
    symlink("report", folder.path("link")).unwrap();
    folder.good("evaluate --define tiny.toml --seed 2 --out link");
    assert!(folder.path("link").is_symlink());
    assert!(folder.read("report/records/run.csv").contains("seed,2\n"));
    let run = folder.read("report/run.json");
    let names = [
        "README.md",
        "charts/",
        "index.html",
        "records/run.csv",
        "run.json",
    ];
    for name in names {
        assert!(run.contains(&format!("\n    \"{name}")), "{name}: {run}");
    }
    fs::create_dir(folder.path("report/notes")).unwrap();
    let again = "evaluate --define tiny.toml --seed 3 --out report";
    folder.rejects(again, &["report", "\"notes\"", "move it away"]);
    fs::remove_dir(folder.path("report/notes")).unwrap();
    folder.write("report/records/run.csv~", "mine");
    folder.rejects(again, &["\"records/run.csv~\"", "move it away"]);
    fs::remove_file(folder.path("report/records/run.csv~")).unwrap();
    folder.good(again);
    assert_eq!(folder.names(), ["datasets", "link", "report", "tiny.toml"]);
}

/// Where a merge by hand damaged a baseline, there is a way out.
#[test]
fn a_merged_baseline_is_not_replaced_and_there_is_a_way_out() {
    let folder = Folder::new("merged");
    folder.write("gate.toml", GATE);
    let accept = |reason: &str| {
        format!(
            "gate --define gate.toml --baseline baseline --out out --tiers exact --quiet --accept \
             --reason {reason}"
        )
    };
    folder.good(&accept("first"));
    folder.good(&accept("second"));
    let whole = folder.read("baseline/gate.json");
    let way_out = ["restore baseline whole (git checkout)", "move it away"];
    folder.write("baseline/gate.json", &format!("<<<<<<< ours\n{whole}"));
    let words = [&way_out[..], &["gate.json is no JSON"]].concat();
    folder.rejects(&accept("fourth"), &words);
    // Both ways.
    fs::rename(folder.path("baseline"), folder.path("merged")).unwrap();
    folder.good(&accept("again"));
    fs::remove_dir_all(folder.path("baseline")).unwrap();
    fs::rename(folder.path("merged"), folder.path("baseline")).unwrap();
    folder.write("baseline/gate.json", &whole);
    folder.write("baseline/notes", "mine");
    folder.rejects(&accept("fourth"), &["\"notes\"", "move it away"]);
    fs::remove_file(folder.path("baseline/notes")).unwrap();
    folder.good(&accept("fourth"));
    assert_eq!(folder.names(), ["baseline", "gate.toml", "out"]);
}
