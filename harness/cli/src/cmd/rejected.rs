//! Command lines that are none, in the words of clap.

use std::process::ExitCode;

use clap::{ColorChoice, ValueEnum as _, builder::Styles, error::ErrorKind};

use super::program;
use crate::output::{UNUSABLE, print_styled, tell, tell_error};

/// What was given to the program.
fn words() -> impl Iterator<Item = String> {
    let words = std::env::args_os().skip(1);
    words.map(|word| word.to_string_lossy().into_owned())
}

/// The colours of a help, which is printed before anything is parsed.
fn colours() -> ColorChoice {
    let mut words = words().skip_while(|word| !word.starts_with("--color"));
    let given = words.next().and_then(|word| match word.split_once('=') {
        Some((_, value)) => Some(value.to_owned()),
        None => words.next(),
    });
    let given = given.and_then(|value| ColorChoice::from_str(&value, false).ok());
    given.unwrap_or_default()
}

/// A help or the version, which clap hands over as errors.
pub fn shown(help: &clap::Error) -> ExitCode {
    match print_styled(&help.render().ansi().to_string(), colours()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tell_error(&error);
            ExitCode::from(UNUSABLE)
        }
    }
}

/// Wrong usage, in one line. It is parsed again without the colours of clap: what was given is in
/// the words, and may have some of its own.
pub fn rejected(error: clap::Error) -> ExitCode {
    let plain = program().styles(Styles::plain());
    let error = plain.clone().try_get_matches().err().unwrap_or(error);
    let text = error.render().ansi().to_string();
    let ends = ["\n\nUsage: ", "\n\nFor more information"].map(|end| text.find(end));
    let end = ends.into_iter().flatten().min().unwrap_or(text.len());
    // The parser of a value has said what to give, and so have a tip and a list.
    let has_advice = ["tip: ", "[possible values: "];
    let has_advice = has_advice.iter().any(|advice| text.contains(advice));
    let message = text[..end]
        .trim_start_matches("error: ")
        .replace("\n\n  tip: ", "; ");
    let mut message = message.split_whitespace().collect::<Vec<_>>().join(" ");
    if error.kind() != ErrorKind::ValueValidation && !has_advice {
        let command = words().find(|word| plain.find_subcommand(word).is_some());
        let command = command.map_or_else(String::new, |name| format!(" {name}"));
        message += &format!("; `bouquet{command} --help` shows all");
    }
    tell(&format!("bouquet: {message}"));
    ExitCode::from(UNUSABLE)
}
