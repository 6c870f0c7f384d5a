//! The program `bouquet`: judges Bloom filters on real keys.

mod attack;
mod battery;
mod beyond;
mod cmd;
mod experiment;
mod files;
mod gate;
mod machine;
mod measure;
mod parallel;
mod plan;
mod recommend;
mod record;
mod registry;
mod render;
mod scale;
mod schemes;
mod speed;
mod staging;
mod stats;
mod theory;
mod units;
mod ways;
mod workload;

use std::process::ExitCode;

fn main() -> ExitCode {
    cmd::main()
}
