//! What shells and `man` read.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

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
    assert!(commands.len() > 20, "{commands:?}");
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = printed(&["completions", shell]);
        for command in &commands {
            assert!(script.contains(command), "{shell}: {command}");
        }
        assert!(script.contains("false-positive-loses"), "{shell}");
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
fn every_command_has_a_page() {
    let page = printed(&["man"]);
    for command in commands() {
        assert!(page.contains(&command), "{command}");
        let own = printed(&["man", &command]);
        let title = format!(".TH bouquet-{command} 1");
        assert!(own.contains(&title), "{command}: {own}");
    }
}

#[test]
fn what_is_no_shell_and_no_command_is_rejected_by_name() {
    for (args, named) in [
        (["completions", "tcsh"], "tcsh"),
        (["man", "judge"], "judge is no command of bouquet"),
    ] {
        let output = bouquet(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(named), "{said}");
    }
}
