//! Messages for unusual input: each names what was given, says what is wrong and what to do, and is
//! short enough to be read.
//!
//! The expected messages are in data/snapshots/messages.txt; update them by
//! `BOUQUET_SNAPSHOTS=write cargo test -p bouquet-cli --test all messages::`.
#![cfg(unix)]

mod inputs;

use std::fs;

use super::support::{Folder, root, stderr};

/// The longest message that is acceptable, in characters.
const LONGEST: usize = 200;

/// The folder in which the program runs, with files of all kinds.
fn folder() -> Folder {
    let folder = Folder::new();
    let write = |name: &str, text: &[u8]| drop(folder.file(name, text));
    let keys: String = (1..=1_000).map(|i| format!("key {i}\n")).collect();
    write("keys.txt", keys.as_bytes());
    write("notes.txt", b"Dear reader,\nthese are notes.\n");
    write("five", b"abcde");
    write("empty.txt", b"");
    write("nothex.txt", b"zz\n");
    write("broken.toml", b"# A comment.\nnonsense = 1\n");
    write("workload.toml", b"capacity = \"many\"\n");
    write("secret", b"00112233445566778899aabbccddeeff\n");
    write("bad-secret", b"short\n");
    fs::create_dir(folder.at("folder")).unwrap();
    fs::create_dir(folder.at("torn")).unwrap();
    write("torn/run.json", b"{\n  \"program\": \"bouquet\",\n  \"sub");
    std::os::unix::fs::symlink("nowhere", folder.at("dangling")).unwrap();
    for made in [
        "-o std.bouquet",
        "-o counting.bouquet --filter counting",
        "-o large.bouquet --capacity 2000",
        "-o seeded.bouquet --seed 5",
        "-o blocked.bouquet --filter blocked",
        "-o xxh3.bouquet --hasher xxh3",
        "-o keyed.bouquet --hasher sip-keyed --hash-key-file secret",
        "-o seen.go --to go",
        "-o seen.json --to go-json",
        "-o bitmap --to go-zero --bits 20000",
    ] {
        folder.good(&format!("build --quiet keys.txt {made}"));
    }
    let more = keys.replace("key", "more");
    write("more.txt", (keys + &more).as_bytes());
    let mut whole = fs::read(folder.at("std.bouquet")).unwrap();
    write("cut.bouquet", &whole[..100]);
    whole[200] ^= 0xff;
    write("damaged.bouquet", &whole);
    folder
}

/// A message that says what to do contains one of these.
const ADVICE: [&str; 34] = [
    "add ",
    "at least ",
    "at most ",
    "build ",
    "cannot be used with ",
    "check ",
    "choose ",
    "could be ",
    "give ",
    "Give ",
    "go to ",
    "--help` shows all",
    "leave ",
    "made by: ",
    "make ",
    "move ",
    "name ",
    "similar ",
    "nearest are ",
    "not provided:",
    "or say ",
    "--out",
    "pass ",
    "[possible values: ",
    "plan with ",
    "raise ",
    "remove ",
    "0.01 is 1 %",
    "such as ",
    "take ",
    "takes one of ",
    "there are ",
    "use ",
    "Possible: ",
];

/// The message without the name of the program in front of it.
fn message(text: &str) -> &str {
    let last = text.rsplit_once("\nbouquet: ").map(|(_, message)| message);
    let only = text.strip_prefix("bouquet: ");
    let message = last.or(only);
    let message = message.unwrap_or_else(|| panic!("who says so? {text}"));
    message.trim_end()
}

#[test]
fn every_message_is_short_and_names_what_was_given() {
    let folder = folder();
    assert!(inputs::ALL.len() >= 65, "{}", inputs::ALL.len());
    let before = folder.names();
    let (mut said, mut faults) = (String::new(), Vec::new());
    for (line, code, named) in inputs::ALL {
        let output = folder.run(line);
        let text = stderr(&output);
        said += &format!("$ bouquet {line}\n{text}\n");
        assert_eq!(output.status.code(), Some(*code), "{line}: {text}");
        let words = message(&text);
        let length = words.chars().count();
        if length > LONGEST {
            faults.push(format!("{line}: {length} characters: {words}"));
        }
        if words.contains('\n') {
            faults.push(format!("{line}: several lines: {words}"));
        }
        if !words.contains(named) {
            faults.push(format!("{line}: {named:?} is not named: {words}"));
        }
        if words.contains("os error") || !ADVICE.iter().any(|advice| words.contains(advice)) {
            faults.push(format!("{line}: what is there to do? {words}"));
        }
        let temporary = std::env::temp_dir().display().to_string();
        if words.contains(".tmp") || words.contains(&temporary) {
            faults.push(format!("{line}: a temporary file is named: {words}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    // Nothing was written or left behind.
    assert_eq!(folder.names(), before);
    is_as_it_was(&said);
}

/// Asserts that the messages equal those in the file, or updates the file if that is requested.
fn is_as_it_was(text: &str) {
    let path = root().join("harness/cli/tests/data/snapshots/messages.txt");
    if std::env::var_os("BOUQUET_SNAPSHOTS").is_some_and(|value| value == "write") {
        fs::write(&path, text).unwrap();
    }
    let was = fs::read_to_string(&path).unwrap_or_default();
    let ([now, was], mut inputs) = ([text, &was].map(|all| all.split("\n\n$ ")), 0);
    for (one, old) in now.zip(was) {
        assert_eq!(one, old);
        inputs += 1;
    }
    assert_eq!(inputs, text.split("\n\n$ ").count());
}

/// Details that are too long for a message are printed with the flag -v.
#[test]
fn details_are_behind_the_flag_for_them() {
    let folder = folder();
    for (line, detail) in [
        ("inspect notes.txt", "as parquet: byte 0"),
        ("evaluate --define broken.toml", "expected one of `name`"),
        ("gate --define broken.toml", "expected one of `capacity`"),
        ("recommend --capacity 1e6 --memory 10", "cuckoo: takes "),
    ] {
        let short = stderr(&folder.run(line));
        let first = short.strip_suffix("; -v says more\n").unwrap();
        assert!(!short.contains(detail), "{line}: {short}");
        let long = stderr(&folder.run(&format!("--verbose {line}")));
        assert!(long.starts_with(first) && long.contains(detail), "{long}");
    }
    // If the output cannot be written, that is reported before the keys are read.
    for line in [
        "build -o nowhere/out absent.txt",
        "union -o nowhere/out std.bouquet absent",
        "build -o folder absent.txt",
    ] {
        let said = stderr(&folder.run(line));
        assert!(said.starts_with("bouquet: cannot write "), "{line}: {said}");
    }
}
