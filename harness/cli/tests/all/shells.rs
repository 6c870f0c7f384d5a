//! Tests of help texts and of shell completions.

use std::{
    io::Write as _,
    process::{Command, Stdio},
};

use super::support::good;

/// Help texts fit the narrowest common terminal.
#[test]
fn every_help_fits_80_columns() {
    let mut pages = vec!["-h".to_owned(), "--help".to_owned()];
    for command in commands() {
        pages.extend(["-h", "--help"].map(|help| format!("{command} {help}")));
    }
    for args in pages {
        for line in good(&args).lines() {
            assert!(line.chars().count() <= 80, "{args}: {line}");
        }
    }
}

/// The commands that `--help` lists.
fn commands() -> Vec<String> {
    let help = good("--help");
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
        let script = good(&format!("completions {shell}"));
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
    let script = good("completions bash");
    let mut input = bash.stdin.take().unwrap();
    input.write_all(script.as_bytes()).unwrap();
    drop(input);
    assert!(bash.wait().unwrap().success());
}
