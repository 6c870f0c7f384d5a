//! Output on a terminal: fitted to its width, in colour if allowed, and in a suitable character
//! set.
#![cfg(unix)]

use std::{
    ffi::OsStr,
    fs::File,
    io::Read as _,
    os::unix::ffi::OsStrExt as _,
    path::Path,
    process::{Command, Stdio},
};

use rustix::{
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{Winsize, tcsetwinsize},
};

use super::support::{Folder, stderr};

const ESCAPE: char = '\u{1b}';

/// The program in a folder, with no environment variables about terminals except these.
fn program(folder: &Path, line: &str, environment: &[(&str, &str)]) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_bouquet"));
    program
        .args(line.split_whitespace())
        .current_dir(folder)
        .stdin(Stdio::null());
    for name in [
        "COLUMNS",
        "NO_COLOR",
        "CLICOLOR",
        "CLICOLOR_FORCE",
        "CI",
        "LC_ALL",
        "LC_CTYPE",
    ] {
        program.env_remove(name);
    }
    program.env("TERM", "xterm").env("LANG", "C.UTF-8");
    program.envs(environment.iter().copied());
    program
}

/// The output on a pipe.
fn piped(folder: &Path, line: &str, environment: &[(&str, &str)]) -> String {
    let output = program(folder, line, environment).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{line}: {}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// The output on a terminal of this size, the exit code, and standard error.
fn ended(
    folder: &Path,
    line: &str,
    (rows, columns): (u16, u16),
    environment: &[(&str, &str)],
) -> (String, Option<i32>, String) {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&ours).unwrap();
    unlockpt(&ours).unwrap();
    let name = ptsname(&ours, Vec::new()).unwrap();
    let path = Path::new(OsStr::from_bytes(name.to_bytes()));
    let theirs = File::options().read(true).write(true).open(path).unwrap();
    let size = Winsize {
        ws_row: rows,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(&theirs, size).unwrap();
    let mut command = program(folder, line, environment);
    let mut child = command
        .stdout(theirs)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // `command` also holds the terminal open, so the read below would never end.
    drop(command);
    let mut all = Vec::new();
    // On Linux, reading fails when the last writer has closed the terminal.
    let _ = File::from(ours).read_to_end(&mut all);
    let mut errors = String::new();
    let mut stderr = child.stderr.take().unwrap();
    stderr.read_to_string(&mut errors).unwrap();
    let code = child.wait().unwrap().code();
    let shown = String::from_utf8(all).unwrap().replace("\r\n", "\n");
    (shown, code, errors)
}

fn shown(folder: &Path, line: &str, columns: u16, environment: &[(&str, &str)]) -> String {
    let (shown, code, errors) = ended(folder, line, (24, columns), environment);
    assert_eq!(code, Some(0), "{line}: {errors}");
    shown
}

/// A folder with a filter of 1,000 keys.
fn folder() -> Folder {
    let folder = Folder::new();
    let keys: String = (0..1_000).map(|i| format!("key {i}\n")).collect();
    folder.file("keys.txt", keys);
    folder.good("build -q -o filter keys.txt");
    folder
}

/// Commands that print only tables.
const TABLES: [&str; 3] = [
    "theory --capacity 1e6 --fpr 0.01",
    "theory --filter standard,blocked,cuckoo --capacity 1e6 --bits-per-key 8..12",
    "inspect filter",
];

/// The width of a table's widest line, without the line that names the left-out columns.
fn widest(text: &str) -> usize {
    let of_the_table = |line: &&str| !line.starts_with("too wide for the terminal: ");
    let lines = text.lines().filter(of_the_table);
    lines.map(|one| one.chars().count()).max().unwrap()
}

#[test]
fn a_table_is_as_wide_as_the_terminal() {
    let folder = folder();
    for line in TABLES {
        let whole = piped(folder.root(), line, &[]);
        for columns in [20, 80, 300] {
            let shown = shown(folder.root(), line, columns, &[]);
            assert!(widest(&shown) <= columns.into(), "{line}: {shown}");
            if widest(&whole) <= columns.into() {
                assert_eq!(shown, whole, "{line}");
            }
        }
        let wide = format!("--wide {line}");
        assert_eq!(shown(folder.root(), &wide, 20, &[]), whole, "{line}");
    }
}

#[test]
fn a_help_is_as_wide_as_the_terminal() {
    let folder = folder();
    for columns in [40, 80, 300] {
        let help = shown(folder.root(), "--help", columns, &[("NO_COLOR", "1")]);
        // Two kinds of line may be wider than the terminal: the usage, and long names.
        let long = |one: &str| one.starts_with("Usage: ") || one.ends_with(" CLICOLOR_FORCE");
        let lines = help.lines().filter(|one| !long(one));
        let widest = lines.map(|one| one.chars().count()).max().unwrap();
        assert!(widest <= columns.min(80).into(), "at {columns}: {help}");
        for what in ["evaluate", "recommend", "Exit codes:", "130"] {
            assert!(help.contains(what), "at {columns}: {what}: {help}");
        }
    }
}

/// If a terminal does not report its width, an environment variable can give it.
#[test]
fn a_terminal_need_not_know_its_size() {
    let folder = folder();
    let width = |size, columns| {
        let (shown, ..) = ended(folder.root(), TABLES[1], size, &[("COLUMNS", columns)]);
        widest(&shown)
    };
    let whole = widest(&piped(folder.root(), TABLES[1], &[]));
    assert!(width((0, 0), "40") <= 40);
    assert_eq!([width((0, 0), "wide"), width((24, 300), "40")], [whole; 2]);
}

#[test]
fn a_verdict_has_a_colour_where_one_is_wanted() {
    let folder = Folder::with_report();
    let report = "report report --out again";
    for (more, environment, on_terminal, on_pipe) in [
        ("", &[][..], true, false),
        ("", &[("NO_COLOR", "1")], false, false),
        ("", &[("CLICOLOR_FORCE", "1")], true, true),
        ("--color never", &[("CLICOLOR_FORCE", "1")], false, false),
        ("--color always", &[("NO_COLOR", "1")], true, true),
        ("--color always --format json", &[], false, false),
    ] {
        let line = format!("{report} {more}");
        let what = format!("{line} in {environment:?}");
        // Output for programs has no colours on any device.
        let shown = shown(folder.root(), &line, 80, environment);
        let painted = format!("{ESCAPE}[1;32m✓ Pass: ");
        assert_eq!(
            shown.starts_with(&painted),
            on_terminal,
            "{what}: {shown:?}"
        );
        let piped = piped(folder.root(), &line, environment);
        assert_eq!(piped.contains(ESCAPE), on_pipe, "{what}: {piped:?}");
    }
}

#[test]
fn a_terminal_gets_no_filter() {
    let folder = folder();
    for line in ["build -o - keys.txt", "union -o - filter"] {
        let (shown, code, errors) = ended(folder.root(), line, (24, 80), &[]);
        assert_eq!((&*shown, code), ("", Some(2)), "{line}: {errors}");
        assert!(
            errors.contains("-o -: standard output is a terminal"),
            "{line}: {errors}"
        );
    }
    let mut command = program(folder.root(), "build -q -o - keys.txt", &[]);
    let bytes = command.output().unwrap().stdout;
    assert_eq!(bytes, std::fs::read(folder.at("filter")).unwrap());
}
