//! What shells read.

use std::{
    io::Write as _,
    process::{Command, Stdio},
};

use super::support::good;

/// All that is printed of the program itself, by arguments.
fn pages() -> Vec<String> {
    let mut pages = vec![String::new(), "-h".to_owned(), "--help".to_owned()];
    for command in commands() {
        pages.extend(["-h", "--help"].map(|help| format!("{command} {help}")));
    }
    pages.extend(["bash", "zsh", "fish"].map(|shell| format!("completions {shell}")));
    pages
}

/// A help is set for the narrowest terminal that is usual, and in the characters that the
/// locale has.
#[test]
fn every_help_fits_80_columns_and_is_ascii_where_the_locale_is() {
    let (mut helps, mut others) = (0, 0);
    for args in pages() {
        let run = |locale| {
            let mut program = Command::new(env!("CARGO_BIN_EXE_bouquet"));
            let program = program.args(args.split_whitespace()).env("LC_ALL", locale);
            String::from_utf8(program.output().unwrap().stdout).unwrap()
        };
        let [plain, whole] = ["C", "C.UTF-8"].map(run);
        assert!(plain.is_ascii(), "{args}");
        others += usize::from(!whole.is_ascii());
        if !args.starts_with("completions ") || args.contains('-') {
            for line in whole.lines() {
                assert!(line.chars().count() <= 80, "{args}: {line}");
            }
            helps += 1;
        }
    }
    assert!(helps > 20 && others > 10, "{helps} {others}");
}

/// The commands that `--help` names.
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
