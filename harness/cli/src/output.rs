//! Standard output, standard error and the exit codes.

use std::{
    env,
    ffi::OsString,
    io::{self, ErrorKind, IsTerminal, Write},
    sync::OnceLock,
};

use anstream::{AutoStream, ColorChoice as Colours};
use anyhow::{Context, Result};
use clap::{ColorChoice, ValueEnum};

use bouquet_record::{Outcome, detailed::Detailed, line::clean};
use bouquet_report::{
    columns::Table,
    markdown,
    terminal::{self, Screen},
};

/// The exit code of a negative verdict.
pub const NEGATIVE: u8 = 1;
/// The exit code of wrong usage and of wrong input.
pub const UNUSABLE: u8 = 2;

/// The format of a table on standard output.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    Table,
    Json,
    Csv,
    Md,
}

impl Format {
    /// Formats the table as text that ends with a line break. Only JSON contains the verdict.
    pub fn text(self, table: &Table, verdict: Option<Outcome>) -> Result<String> {
        Ok(match self {
            Self::Table => terminal::table(table, screen()),
            Self::Json => table.json(verdict)?,
            Self::Csv => table.csv()?,
            Self::Md => markdown::table(table),
        })
    }
}

/// Writes to standard output. It is not an error if the reader has closed the pipe.
pub fn print(text: &str) -> Result<()> {
    shown(io::stdout().lock().write_all(text.as_bytes()))
}

/// Adds context to an error of writing to standard output. A closed pipe is not an error.
pub fn shown(written: io::Result<()>) -> Result<()> {
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written.context("cannot write to standard output"),
    }
}

/// The message of a usage error on one line, without clap's usage text.
pub fn in_one_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    // The third text begins clap's tip to pass an unknown flag as a value, which no user wants.
    let ends = [
        "\n\nUsage: ",
        "\n\nFor more information",
        "\n\n  tip: to pass",
    ];
    let ends = ends.map(|end| text.find(end));
    let end = ends.into_iter().flatten().min().unwrap_or(text.len());
    let message = text[..end].trim_start_matches("error: ");
    let message = message.replace("\n\n  tip: ", "; ");
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Writes a message to standard error, without control characters. Errors in writing are ignored,
/// since there is nowhere to report them.
pub fn tell(words: &str) {
    let words = one_line_each(words, env::args_os().skip(1));
    let lines: Vec<_> = words.split('\n').map(clean).collect();
    let _ = writeln!(io::stderr(), "{}", lines.join("\n"));
}

/// Prints an error. With `-v`, also prints its details; without `-v`, says that there are details.
pub fn tell_error(error: &anyhow::Error) {
    let more = match (Detailed::of(error), Settings::given().verbose) {
        (Some(details), true) => format!("\n{details}"),
        (Some(_), false) => "; -v says more".into(),
        (None, _) => String::new(),
    };
    tell(&format!("bouquet: {}{more}", in_words(error)));
}

/// Writes a message to standard error, except with `--quiet`.
pub fn say(text: &str) {
    if !Settings::given().quiet {
        tell(text);
    }
}

/// Removes line ends from the parts of a message that repeat arguments of the command line, such as
/// file names, so that the remaining line ends are the program's own.
fn one_line_each(words: &str, given: impl Iterator<Item = OsString>) -> String {
    given.fold(words.to_owned(), |words, given| {
        let given = given.to_string_lossy();
        // An argument is a value, `--flag=value` or `-fvalue`.
        let long = given.split_once('=').map_or("", |(_, value)| value);
        let values = [&given, long, given.get(2..).unwrap_or("")];
        // A message may contain a single element of a comma-separated argument.
        let parts = values.iter().flat_map(|value| value.split(','));
        let wild = parts.filter(|part| clean(part) != **part);
        wild.fold(words, |words, part| words.replace(part, &clean(part)))
    })
}

/// The error and its causes as one text. In an error of the operating system, advice for the user
/// replaces the error number.
pub fn in_words(error: &anyhow::Error) -> String {
    let words = error.chain().map(|cause| match cause.downcast_ref() {
        Some(error) => of_the_system(error),
        None => cause.to_string(),
    });
    words.collect::<Vec<_>>().join(": ")
}

/// The text of the error, with advice for the user instead of the error number.
fn of_the_system(error: &io::Error) -> String {
    let text = error.to_string();
    let words = text.split_once(" (os error ");
    let words = words.map(|(words, _)| words.to_lowercase());
    match (error.kind(), words) {
        (ErrorKind::StorageFull, Some(words)) => {
            format!("{words}; make room, or name another place")
        }
        (ErrorKind::InvalidData, _) if text.contains("UTF-8") => {
            "it is not UTF-8; name another file".into()
        }
        (ErrorKind::NotADirectory, _) => {
            "a part of the path is a file, not a directory; check the path".into()
        }
        (_, Some(words)) => format!("{words}; check the path"),
        (ErrorKind::NotFound, None) => format!("{text}; check the path"),
        (_, None) => text,
    }
}

/// Options of every command.
#[derive(clap::Args, Clone, Copy, Default, Debug)]
pub struct Settings {
    /// Print only errors to standard error.
    #[arg(short, long, global = true, display_order = 199)]
    pub quiet: bool,
    /// Print more, such as the details of an error.
    #[arg(short, long, global = true, display_order = 200)]
    pub verbose: bool,
    /// Whether to use colours; by default on a terminal, unless NO_COLOR, CLICOLOR_FORCE or TERM
    /// say otherwise.
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    #[arg(global = true, display_order = 201)]
    pub color: ColorChoice,
    /// Print all columns of a table, even if the terminal is narrower.
    #[arg(long, global = true, display_order = 202)]
    pub wide: bool,
}

static GIVEN: OnceLock<Settings> = OnceLock::new();

impl Settings {
    /// Sets the settings for the rest of the run; later calls have no effect.
    pub fn keep(self) {
        let _ = GIVEN.set(self);
    }

    pub fn given() -> Self {
        GIVEN.get().copied().unwrap_or_default()
    }
}

/// Whether standard output shows colours, and how wide it is; `None` means that any width fits.
pub fn screen() -> Screen {
    let settings = Settings::given();
    Screen {
        colour: match settings.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => AutoStream::choice(&io::stdout()) != Colours::Never,
        },
        width: width().filter(|_| !settings.wide),
    }
}

/// The width of the terminal; `None` if standard output is not a terminal. If the terminal does not
/// report its width, the environment variable `COLUMNS` is used.
pub fn width() -> Option<usize> {
    if !io::stdout().is_terminal() {
        return None;
    }
    let said = || env::var("COLUMNS").ok()?.parse().ok();
    let own = terminal_size::terminal_size().map(|(width, _)| width.0.into());
    own.or_else(said).filter(|width| *width > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_the_system_has_no_number_and_says_what_to_do() {
        let missing = io::Error::from_raw_os_error(2).into();
        assert_eq!(
            in_words(&missing),
            "no such file or directory; check the path"
        );
        let full = in_words(&io::Error::from_raw_os_error(28).into());
        assert!(
            full.contains("no space left") && full.contains("make room"),
            "{full}"
        );
        assert_eq!(
            in_words(&io::Error::from_raw_os_error(40).into()),
            "too many levels of symbolic links; check the path"
        );
        let other: Result<()> = Err(io::Error::other("odd")).context("cannot read a");
        assert_eq!(in_words(&other.unwrap_err()), "cannot read a: odd");
    }
}
