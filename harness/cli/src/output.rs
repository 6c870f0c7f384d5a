//! Standard output, standard error and the exit codes.

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
    /// The table in this format, ending in a line end; only JSON contains the verdict.
    pub fn text(self, table: &Table, verdict: Option<Outcome>) -> Result<String> {
        Ok(match self {
            Self::Table => terminal::table(table, screen()),
            Self::Json => table.json(verdict)?,
            Self::Csv => table.csv()?,
            Self::Md => markdown::table(table),
        })
    }
}

/// Writes to standard output. It is no error if the reader has closed the pipe.
pub fn print(text: &str) -> Result<()> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => {
            Err(anyhow::Error::from(e).context("cannot write to standard output"))
        }
        _ => Ok(()),
    }
}

/// Prints a help text or the version, in colours where they are possible.
pub fn print_help(help: &clap::Error) -> Result<()> {
    let text = help.render().ansi().to_string();
    match is_coloured(ColorChoice::Auto) {
        true => print(&text),
        false => print(&anstream::adapter::strip_str(&text).to_string()),
    }
}

/// A usage error on one line, without clap's hints.
pub fn in_one_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let ends = ["\n\nUsage: ", "\n\nFor more information"].map(|end| text.find(end));
    let end = ends.into_iter().flatten().min().unwrap_or(text.len());
    let message = text[..end].trim_start_matches("error: ");
    let message = message.replace("\n\n  tip: ", "; ");
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Writes words to standard error, without control characters. Errors in writing are ignored, since
/// there is nowhere to report them.
pub fn tell(words: &str) {
    let words = one_line_each(words, std::env::args_os().skip(1));
    let lines: Vec<_> = words.split('\n').map(clean).collect();
    let _ = writeln!(io::stderr(), "{}", lines.join("\n"));
}

/// Prints an error. If it has details, prints them with `-v`, else mentions `-v`.
pub fn tell_error(error: &anyhow::Error) {
    let more = match (Detailed::of(error), Settings::given().verbose) {
        (Some(details), true) => format!("\n{details}"),
        (Some(_), false) => "; -v says more".into(),
        (None, _) => String::new(),
    };
    tell(&format!("bouquet: {}{more}", in_words(error)));
}

/// Writes words to standard error, except with `--quiet`.
pub fn say(text: &str) {
    if !Settings::given().quiet {
        tell(text);
    }
}

/// Removes line ends from the parts of a message that repeat the command line, such as file names,
/// so that all remaining line ends are the program's own.
fn one_line_each(words: &str, given: impl Iterator<Item = OsString>) -> String {
    given.fold(words.to_owned(), |words, given| {
        let given = given.to_string_lossy();
        // The value of a long flag, and that of a short one.
        let long = given.split_once('=').map_or("", |(_, value)| value);
        let values = [&given, long, given.get(2..).unwrap_or("")];
        // The message may name the parts of a list one by one.
        let parts = values.iter().flat_map(|value| value.split(','));
        let wild = parts.filter(|part| clean(part) != **part);
        wild.fold(words, |words, part| words.replace(part, &clean(part)))
    })
}
