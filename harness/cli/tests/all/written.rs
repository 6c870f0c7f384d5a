//! Which files and folders the program writes, and which it leaves alone.
#![cfg(unix)]

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    process::Command,
};

use super::support::{Folder, TINY, root};

const PAGE: &str = "<!-- figures: begin -->\n<!-- figures: end -->\n";

#[test]
fn splice_keeps_the_mode_follows_links_and_leaves_other_files_alone() {
    let folder = Folder::new();
    let main = root().join("reports/main");
    let splice =
        |page: &str| drop(folder.good(&format!("report {} --splice {page}", main.display())));
    folder.file("page.md", PAGE);
    fs::set_permissions(folder.at("page.md"), fs::Permissions::from_mode(0o600)).unwrap();
    folder.file("page.md.tmp", "my own");
    splice("page.md");
    assert!(folder.read("page.md").contains("standard"));
    let mode = |name: &str| fs::metadata(folder.at(name)).unwrap().permissions().mode();
    assert_eq!(mode("page.md") & 0o7777, 0o600);
    assert_eq!(folder.read("page.md.tmp"), "my own");

    fs::create_dir(folder.at("real")).unwrap();
    folder.file("real/page.md", PAGE);
    folder.file("precious", "to be kept");
    symlink("real/page.md", folder.at("link.md")).unwrap();
    symlink("precious", folder.at("link.md.tmp")).unwrap();
    splice("link.md");
    assert!(folder.at("link.md").is_symlink());
    assert!(folder.read("real/page.md").contains("standard"));
    assert_eq!(folder.read("precious"), "to be kept");
    // Nobody writes into the pipe, so reading it would block forever.
    let made = Command::new("mkfifo").arg(folder.at("pipe.md")).status();
    assert!(made.unwrap().success());
    let report = main.display();
    folder.rejects(
        &format!("report {report} --splice pipe.md"),
        &["pipe.md is not a regular file"],
    );
    fs::remove_file(folder.at("pipe.md")).unwrap();
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

const GATE: &str = "[key_sets]\nids = { generator = \"ascii-id\" }\n\n[[filter]]\n\
                    filter = \"standard\"\ncapacity = 1_000\nfpr = 0.01\nkeys = \"ids\"\n";

/// Each command that writes a folder rejects one with files that the program did not write. It does
/// so before measuring, which would often take minutes.
#[test]
fn no_command_replaces_what_it_did_not_write() {
    let folder = Folder::with_datasets();
    folder.file("gate.toml", GATE);
    let theirs = ["README.md", "records/observations.csv", "charts/fpr.svg"];
    for sub in ["records", "charts"] {
        fs::create_dir_all(folder.at("theirs").join(sub)).unwrap();
    }
    for name in theirs {
        folder.file(&format!("theirs/{name}"), "name,value\nmine,all\n");
    }
    let main = root().join("reports/main").display().to_string();
    let commands = [
        "evaluate --full --out theirs",
        "speed --tiny --out theirs",
        "gate --tiers exact --accept --reason first --baseline new --out theirs",
        "gate --tiers exact --accept --reason first --baseline theirs --out new",
        &format!("report {main} --out theirs"),
    ];
    for command in commands {
        folder.rejects(command, &["theirs", "nothing says", "would be deleted"]);
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

#[test]
fn folders_that_are_none_for_a_report() {
    let folder = Folder::new();
    let report = |out: &str| {
        let main = root().join("reports/main");
        format!("report {} --out {out}", main.display())
    };
    folder.file("file", "mine");
    symlink("nothing", folder.at("link")).unwrap();
    fs::create_dir_all(folder.at("checkout/.git")).unwrap();
    folder.rejects(&report("file"), &["file", "is a file"]);
    folder.rejects(
        &report("link"),
        &["link to \"nothing\", which does not exist"],
    );
    folder.rejects(&report("checkout"), &["\".git\"", "would be deleted"]);
    folder.rejects(&report("."), &["in which you are"]);
    folder.rejects(&report("/"), &["in which you are"]);
    assert_eq!(folder.names(), ["checkout", "file", "link"]);
    assert_eq!(folder.read("file"), "mine");
}

/// The files of a run are listed and are replaced by the next run, even through a link; a file that
/// somebody added prevents that.
#[test]
fn a_report_is_replaced_as_long_as_it_is_the_program_s() {
    let folder = Folder::with_datasets();
    folder.file("tiny.toml", TINY);
    folder.good("evaluate --define tiny.toml --seed 1 --out report");
    symlink("report", folder.at("link")).unwrap();
    folder.good("evaluate --define tiny.toml --seed 2 --out link");
    assert!(folder.at("link").is_symlink());
    let run = folder.read("report/run.json");
    assert!(run.contains("\"seed\": \"2\""), "{run}");
    let names = [
        "README.md",
        "charts/",
        "index.html",
        "records/observations.csv",
        "run.json",
    ];
    for name in names {
        assert!(run.contains(&format!("\n    \"{name}")), "{name}: {run}");
    }
    fs::create_dir(folder.at("report/notes")).unwrap();
    let again = "evaluate --define tiny.toml --seed 3 --out report";
    folder.rejects(again, &["report", "\"notes\"", "move it away"]);
    fs::remove_dir(folder.at("report/notes")).unwrap();
    folder.file("report/records/observations.csv~", "mine");
    folder.rejects(again, &["\"records/observations.csv~\"", "move it away"]);
    fs::remove_file(folder.at("report/records/observations.csv~")).unwrap();
    folder.good(again);
    assert_eq!(folder.names(), ["datasets", "link", "report", "tiny.toml"]);
}

/// If a merge damaged a baseline, the message says how to recover.
#[test]
fn a_merged_baseline_is_not_replaced_and_there_is_a_way_out() {
    let folder = Folder::new();
    folder.file("gate.toml", GATE);
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
    folder.file("baseline/gate.json", format!("<<<<<<< ours\n{whole}"));
    let words = [&way_out[..], &["gate.json is no JSON"]].concat();
    folder.rejects(&accept("fourth"), &words);
    fs::rename(folder.at("baseline"), folder.at("merged")).unwrap();
    folder.good(&accept("again"));
    fs::remove_dir_all(folder.at("baseline")).unwrap();
    fs::rename(folder.at("merged"), folder.at("baseline")).unwrap();
    folder.file("baseline/gate.json", &whole);
    folder.file("baseline/notes", "mine");
    folder.rejects(&accept("fourth"), &["\"notes\"", "move it away"]);
    fs::remove_file(folder.at("baseline/notes")).unwrap();
    folder.good(&accept("fourth"));
    assert_eq!(folder.names(), ["baseline", "gate.toml", "out"]);
}
