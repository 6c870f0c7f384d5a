//! All flags of all commands that take a number take it as it is written anywhere.

use clap::{Command, error::ErrorKind};

use super::program;

/// What the number of a flag is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Means {
    Count,
    Factor,
    Share,
    Bytes,
    Time,
}

/// Every flag with a number, of whatever command.
const FLAGS: [(Means, &[&str]); 5] = [
    (
        Means::Count,
        &[
            "seed",
            "jobs",
            "capacity",
            "bits",
            "hashes",
            "threads",
            "block-bits",
            "counter-bits",
            "shards",
            "stages",
            "growth",
            "fingerprint-bits",
            "bucket",
            "hash-bits",
        ],
    ),
    (
        Means::Factor,
        &[
            "tolerance",
            "tolerance-elsewhere",
            "bits-per-key",
            "tightening",
        ],
    ),
    (
        Means::Share,
        &[
            "fpr",
            "load",
            "fail-above-fpr",
            "fail-above-fill",
            "hits",
            "first-fpr",
        ],
    ),
    (Means::Bytes, &["memory"]),
    (Means::Time, &["work-cost"]),
];

/// What the number of this flag is: that of `recommend --growth` need not be whole.
fn means(command: &str, flag: &str) -> Option<Means> {
    if (command, flag) == ("recommend", "growth") {
        return Some(Means::Factor);
    }
    let of = FLAGS.iter().find(|(_, flags)| flags.contains(&flag));
    of.map(|(means, _)| *means)
}

/// What is taken, and what is rejected.
fn written(means: Means) -> (&'static [&'static str], &'static [&'static str]) {
    match means {
        Means::Count => (
            &[
                "7",
                "1e6",
                "1_000_000",
                "2^20",
                "1.5M",
                "2k",
                "64Ki",
                "2Mi",
                "1Gi",
                "1G",
            ],
            &[
                "1e-3", "0.5", "1%", "1kB", "7B", "ten", "", "1K", "2^64", "1__0",
            ],
        ),
        Means::Factor => (
            &["7", "1.5", "1e1", "2^3", "1_0.5", "1.5k"],
            &["7%", "7B", "ten", "", "NaN", "inf"],
        ),
        Means::Share => (
            &["0.01", "1e-3", "1%", "0.1 %", "2^-10"],
            &["7B", "1%%", "ten", "", "NaN"],
        ),
        Means::Bytes => (
            &[
                "4096",
                "1e6",
                "1_000_000",
                "2^20",
                "1.5M",
                "64Ki",
                "16MiB",
                "1.5 GB",
                "7B",
            ],
            &["1%", "1BM", "1kMB", "ten", "", "NaN"],
        ),
        Means::Time => (
            &["80us", "1.5 ms", "1e3ns", "1_000ns", "2^3s", "l3-miss"],
            &["80", "us", "1%us", "1Bs", "", "NaNs", "infs"],
        ),
    }
}

/// Whether the program takes the text as the value of a flag, whatever else it lacks.
fn takes(command: &str, flag: &str, text: &str) -> Result<(), String> {
    let asked = ["bouquet", command, &format!("--{flag}={text}")].map(str::to_owned);
    let asked = asked.into_iter().filter(|word| !word.is_empty());
    match program().try_get_matches_from(asked) {
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

/// The flags that take a number and nothing else, by command.
fn numeric(command: &Command, name: &str) -> Vec<(String, String)> {
    let flags = command.get_arguments().filter_map(|arg| arg.get_long());
    let number = |flag: &&str| {
        let is_taken = |text| takes(name, flag, text).is_ok();
        ["7", "0.5", "7us"].into_iter().any(is_taken) && !is_taken("no number of any kind")
    };
    let flags: Vec<_> = flags.filter(number).collect();
    flags
        .into_iter()
        .map(|flag| (name.to_owned(), flag.to_owned()))
        .collect()
}

#[test]
fn every_flag_with_a_number_takes_all_that_can_be_meant() {
    let program = program();
    let mut all = numeric(&program, "");
    for command in program.get_subcommands() {
        all.extend(numeric(command, command.get_name()));
    }
    for flag in FLAGS.iter().flat_map(|(_, flags)| *flags) {
        assert!(all.iter().any(|(_, there)| there == flag), "no --{flag}");
    }
    for (command, flag) in &all {
        let means = means(command, flag);
        let means = means.unwrap_or_else(|| panic!("{command} --{flag}: say in FLAGS what it is"));
        let (taken, rejected) = written(means);
        for text in taken {
            let done = takes(command, flag, text);
            assert_eq!(done, Ok(()), "{command} --{flag} {text}");
        }
        for text in rejected {
            let error =
                takes(command, flag, text).expect_err(&format!("{command} --{flag} {text}"));
            assert!(error.contains(&format!("--{flag}")), "{error}");
        }
    }
}
