//! The program `bouquet`.

use std::process::ExitCode;

fn main() -> ExitCode {
    bouquet_cli::main()
}
