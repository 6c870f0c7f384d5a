//! The program `bouquet`: evaluates Bloom filters on real keys.

mod cmd;
mod flags;
mod output;
mod results;
mod study;

use std::process::ExitCode;

fn main() -> ExitCode {
    cmd::main()
}
