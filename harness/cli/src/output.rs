//! What goes to standard output and to standard error, and the exit codes.

use std::{
    ffi::OsString,
    io::{ErrorKind, IsTerminal, Write},
};

use anyhow::Result;
use clap::ValueEnum;

use bouquet_ground::line::clean;
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
    /// The table, with a line end at the end.
    pub fn text(self, table: &Table) -> Result<String> {
        Ok(match self {
            Self::Table => terminal::table(table),
            Self::Json => table.json()?,
            Self::Csv => table.csv()?,
            Self::Md => markdown::table(table),
        })
    }

    /// What people see, in the terminal and in Markdown, and the lines for programs.
    pub fn results(
        self,
        terminal: impl FnOnce() -> String,
        lines: impl FnOnce() -> Table,
        markdown: impl FnOnce() -> String,
    ) -> Result<String> {
        match self {
            Self::Table => Ok(terminal()),
            Self::Md => Ok(markdown()),
            Self::Json | Self::Csv => self.text(&lines()),
        }
    }
}

/// Whether standard output takes colours.
pub fn colour() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()) && std::io::stdout().is_terminal()
}

/// Writes to standard output. A reader that has gone away is no error.
pub fn print(text: &str) -> Result<()> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => {
            Err(anyhow::Error::from(e).context("cannot write to standard output"))
        }
        _ => Ok(()),
    }
}

/// Writes words to standard error, without control characters. Where nobody reads
/// them, there is nobody to tell that either.
pub fn tell(words: &str) {
    let words = one_line_each(words, std::env::args_os().skip(1));
    let lines: Vec<_> = words.split('\n').map(clean).collect();
    let _ = writeln!(std::io::stderr(), "{}", lines.join("\n"));
}

/// The same unless it is to be quiet.
pub fn say(quiet: bool, text: &str) {
    if !quiet {
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
