//! The command line: one file per subcommand.

mod build;
mod check;
mod compare;
mod completions;
mod dedup;
mod evaluate;
mod files;
mod gate;
mod inspect;
mod recommend;
mod rejected;
mod report;
mod speed;
#[cfg(test)]
mod tests;
mod theory;
mod union;

use std::process::ExitCode;

use bouquet_ground::interrupt::{INTERRUPTED, Interrupted, until_interrupted};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::{
    output::{Settings, UNUSABLE, print, tell, tell_error, width},
    study,
};

/// Evaluates Bloom filters on real keys.
#[derive(Parser)]
#[command(name = "bouquet", version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Subcommand)]
enum Command {
    /// Measures filters on key sets and writes a report.
    Evaluate(Box<evaluate::Args>),
    /// Measures how fast filters are, beside the crates of others.
    Speed(speed::Args),
    /// Says which filter to take, how large, and whether one pays.
    Recommend(Box<recommend::Args>),
    /// Computes what theory says of a filter: sizes, exact FPR, spread.
    Theory(Box<theory::Args>),
    /// Compares filters with a baseline, for continuous integration.
    Gate(gate::Args),
    /// Compares two reports: what changed, by how much.
    Compare(compare::Args),
    /// Writes a report again from its records, without measuring.
    Report(report::Args),
    /// Makes a file with a filter of keys.
    Build(build::Args),
    /// Prints the keys that a filter may contain, or those it does not.
    Check(check::Args),
    /// Copies standard input without the lines that came before.
    Dedup(dedup::Args),
    /// Shows what is in a file: format, geometry, fill, FPR now.
    Inspect(inspect::Args),
    /// Makes one filter of several, or writes one in another format.
    Union(union::Args),
    /// Writes what a shell needs to complete a line.
    Completions(completions::Args),
}

/// The text that `bouquet` prints without arguments.
const PAGE: &str = "\
bouquet evaluates Bloom filters: on real keys, against exact theory, beside the
crates that people use today.

  bouquet recommend --capacity 1e6 --fpr 0.01  which filter, with its code
  bouquet evaluate                             measure all, write a report
  bouquet gate --quick                         compare with a baseline, for CI
  bouquet build -o seen.bloom keys.txt         a filter of the lines of a file
  bouquet check seen.bloom keys.txt            which lines it may contain

`bouquet --help` lists all commands, `bouquet COMMAND --help` its options.
";

const EXIT_CODES: &str = "\
Exit codes:
  0    good
  1    a negative verdict
  2    wrong usage or wrong input
  3    inconclusive, with --strict
  130  interrupted";

/// The width of help texts, on a terminal and elsewhere.
const COLUMNS: usize = 80;
/// On a terminal with fewer columns, the description of an option is on the line below it.
const NARROW: usize = 40;

/// All commands. A negative number is parsed as the value of the option before it, not as a flag,
/// so that the option's parser can say what is wrong with it.
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
    let cli = match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) if !error.use_stderr() => return rejected::shown(&error),
        Err(error) => return rejected::rejected(error),
    };
    cli.settings.keep();
    let Some(command) = cli.command else {
        return match print(PAGE) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::from(UNUSABLE),
        };
    };
    let done = until_interrupted(|| match command {
        Command::Build(args) => build::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Completions(args) => completions::run(&args, program()),
        Command::Dedup(args) => dedup::run(&args),
        Command::Evaluate(args) => study::run(&*args, &args.flags.run, args.flags.strict),
        Command::Gate(args) => gate::run(&args),
        Command::Inspect(args) => inspect::run(&args),
        Command::Recommend(args) => recommend::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Speed(args) => speed::run(&args),
        Command::Theory(args) => theory::run(&args),
        Command::Union(args) => union::run(&args),
    });
    match done {
        Ok(code) => ExitCode::from(code),
        Err(error) if error.is::<Interrupted>() => {
            tell(&format!("bouquet: {error}"));
            ExitCode::from(INTERRUPTED)
        }
        Err(error) => {
            tell_error(&error);
            ExitCode::from(UNUSABLE)
        }
    }
}
