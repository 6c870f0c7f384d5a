//! Every flag of every command that takes a number accepts the same notations.

use clap::error::ErrorKind;

use super::program;

/// The kinds of numbers, with texts that are accepted and texts that are rejected.
const KINDS: [(&str, &[&str], &[&str]); 5] = [
    (
        "count",
        &["7", "1e6", "1_000_000", "2^20", "1.5M", "2k", "64Ki", "1G"],
        &["1e-3", "0.5", "1%", "7B", "ten", "", "1K", "2^64", "1__0"],
    ),
    (
        "factor",
        &["7", "1.5", "1e1", "2^3", "1_0.5", "1.5k"],
        &["7%", "7B", "ten", "", "NaN", "inf"],
    ),
    (
        "share",
        &["0.01", "1e-3", "1%", "0.1 %", "2^-10"],
        &["7B", "1%%", "ten", "", "NaN"],
    ),
    (
        "bytes",
        &["4096", "1e6", "2^20", "1.5M", "64Ki", "16MiB", "1.5 GB"],
        &["1%", "1BM", "1kMB", "ten", "", "NaN"],
    ),
    (
        "time",
        &["80us", "1.5 ms", "1e3ns", "2^3s", "l3-miss"],
        &["80", "us", "1%us", "", "NaNs"],
    ),
];

/// The kind of number that a flag takes.
fn kind(command: &str, flag: &str) -> &'static str {
    match (command, flag) {
        ("recommend", "growth") => "factor",
        (_, "tolerance" | "bits-per-key") => "factor",
        (_, "fpr" | "fail-above-fpr" | "fail-above-fill" | "hits") => "share",
        (_, "memory") => "bytes",
        (_, "work-cost") => "time",
        _ => "count",
    }
}

/// Whether the program accepts the text as the value of a flag, whatever else is missing.
fn takes(command: &str, flag: &str, text: &str) -> Result<(), String> {
    match program().try_get_matches_from(["bouquet", command, &format!("--{flag}={text}")]) {
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::ValueValidation | ErrorKind::InvalidValue
            ) =>
        {
            Err(error.to_string())
        }
        _ => Ok(()),
    }
}

#[test]
fn every_flag_with_a_number_takes_all_that_can_be_meant() {
    let (program, mut count) = (program(), 0);
    for command in program.get_subcommands() {
        let name = command.get_name();
        for flag in command.get_arguments().filter_map(|arg| arg.get_long()) {
            let is_taken = |text| takes(name, flag, text).is_ok();
            let is_number = ["7", "0.5", "7us"].into_iter().any(is_taken);
            if !is_number || is_taken("no number of any kind") {
                continue;
            }
            count += 1;
            let of = KINDS.iter().find(|(of, ..)| *of == kind(name, flag));
            let (_, taken, rejected) = of.unwrap();
            for text in *taken {
                assert_eq!(takes(name, flag, text), Ok(()), "{name} --{flag} {text}");
            }
            for text in *rejected {
                assert!(!is_taken(text), "{name} --{flag} {text}");
            }
        }
    }
    assert!(count > 30, "{count}");
}
