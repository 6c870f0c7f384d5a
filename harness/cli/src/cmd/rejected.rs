//! Command lines that are none.

use std::process::ExitCode;

use clap::{ColorChoice, ValueEnum as _, builder::Styles};

use super::program;
use crate::output::{UNUSABLE, tell};
use bouquet_ground::line::clean;

/// What was given to the program.
fn words() -> impl Iterator<Item = String> {
    let words = std::env::args_os().skip(1);
    words.map(|word| word.to_string_lossy().into_owned())
}

/// The colours of a help, which is printed before anything is parsed.
pub fn colours() -> ColorChoice {
    let mut words = words().skip_while(|word| !word.starts_with("--color"));
    let given = words.next().and_then(|word| match word.split_once('=') {
        Some((_, value)) => Some(value.to_owned()),
        None => words.next(),
    });
    let given = given.and_then(|value| ColorChoice::from_str(&value, false).ok());
    given.unwrap_or_default()
}

/// What is wrong where an option comes before any command, as it might have in older
/// records.
fn without_command() -> Option<String> {
    let mut words = words();
    let option = loop {
        match &*words.next()? {
            // Those of every command.
            "--color" => drop(words.next()),
            "-v" | "--verbose" | "--wide" => {}
            word if word.starts_with("--color=") => {}
            "-h" | "--help" | "-V" | "--version" => return None,
            word if !word.starts_with('-') => return None,
            word => break clean(word),
        }
    };
    Some(format!(
        "bouquet: {option} needs a command before it: bouquet evaluate {option} …"
    ))
}

/// Wrong usage, in the words of clap without its colours: what was given is among them,
/// and may have some of its own.
pub fn rejected(error: clap::Error) -> ExitCode {
    if let Some(words) = without_command() {
        tell(&words);
        return ExitCode::from(UNUSABLE);
    }
    let plain = program().styles(Styles::plain()).try_get_matches();
    let error = plain.err().unwrap_or(error);
    tell(error.render().ansi().to_string().trim_end());
    ExitCode::from(UNUSABLE)
}
