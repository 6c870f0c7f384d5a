//! `bouquet man`: pages of the manual.

use anyhow::{Context, Result};
use clap::Command;

use crate::output::print_words;

const HELP: &str = "\
Exit codes: 0 done; 2 wrong usage.

Examples:
  bouquet man > ~/.local/share/man/man1/bouquet.1
  bouquet man gate | man -l -";

#[derive(clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// The command whose page it is; of the program itself without one.
    command: Option<String>,
}

pub fn run(args: &Args, mut program: Command) -> Result<u8> {
    // Gives the commands their full names.
    program.build();
    let page = match &args.command {
        None => program,
        Some(name) => {
            let found = program.find_subcommand(name);
            let found = found.with_context(|| {
                format!("{name} is no command of bouquet: `bouquet --help` shows all")
            })?;
            let full = format!("bouquet-{}", found.get_name());
            found.clone().name(full)
        }
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text)?;
    print_words(&String::from_utf8(text)?)?;
    Ok(0)
}
