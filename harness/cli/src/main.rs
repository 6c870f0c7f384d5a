//! The program `bouquet`: judges Bloom filters on real keys.

mod cmd;

use std::process::ExitCode;

fn main() -> ExitCode {
    cmd::main()
}
