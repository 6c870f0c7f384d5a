//! Messages about invalid command lines, based on clap's.

use std::process::ExitCode;

use bouquet_lab::experiment::Experiment;
use clap::{
    ColorChoice, ValueEnum as _,
    builder::Styles,
    error::{ContextKind, ContextValue, ErrorKind},
};

use super::{evaluate::PEERS, program};
use crate::output::{UNUSABLE, print_styled, tell, tell_error};

/// The arguments that the program was given.
fn words() -> impl Iterator<Item = String> {
    let words = std::env::args_os().skip(1);
    words.map(|word| word.to_string_lossy().into_owned())
}

/// Whether to colour a help text, which is printed before any argument is parsed.
fn colours() -> ColorChoice {
    let mut words = words().skip_while(|word| !word.starts_with("--color"));
    let given = words.next().and_then(|word| match word.split_once('=') {
        Some((_, value)) => Some(value.to_owned()),
        None => words.next(),
    });
    let given = given.and_then(|value| ColorChoice::from_str(&value, false).ok());
    given.unwrap_or_default()
}

/// Prints a help text or the version, which clap returns as errors.
pub fn shown(help: &clap::Error) -> ExitCode {
    match print_styled(&help.render().ansi().to_string(), colours()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tell_error(&error);
            ExitCode::from(UNUSABLE)
        }
    }
}

/// Prints a usage error on one line. The command line is parsed again without clap's colours, since
/// the message repeats arguments that may contain escape sequences of their own.
pub fn rejected(error: clap::Error) -> ExitCode {
    let plain = program().styles(Styles::plain());
    let error = plain.clone().try_get_matches().err().unwrap_or(error);
    if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand)
        && (word == PEERS || Experiment::chosen(&[], std::slice::from_ref(word)).is_ok())
    {
        tell(&format!(
            "bouquet: {word} is no command: use `bouquet evaluate {word}`"
        ));
        return ExitCode::from(UNUSABLE);
    }
    let text = error.render().ansi().to_string();
    let ends = ["\n\nUsage: ", "\n\nFor more information"].map(|end| text.find(end));
    let end = ends.into_iter().flatten().min().unwrap_or(text.len());
    // Errors of value parsers, tips and lists of possible values already say what to do.
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
