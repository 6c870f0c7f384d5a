//! The requirements that a user gives, on the command line or in TOML.

use std::{fmt, path::PathBuf, str::FromStr};

use anyhow::{Context, Result, anyhow};
use clap::{Args as _, FromArgMatches as _, ValueEnum};

use crate::{flags::count, output::in_one_line};
use bouquet_catalogue::theory;
use bouquet_record::{definition, units, unknown::quoted};

bouquet_record::named! {
    /// The type of the keys.
    #[derive(ValueEnum)]
    pub enum KeyKind {
        /// Integers of 64 bits.
        U64 = "u64",
        /// Texts, 59 bytes long.
        Url = "url",
    }
}

/// The requirements that a user gives, as flags or as lines of a workload file. Only the number of
/// keys is mandatory. Hidden flags are meant for workload files.
#[derive(clap::Args, Clone, PartialEq, Debug, Default)]
pub struct Requirements {
    /// The number of keys in each filter.
    #[arg(long, value_name = "N", value_parser = count)]
    pub capacity: Option<u64>,
    /// Factor by which the number of keys may exceed the capacity, or `unknown`. [default: 1]
    #[arg(long, value_name = "TIMES")]
    pub growth: Option<Growth>,
    /// The target FPR: 0.01, 1%.
    #[arg(long, value_name = "P", value_parser = theory::fpr)]
    pub fpr: Option<f64>,
    /// The maximum memory for all filters together: 16MiB, 1.5GB.
    #[arg(long, value_name = "BYTES")]
    pub memory: Option<Bytes>,
    /// Share of lookups that find a member. [default: 0.5]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub hits: Option<f64>,
    /// Cost of the backing lookup that the filter avoids: 80us, or l3-miss, ssd-read, same-dc-rpc,
    /// cross-region-rpc. [default: ssd-read]
    #[arg(long, value_name = "TIME")]
    pub work_cost: Option<WorkCost>,
    /// Threads that insert at the same time. [default: 1]
    #[arg(long, value_name = "N", value_parser = count)]
    pub threads: Option<u64>,
    /// Processes that insert into one filter at the same time. [default: 1]
    #[arg(long, value_name = "N", value_parser = count)]
    pub processes: Option<u64>,
    /// Keys are removed.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    #[arg(value_name = "BOOL", hide_possible_values = true)]
    pub deletes: Option<bool>,
    /// All keys are known when the filter is built; none is inserted later.
    #[arg(long = "static", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    #[arg(value_name = "BOOL", hide_possible_values = true)]
    pub is_static: Option<bool>,
    /// When a key may be forgotten: after a time (90s, 15min, 1h, 7d), in which --capacity keys come,
    /// or after as many other keys.
    #[arg(long, value_name = "TIME|N")]
    pub expires: Option<Expires>,
    /// The filter is stored and loaded again.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    #[arg(value_name = "BOOL", hide_possible_values = true)]
    pub persist: Option<bool>,
    /// Several machines fill one filter each, and these are merged.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    #[arg(value_name = "BOOL", hide_possible_values = true)]
    pub shared: Option<bool>,
    /// An adversary may choose the keys that are looked up.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    #[arg(value_name = "BOOL", hide_possible_values = true)]
    pub hostile: Option<bool>,
    /// The type of the keys, if --keys is not given: u64, or url (59 bytes). [default: u64]
    #[arg(long, value_enum, value_name = "KIND", conflicts_with = "keys")]
    #[arg(hide_possible_values = true)]
    pub key_kind: Option<KeyKind>,
    /// A file of your own keys, one per line. They are counted, and --measure uses them.
    #[arg(long, value_name = "FILE")]
    pub keys: Option<PathBuf>,
    /// A typical workload, which other flags override: cache-guard, dedup-window, crawler, blocklist,
    /// seen-per-user, sstable, join, or a file of your own, workload.toml.
    #[arg(long, value_name = "NAME|FILE")]
    pub use_case: Option<String>,
    /// The memory limit in bits per key of the capacity.
    #[arg(long, hide = true, value_parser = bits, conflicts_with = "memory")]
    pub bits_per_key: Option<f64>,
    /// The number of lookups in a set before it is rebuilt; 10 per key if not given.
    #[arg(long, hide = true, value_parser = count)]
    pub lookups_per_build: Option<u64>,
    /// The number of such sets, each with its own header.
    #[arg(long, hide = true, value_parser = count)]
    pub filters_count: Option<u64>,
    /// The keys are integers below this number, so a bitmap is possible.
    #[arg(long, hide = true, value_parser = count)]
    pub integers_below: Option<u64>,
    /// Whether a false positive is a loss (a page that is never crawled) instead of an unnecessary
    /// backing lookup: then the FPR is the only requirement, and hits are what the filter saves.
    #[arg(long, hide = true)]
    pub false_positive_loses: Option<bool>,
}

/// Common workloads, each as the text of a workload file.
const USE_CASES: [(&str, &str); 7] = [
    ("cache-guard", CACHE_GUARD),
    ("dedup-window", DEDUP_WINDOW),
    ("crawler", include_str!("../../use-cases/crawler.toml")),
    ("blocklist", include_str!("../../use-cases/blocklist.toml")),
    ("seen-per-user", SEEN_PER_USER),
    ("sstable", include_str!("../../use-cases/sstable.toml")),
    ("join", include_str!("../../use-cases/join.toml")),
];
const CACHE_GUARD: &str = include_str!("../../use-cases/cache-guard.toml");
const DEDUP_WINDOW: &str = include_str!("../../use-cases/dedup-window.toml");
const SEEN_PER_USER: &str = include_str!("../../use-cases/seen-per-user.toml");

/// Whether the value of `--use-case` names a file, not a built-in use case.
pub fn is_file(case: &str) -> bool {
    case.ends_with(".toml")
}

impl Requirements {
    /// The key file that `--keys` or the workload file names.
    ///
    /// # Errors
    ///
    /// As for [`of`](Self::of).
    pub fn keys_file(&self) -> Result<Option<PathBuf>> {
        Ok(match (&self.keys, &self.use_case) {
            (None, Some(case)) => Self::of(case)?.1.keys,
            (keys, _) => keys.clone(),
        })
    }

    /// The requirements of a use case or a workload file, and the name of this source for the user.
    ///
    /// # Errors
    ///
    /// The file cannot be read or contains something that is not a requirement, or there is no use
    /// case of this name.
    pub fn of(case: &str) -> Result<(String, Self)> {
        if is_file(case) {
            let text = std::fs::read_to_string(case);
            let text = text.with_context(|| format!("cannot read the workload in {case}"))?;
            let read = Self::of_toml(&text);
            let read = read.with_context(|| format!("wrong workload in {case}"))?;
            return Ok(("the workload file".into(), read));
        }
        let known = USE_CASES.into_iter().find(|(name, _)| *name == case);
        let (_, known) = known.with_context(|| {
            let (case, all) = (quoted(case), USE_CASES.map(|(name, _)| name).join(", "));
            format!("--use-case {case}: give one of {all}, or a file whose name ends in .toml")
        })?;
        Ok((format!("use case {case}"), Self::of_toml(known)?))
    }

    /// Reads a workload file: each line is a flag without its dashes, and its value.
    pub fn of_toml(text: &str) -> Result<Self> {
        let lines: toml::Table = definition::read(text)?;
        let flags = lines.into_iter().map(|(name, value)| match value {
            toml::Value::String(text) => format!("--{name}={text}"),
            toml::Value::Float(number) => format!("--{name}={number:e}"),
            value => format!("--{name}={value}"),
        });
        let parser = clap::Command::new("workload").no_binary_name(true);
        let parser = Self::augment_args(parser.disable_help_flag(true));
        let parsed = parser.try_get_matches_from(flags);
        let parsed = parsed.and_then(|matches| Self::from_arg_matches(&matches));
        parsed.map_err(|error| {
            anyhow!(
                in_one_line(&error)
                    .replace("argument '--", "'--")
                    .replace("'--", "'")
            )
        })
    }
}

/// Parses a share from 0 to 1, inclusive.
fn share(text: &str) -> Result<f64, String> {
    match theory::share(text)? {
        share if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err(format!("{text} is not between 0 and 1: 0.01 is 1 %")),
    }
}

fn bits(text: &str) -> Result<f64, String> {
    positive(text, theory::real(text)?)
}

fn positive(text: &str, number: f64) -> Result<f64, String> {
    match number > 0.0 {
        true => Ok(number),
        false => Err(format!("{text} is not above 0")),
    }
}

/// A number of bytes, such as `4096`, `16MiB` or `1.5GB`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bytes(pub f64);

impl FromStr for Bytes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        positive(text, theory::bytes(text)?).map(Self)
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&units::bytes(self.0))
    }
}

/// When a key may be forgotten.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Expires {
    /// After so many insertions of other keys.
    Keys(u64),
    Seconds(u64),
}

impl FromStr for Expires {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Ok(keys) = count(text) {
            return Ok(Self::Keys(keys));
        }
        let units = [("min", 60), ("s", 1), ("h", 3_600), ("d", 86_400)];
        let cut = |(unit, seconds): (&str, u64)| {
            count(text.strip_suffix(unit)?).ok()?.checked_mul(seconds)
        };
        let seconds = units.into_iter().find_map(cut).map(Self::Seconds);
        seconds.ok_or_else(|| {
            format!("{text}: give a time such as 1h (s, min, h, d), or a number of keys")
        })
    }
}

impl fmt::Display for Expires {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Keys(keys) => write!(f, "{keys} keys"),
            Self::Seconds(seconds) => write!(f, "{seconds}s"),
        }
    }
}

/// The final number of keys, as a multiple of the capacity.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Growth {
    /// At most this factor; 1 means no growth.
    Times(f64),
    Unknown,
}

impl Growth {
    /// The final number of keys. If the growth is unknown, ten times the capacity is assumed.
    pub fn keys(self, capacity: u64) -> u64 {
        let times = match self {
            Self::Times(times) => times,
            Self::Unknown => 10.0,
        };
        (capacity as f64 * times).ceil().min(u64::MAX as f64) as u64
    }
}

impl FromStr for Growth {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match theory::real(text) {
            _ if text == "unknown" => Ok(Self::Unknown),
            Ok(times) if times >= 1.0 => Ok(Self::Times(times)),
            _ => Err(format!(
                "{text}: give the final number of keys divided by the capacity, at least 1, or \
                 `unknown`"
            )),
        }
    }
}

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Times(times) => write!(f, "{times}"),
            Self::Unknown => f.write_str("unknown"),
        }
    }
}

/// The cost of a backing lookup, in nanoseconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WorkCost(pub f64);

/// Named costs in ns. All but `ssd-read` are from Dean's "Numbers everyone should know" (2009). A
/// random read of 4 KiB takes 150 us in the list of Dean and Norvig (2012), and 60 to 100 us on
/// NVMe. `cross-region-rpc` is a packet from California to the Netherlands and back.
const COSTS: [(&str, f64); 4] = [
    ("l3-miss", 100.0),
    ("ssd-read", 100e3),
    ("same-dc-rpc", 500e3),
    ("cross-region-rpc", 150e6),
];

const UNITS: [&str; 5] = ["ns", "us", "µs", "ms", "s"];
const NS: [f64; 5] = [1.0, 1e3, 1e3, 1e6, 1e9];

impl FromStr for WorkCost {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some((_, ns)) = COSTS.iter().find(|(name, _)| *name == text) {
            return Ok(Self(*ns));
        }
        let cut = |(unit, ns)| Some((text.strip_suffix(unit)?, ns));
        let number = UNITS.into_iter().zip(NS).find_map(cut);
        let number = number.and_then(|(of, ns)| Some(theory::real(of.trim()).ok()? * ns));
        let number = number.filter(|ns| *ns >= 0.0 && ns.is_finite());
        number.map(Self).ok_or_else(|| {
            let names = COSTS.map(|(name, _)| name).join(", ");
            format!("{text}: give a time such as 80us (ns, us, ms, s), or one of {names}")
        })
    }
}

impl fmt::Display for WorkCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&units::time(self.0))
    }
}

/// Writes a share for people, such as `0.98 %` or `6.7e-6`.
pub fn share_words(share: f64) -> String {
    if share <= 0.0 {
        return "0".into();
    }
    if share < 1e-5 {
        return format!("{share:.1e}");
    }
    let percent = 100.0 * share;
    let decimals = (1.0 - percent.log10().floor()).max(0.0) as usize;
    format!("{} %", units::trimmed(&format!("{percent:.decimals$}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workload_file_has_the_flags_and_their_conflicts() {
        let text = "capacity = 1e6\nmemory = \"2MiB\"\nwork-cost = \"80us\"\nstatic = true";
        let requirements = Requirements::of_toml(text).unwrap();
        assert_eq!(requirements.capacity, Some(1_000_000));
        assert_eq!(requirements.memory, Some(Bytes(2_097_152.0)));
        assert_eq!(requirements.is_static, Some(true));
        assert!(Requirements::of_toml("memory = 5000").is_ok());
        for (wrong, words) in [
            ("capacty = 3", "'capacty'"),
            ("fpr = 3", "between 0 and 1"),
            ("capacity = -1", "whole number"),
            ("capacity = [3]", "whole number"),
            ("memory = 5000\nbits-per-key = 9", "bits-per-key"),
            ("keys = \"k.txt\"\nkey-kind = \"url\"", "key-kind"),
        ] {
            let error = Requirements::of_toml(wrong).unwrap_err().to_string();
            assert!(error.contains(words), "{wrong}: {error}");
        }
    }

    #[test]
    fn every_case_is_a_workload() {
        for (case, _) in USE_CASES {
            let (source, requirements) = Requirements::of(case).unwrap();
            assert_eq!(source, format!("use case {case}"));
            assert!(requirements.capacity.is_some() && requirements.work_cost.is_some());
            // Each use case must say whether a false positive is a loss or an unnecessary lookup.
            assert!(requirements.false_positive_loses.is_some());
        }
    }

    #[test]
    fn shares_have_two_digits() {
        for (share, want) in [
            (0.01, "1 %"),
            (0.0098, "0.98 %"),
            (1.0 / 256.0, "0.39 %"),
            (0.5, "50 %"),
            (1.0, "100 %"),
            (1e-6, "1.0e-6"),
            (0.0, "0"),
        ] {
            assert_eq!(share_words(share), want);
        }
    }

    #[test]
    fn values_have_units_and_bounds() {
        assert_eq!("1.5 GB".parse(), Ok(Bytes(1.5e9)));
        for text in ["0", "-1MB", "MiB", "12XB"] {
            assert!(text.parse::<Bytes>().is_err(), "{text}");
        }
        assert_eq!(Bytes(1_536.0).to_string(), "1.50 KiB");
        assert!(count("0").is_err() && count("1..5").is_err() && bits("0").is_err());
        assert!(share("1.2").is_err());
        assert_eq!(share("1"), Ok(1.0));
        assert!("0.5".parse::<Growth>().is_err());
        assert_eq!("unknown".parse(), Ok(Growth::Unknown));
        assert_eq!("4".parse(), Ok(Growth::Times(4.0)));
        for (text, ns) in [
            ("80us", 80e3),
            ("1.5 ms", 1.5e6),
            ("2s", 2e9),
            ("0ns", 0.0),
            ("l3-miss", 100.0),
        ] {
            assert_eq!(text.parse(), Ok(WorkCost(ns)), "{text}");
        }
        for text in ["80", "us", "-1us", "tape"] {
            assert!(text.parse::<WorkCost>().is_err(), "{text}");
        }
    }
}
