//! The command line: one file per subcommand.

mod build;
mod check;
mod compare;
mod dedup;
mod evaluate;
mod files;
mod gate;
mod inspect;
mod recommend;
mod report;
mod speed;
#[cfg(test)]
mod tests;
mod theory;
mod union;

use std::{process::ExitCode, slice::from_ref};

use anyhow::Result;
use bouquet_measure::experiment::Experiment;
use clap::{
    CommandFactory, FromArgMatches, Parser, Subcommand,
    error::{ContextKind, ContextValue, ErrorKind},
};
use clap_complete::Shell;

use crate::output::{Settings, UNUSABLE, in_one_line, print, shown, tell, tell_error, width};

/// Measures Bloom filters on real keys.
#[derive(Parser)]
#[command(name = "bouquet", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Subcommand)]
enum Command {
    /// Measures FPR, uniformity and memory of filters and writes a report.
    Evaluate(Box<evaluate::Args>),
    /// Measures the speed of filters, with those of other crates.
    Speed(speed::Args),
    /// Recommends a filter and its size for a workload, or none.
    Recommend(Box<recommend::Args>),
    /// Computes sizes and exact FPRs of filters.
    Theory(Box<theory::Args>),
    /// Compares filters with a baseline, for continuous integration.
    Gate(gate::Args),
    /// Compares two reports and shows what changed.
    Compare(compare::Args),
    /// Writes a report again from its records, without measuring.
    Report(report::Args),
    /// Writes a file with a filter of the given keys.
    Build(build::Args),
    /// Prints the keys that a filter may contain, or those it does not.
    Check(check::Args),
    /// Removes duplicate lines from standard input.
    Dedup(dedup::Args),
    /// Shows format, geometry, fill and current FPR of a filter file.
    Inspect(inspect::Args),
    /// Merges filters, or writes one in another format.
    Union(union::Args),
    /// Writes a completion script for a shell.
    #[command(after_help = COMPLETIONS)]
    Completions {
        /// The shell that is to read it.
        shell: Shell,
    },
}

impl Command {
    fn run(&self) -> Result<u8> {
        match self {
            Self::Build(args) => build::run(args),
            Self::Check(args) => check::run(args),
            Self::Compare(args) => compare::run(args),
            Self::Completions { shell } => {
                let mut text = Vec::new();
                clap_complete::generate(*shell, &mut program(), "bouquet", &mut text);
                print(&String::from_utf8(text)?).map(|()| 0)
            }
            Self::Dedup(args) => dedup::run(args),
            Self::Evaluate(args) => evaluate::run(args),
            Self::Gate(args) => gate::run(args),
            Self::Inspect(args) => inspect::run(args),
            Self::Recommend(args) => recommend::run(args),
            Self::Report(args) => report::run(args),
            Self::Speed(args) => speed::run(args),
            Self::Theory(args) => theory::run(args),
            Self::Union(args) => union::run(args),
        }
    }
}

const COMPLETIONS: &str = "\
Examples:
  bouquet completions bash > ~/.local/share/bash-completion/completions/bouquet
  bouquet completions zsh > ~/.zfunc/_bouquet";

const EXIT_CODES: &str = "\
Exit codes:
  0    good
  1    a negative verdict
  2    wrong usage or wrong input
  3    inconclusive, with --strict
  130  interrupted";

/// The maximum width of help texts; also their width if there is no terminal.
const COLUMNS: usize = 80;
/// On a terminal with fewer columns, the description of an option is on the line below it.
const NARROW: usize = 40;

/// The parser of the command line. A negative number is parsed as the value of the option before
/// it, not as a flag, so that the option's parser can say what is wrong with it.
fn program() -> clap::Command {
    fn with_negatives(command: clap::Command) -> clap::Command {
        let own = |arg: clap::Arg| match arg.is_positional() || !arg.get_action().takes_values() {
            true => arg,
            false => arg.allow_negative_numbers(true),
        };
        command.mut_args(own).mut_subcommands(with_negatives)
    }
    let columns = width().unwrap_or(COLUMNS).min(COLUMNS);
    with_negatives(Cli::command())
        .after_help(EXIT_CODES)
        .term_width(columns)
        .next_line_help(columns < NARROW)
}

/// Parses the command line and runs the command; returns the exit code.
pub fn main() -> ExitCode {
    let parsed = program().try_get_matches();
    let cli = parsed.and_then(|matches| Cli::from_arg_matches(&matches));
    let done = match cli {
        Ok(cli) => {
            cli.settings.keep();
            cli.command.run()
        }
        Err(error) if is_help(&error) => shown(error.print()).map(|()| 0),
        Err(error) => Ok(rejected(&error)),
    };
    ExitCode::from(done.unwrap_or_else(|error| {
        tell_error(&error);
        UNUSABLE
    }))
}

/// Whether the error is in fact a help text or the version: clap returns these as errors too.
fn is_help(error: &clap::Error) -> bool {
    let nothing_given = ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    !error.use_stderr() || error.kind() == nothing_given
}

/// Prints a usage error on one line, and returns the exit code.
fn rejected(error: &clap::Error) -> u8 {
    if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand)
        && (word == evaluate::PEERS || Experiment::chosen(&[], from_ref(word)).is_ok())
    {
        tell(&format!(
            "bouquet: no command {word}: use `bouquet evaluate {word}`"
        ));
        return UNUSABLE;
    }
    let mut message = in_one_line(error);
    // The hint at `--help` is left out if the message already says what to give instead.
    let text = error.render().to_string();
    let has_advice = message.contains("; ") || text.contains("[possible values: ");
    if error.kind() != ErrorKind::ValueValidation && !has_advice {
        let (mut words, program) = (std::env::args_os().skip(1), program());
        let command = words.find(|word| program.find_subcommand(word).is_some());
        let command = command.map_or_else(String::new, |name| format!(" {}", name.display()));
        message += &format!("; `bouquet{command} --help` shows all");
    }
    tell(&format!("bouquet: {message}"));
    UNUSABLE
}
