//! What shells read.

use std::{
    io::Write as _,
    process::{Command, Output, Stdio},
};

fn bouquet(args: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_bouquet"));
    program.args(args).output().unwrap()
}

fn printed(args: &[&str]) -> String {
    let output = bouquet(args);
    assert_eq!(output.status.code(), Some(0), "{args:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// All that is printed of the program itself, by arguments.
fn pages() -> Vec<Vec<String>> {
    let of = |args: &[&str]| args.iter().map(|&arg| arg.to_owned()).collect();
    let mut pages = vec![of(&[]), of(&["-h"]), of(&["--help"])];
    for command in commands() {
        pages.extend([of(&[&command, "-h"]), of(&[&command, "--help"])]);
    }
    pages.extend(["bash", "zsh", "fish"].map(|shell| of(&["completions", shell])));
    pages
}

/// A help is set for the narrowest terminal that is usual.
#[test]
fn every_help_fits_80_columns() {
    let mut helps = 0;
    for args in pages() {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        if args.first() == Some(&"completions") && !args[1].starts_with('-') {
            continue;
        }
        for line in printed(&args).lines() {
            assert!(line.chars().count() <= 80, "{args:?}: {line}");
        }
        helps += 1;
    }
    assert!(helps > 30, "{helps}");
}

#[test]
fn a_locale_of_ascii_gets_no_other_character_of_any_page() {
    let mut others = 0;
    for args in pages() {
        let run = |locale| {
            let mut program = Command::new(env!("CARGO_BIN_EXE_bouquet"));
            program.args(&args).env("LC_ALL", locale).output().unwrap()
        };
        let [plain, whole] = ["C", "C.UTF-8"].map(run);
        assert!(plain.stdout.is_ascii(), "{args:?}");
        others += usize::from(!whole.stdout.is_ascii());
    }
    assert!(others > 10, "{others}");
}

/// The commands that `--help` names.
fn commands() -> Vec<String> {
    let help = printed(&["--help"]);
    let list = help.lines().take_while(|line| *line != "Options:");
    let names = list.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names
        .filter(|name| name.starts_with(char::is_alphabetic) && *name != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_shell_learns_every_command() {
    let commands = commands();
    assert!(commands.len() > 10, "{commands:?}");
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = printed(&["completions", shell]);
        for command in &commands {
            assert!(script.contains(command), "{shell}: {command}");
        }
        assert!(script.contains("fail-above-fpr"), "{shell}");
    }
}

#[test]
fn bash_reads_its_script() {
    let mut bash = Command::new("bash");
    let mut bash = bash.arg("-n").stdin(Stdio::piped()).spawn().unwrap();
    let script = printed(&["completions", "bash"]);
    let mut input = bash.stdin.take().unwrap();
    input.write_all(script.as_bytes()).unwrap();
    drop(input);
    assert!(bash.wait().unwrap().success());
}

#[test]
fn what_is_no_shell_is_rejected_by_name() {
    let output = bouquet(&["completions", "tcsh"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("tcsh"), "{said}");
}
