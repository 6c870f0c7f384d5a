//! Names that contain control characters, line ends and bars: they are escaped on a terminal, in
//! Markdown and in CSV.
#![cfg(unix)]

use std::{
    fs,
    process::{Command, Output},
};

use super::support::Folder;

/// If printed unescaped, it turns a terminal red, begins a new line and ends a table cell.
const WILD: &str = "a\u{1b}[31m|b\nbouquet: all is well\rc\u{7}\u{9b}\u{202e}\u{61c}";

/// Runs the program in this folder, with arguments that may contain blanks.
fn run(folder: &Folder, args: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_bouquet"));
    let program = program.args(args).current_dir(folder.root());
    program.output().unwrap()
}

/// Asserts that the text contains no harmful characters of the name.
fn is_harmless(what: &str, text: &[u8]) {
    let text = std::str::from_utf8(text).unwrap();
    let turns = ['\u{202e}', '\u{61c}'];
    let wild = |c: &char| c.is_control() && *c != '\n' || turns.contains(c);
    assert_eq!(text.chars().find(wild), None, "{what}: {text}");
    let own_line = text.lines().any(|line| line.starts_with("bouquet: all"));
    assert!(!own_line, "{what}: {text}");
}

fn both_are_harmless(what: &str, done: &Output) {
    is_harmless(what, &done.stdout);
    is_harmless(what, &done.stderr);
}

#[test]
fn a_file_that_is_there_is_shown_without_its_control_characters() {
    let folder = Folder::new();
    fs::write(folder.at(WILD), "one\ntwo\n").unwrap();
    let filter = format!("{WILD}.bouquet");
    let built = run(&folder, &["build", "-o", &filter, WILD]);
    assert_eq!(built.status.code(), Some(0));
    both_are_harmless("build", &built);
    for format in ["table", "json", "csv", "md"] {
        let done = run(&folder, &["inspect", &filter, "--format", format]);
        assert_eq!(done.status.code(), Some(0));
        both_are_harmless(format, &done);
        let text = String::from_utf8(done.stdout).unwrap();
        let lines = text.lines().count();
        match format {
            "csv" => assert_eq!(lines, 2),
            "md" => assert!(lines == 3 && text.contains("31m\\|b "), "{text}"),
            _ => {}
        }
    }
    let done = run(&folder, &["inspect", &filter, "--fail-above-fill", "1e-9"]);
    assert_eq!(done.status.code(), Some(1));
    both_are_harmless("too full", &done);
}

#[test]
fn what_is_no_file_is_named_without_its_control_characters() {
    let folder = Folder::new();
    for args in [
        vec!["inspect", WILD],
        vec!["check", WILD, "keys"],
        vec!["report", WILD],
        vec!["compare", WILD, WILD],
        vec!["gate", "--define", WILD],
        vec!["evaluate", "fpr", "--keys", WILD],
        vec!["evaluate", "--filters", WILD],
        vec!["recommend", "--use-case", WILD],
        vec!["recommend", "--use-case", &format!("{WILD}.toml")],
        vec!["build", "keys", &format!("-ono/such/{WILD}")],
        vec!["evaluate", WILD],
        vec!["theory", "--filter", WILD],
        vec![WILD],
    ] {
        let done = run(&folder, &args);
        assert_eq!(done.status.code(), Some(2), "{args:?}");
        both_are_harmless(args[0], &done);
        assert!(!done.stderr.is_empty());
    }
}

#[test]
fn a_report_of_keys_with_a_wild_name_is_harmless() {
    let folder = Folder::new();
    let keys: String = (0..30_000).map(|i| format!("key {i}\n")).collect();
    fs::write(folder.at(WILD), keys).unwrap();
    let line = "evaluate fpr --quick --filters standard --capacity 1000 --out made --datasets keys";
    let args: Vec<&str> = line.split(' ').chain(["--keys", WILD]).collect();
    let done = run(&folder, &args);
    assert_eq!(done.status.code(), Some(0));
    both_are_harmless("fpr", &done);
    let made = folder.at("made");
    for page in ["README.md", "run.json"] {
        is_harmless(page, &fs::read(made.join(page)).unwrap());
    }
    for records in fs::read_dir(made.join("records")).unwrap() {
        let records = records.unwrap().path();
        is_harmless(&records.display().to_string(), &fs::read(&records).unwrap());
    }
}

/// Names in a definition would appear in records, pages and files for other programs.
#[test]
fn a_definition_with_a_wild_name_is_rejected() {
    let folder = Folder::new();
    // The name in TOML's notation.
    let wild = format!("{WILD:?}").replace("\\u{", "\\U").replace('}', "");
    let wild = ["1b", "7", "9b", "202e", "61c"]
        .into_iter()
        .fold(wild, |wild, code| {
            wild.replace(&format!("\\U{code}"), &format!("\\U{code:0>8}"))
        });
    let experiment = |name: &str, title: &str| {
        format!(
            "name = {name}\ntitle = {title}\nanalysis = \"a\"\ndatasets = [\"words\"]\nseconds = {{ \
             quick = 1, default = 1, full = 1 }}\n[memory]\nfilters = [\"ours\"]\ncapacities = \
             [1]\ntarget_fprs = [0.01]\n"
        )
    };
    let gate = |name: &str, set: &str| {
        format!(
            "capacity = 10\nfpr = 0.01\nkeys = {set}\n[key_sets]\n{set} = {{ generator = \
             \"uuid\" }}\n[[filter]]\nfilter = \"standard\"\nname = {name}\n"
        )
    };
    for (command, definition, what) in [
        ("evaluate", experiment(&wild, "\"t\""), "the name"),
        ("evaluate", experiment("\"n\"", &wild), "the title"),
        ("gate", gate(&wild, "\"set\""), "the filter"),
        ("gate", gate("\"n\"", &wild), "the key set"),
    ] {
        fs::write(folder.at("d.toml"), definition).unwrap();
        let gate = " --tiers exact --accept --reason r --baseline b";
        let more = if command == "gate" { gate } else { "" };
        let line = format!("{command} --define d.toml --quick --out out{more}");
        let done = folder.run(&line);
        let said = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{command}, {what}: {said}");
        assert!(
            said.contains(what) && said.contains("control character"),
            "{said}"
        );
        both_are_harmless(what, &done);
        assert!(!folder.at("out").exists() && !folder.at("b").exists());
    }
}
