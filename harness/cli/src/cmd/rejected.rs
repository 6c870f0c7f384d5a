//! Command lines that are none.

use std::process::ExitCode;

use clap::{
    ColorChoice, Command, ValueEnum as _,
    builder::Styles,
    error::{ContextKind, ContextValue, ErrorKind},
};

use super::program;
use crate::output::{UNUSABLE, print_styled, tell, tell_error};
use bouquet_ground::{
    line::clean,
    unknown::{meant, one_of},
};

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

/// What is wrong where an option of `evaluate` comes before any command, as in older records.
fn without_command(program: &Command) -> Option<String> {
    let is_setting = |word: &str| {
        let short = word.strip_prefix('-').unwrap_or_default();
        let is_short = !short.is_empty() && short.chars().all(|c| matches!(c, 'q' | 'v'));
        is_short || matches!(word, "--quiet" | "--verbose" | "--wide")
    };
    let mut words = words();
    let option = loop {
        match &*words.next()? {
            // Those of every command.
            "--color" => drop(words.next()),
            word if is_setting(word) || word.starts_with("--color=") => {}
            "-h" | "--help" | "-V" | "--version" => return None,
            word if !word.starts_with('-') => return None,
            word => break clean(word),
        }
    };
    let (name, _) = option.split_once('=').unwrap_or((&option, ""));
    let is_own = |arg: &clap::Arg| {
        let long = arg.get_long().map(|long| format!("--{long}"));
        let short = arg.get_short().map(|short| format!("-{short}"));
        [long, short].iter().flatten().any(|own| own == name)
    };
    let evaluate = program.find_subcommand("evaluate")?;
    evaluate
        .get_arguments()
        .any(is_own)
        .then(|| format!("{name} needs a command before it: bouquet evaluate {name} …"))
}

/// The command that was given, or the program itself, and its name; an option belongs to
/// what comes before it.
fn command<'c>(program: &'c Command, option: Option<&str>) -> (&'c Command, String) {
    let whole = (program, "bouquet".to_owned());
    let option = option.filter(|option| option.starts_with('-'));
    let before = words().take_while(|word| option.is_none_or(|option| !word.starts_with(option)));
    before.fold(whole, |(command, name), word| {
        match command.find_subcommand(&word) {
            Some(sub) => (sub, format!("{name} {word}")),
            None => (command, name),
        }
    })
}

/// What there is instead of a name that nothing has.
fn unknown(what: &str, name: &str, known: &[&str], command: &str) -> String {
    let name = clean(name);
    let hint = meant(name.trim_start_matches('-'), known.iter().copied());
    let dashes = if name.starts_with("--") { "--" } else { "" };
    match hint {
        Some(hint) => format!("{name} is no {what} of {command}: did you mean {dashes}{hint}?"),
        None => format!("{name} is no {what} of {command}: `{command} --help` shows all"),
    }
}

/// Names that are wrong, in our own words: those of clap offer what is not alike, and all
/// values however many.
fn wrong_name(error: &clap::Error, program: &Command) -> Option<String> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(&**text),
        _ => None,
    };
    let unknown_option = matches!(error.kind(), ErrorKind::UnknownArgument);
    let option = text(ContextKind::InvalidArg).filter(|_| unknown_option);
    let (command, name) = command(program, option);
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let given = text(ContextKind::InvalidArg)?;
            let options = command.get_arguments().filter(|arg| !arg.is_hide_set());
            let known: Vec<&str> = options.filter_map(clap::Arg::get_long).collect();
            let what = if given.starts_with('-') {
                "option"
            } else {
                "argument"
            };
            Some(unknown(what, given, &known, &name))
        }
        ErrorKind::InvalidSubcommand => {
            let given = text(ContextKind::InvalidSubcommand)?;
            let all = command.get_subcommands().filter(|sub| !sub.is_hide_set());
            let known: Vec<&str> = all.map(Command::get_name).collect();
            Some(unknown("command", given, &known, &name))
        }
        ErrorKind::InvalidValue => {
            let given = text(ContextKind::InvalidValue).filter(|given| !given.is_empty())?;
            let option = text(ContextKind::InvalidArg)?;
            let Some(ContextValue::Strings(known)) = error.get(ContextKind::ValidValue) else {
                return None;
            };
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let words = format!("invalid value '{}' for '{option}': ", clean(given));
            let others = format!("`{name} --help` shows all");
            Some(one_of(&words, given, &known, &others))
        }
        _ => None,
    }
}

/// The words of clap in one line, without how the command is used: where that is said is
/// enough.
fn in_one_line(error: &clap::Error, program: &Command) -> String {
    let text = error.render().ansi().to_string();
    let ends = ["\n\nUsage: ", "\n\nFor more information"].map(|end| text.find(end));
    let end = ends.into_iter().flatten().min().unwrap_or(text.len());
    let words = text[..end].trim_start_matches("error: ");
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    match error.kind() {
        // The parser of the value has said what to give.
        ErrorKind::ValueValidation => words,
        _ => format!("{words}; `{} --help` shows all", command(program, None).1),
    }
}

/// No value is repeated further: nobody reads a longer one.
const LONGEST: usize = 60;

/// The words with the beginning of each long value that was given.
fn shortened(text: String) -> String {
    words().fold(text, |text, given| {
        let value = given.split_once('=').map_or(&*given, |(_, value)| value);
        match value.char_indices().nth(LONGEST) {
            Some((end, _)) => text.replace(&clean(value), &format!("{}…", clean(&value[..end]))),
            None => text,
        }
    })
}

/// Wrong usage, without the colours of clap: what was given is in the words, and may have
/// some of its own.
pub fn rejected(error: clap::Error) -> ExitCode {
    let mut plain = program().styles(Styles::plain());
    plain.build();
    let error = plain.clone().try_get_matches().err().unwrap_or(error);
    let words = without_command(&plain).or_else(|| wrong_name(&error, &plain));
    let words = words.unwrap_or_else(|| in_one_line(&error, &plain));
    tell(&format!("bouquet: {}", shortened(words)));
    ExitCode::from(UNUSABLE)
}
