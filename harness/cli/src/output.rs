//! What goes to standard output and to standard error, and the exit codes.

mod errors;
mod settings;

use std::{
    ffi::OsString,
    io::{self, ErrorKind, Write},
};

use anyhow::Result;
use clap::{ColorChoice, ValueEnum};

pub use self::errors::in_words;
use self::settings::is_coloured;
pub use self::settings::{Settings, screen, width};
use bouquet_ground::{Outcome, detailed::Detailed, line::clean};
use bouquet_render::{columns::Table, markdown, terminal};

/// The exit code of a negative verdict.
pub const NEGATIVE: u8 = 1;
/// That of wrong usage and wrong input.
pub const UNUSABLE: u8 = 2;

/// How a table goes to standard output.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    Table,
    Json,
    Csv,
    Md,
}

impl Format {
    /// The table, with a line end at the end; the verdict is in JSON alone.
    pub fn text(self, table: &Table, verdict: Option<Outcome>) -> Result<String> {
        Ok(match self {
            Self::Table => terminal::table(table, screen()),
            Self::Json => table.json(verdict)?,
            Self::Csv => table.csv()?,
            Self::Md => markdown::table(table),
        })
    }
}

/// Writes to standard output. A reader that has gone away is no error.
pub fn print(text: &str) -> Result<()> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => {
            Err(anyhow::Error::from(e).context("cannot write to standard output"))
        }
        _ => Ok(()),
    }
}

/// The same in colours, where they are wanted and there are any.
pub fn print_styled(words: &str, colours: ColorChoice) -> Result<()> {
    match is_coloured(colours) {
        true => print(words),
        false => print(&anstream::adapter::strip_str(words).to_string()),
    }
}

/// Writes words to standard error, without control characters. Where nobody reads
/// them, there is nobody to tell that either.
pub fn tell(words: &str) {
    let words = one_line_each(words, std::env::args_os().skip(1));
    let lines: Vec<_> = words.split('\n').map(clean).collect();
    let _ = writeln!(io::stderr(), "{}", lines.join("\n"));
}

/// Says what went wrong, and where there is more, that or how to get it.
pub fn tell_error(error: &anyhow::Error) {
    let more = match (Detailed::of(error), Settings::given().verbose) {
        (Some(details), true) => format!("\n{details}"),
        (Some(_), false) => "; -v says more".into(),
        (None, _) => String::new(),
    };
    tell(&format!("bouquet: {}{more}", in_words(error)));
}

/// The same unless it is to be quiet.
pub fn say(text: &str) {
    if !Settings::given().quiet {
        tell(text);
    }
}

/// The words, in which what was given on the command line, such as the name of a
/// file, has no line ends: those that are left are ours.
fn one_line_each(words: &str, given: impl Iterator<Item = OsString>) -> String {
    let mut words = words.to_owned();
    for given in given {
        let given = given.to_string_lossy();
        let value = match given.split_once('=') {
            Some((flag, value)) if flag.starts_with("--") => value,
            // A short flag has its value behind it.
            _ if given.starts_with('-') => given.get(2..).unwrap_or(""),
            _ => &given,
        };
        // Where a value is a list, each of its parts is named by itself.
        for value in value.split(',').filter(|value| clean(value) != **value) {
            words = words.replace(value, &clean(value));
        }
    }
    words
}
