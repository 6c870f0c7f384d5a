//! `bouquet completions`: writes a script for completion in a shell.

use anyhow::Result;
use clap::Command;
use clap_complete::Shell;

use crate::output::print;

const HELP: &str = "\
Examples:
  bouquet completions bash > ~/.local/share/bash-completion/completions/bouquet
  bouquet completions zsh > ~/.zfunc/_bouquet";

#[derive(clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// The shell that is to read it.
    shell: Shell,
}

pub fn run(args: &Args, mut program: Command) -> Result<u8> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut program, "bouquet", &mut text);
    print(&String::from_utf8(text)?)?;
    Ok(0)
}
