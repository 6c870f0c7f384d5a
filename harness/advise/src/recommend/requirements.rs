//! The requirements that a user gives, on the command line or in TOML.

use std::{fmt, path::PathBuf};

use anyhow::{Context, Result, bail};
use bouquet_ground::definition;
use clap::ValueEnum;
use serde::Deserialize;

use super::value::{Bytes, Count, Fpr, Growth, Positive, Share, UseCase, WorkCost};

bouquet_ground::named! {
    /// The type of the keys.
    #[derive(Deserialize, ValueEnum)]
    #[serde(rename_all = "kebab-case")]
    pub enum KeyKind {
        /// Integers of 64 bits.
        U64 = "u64",
        /// Texts, 59 bytes long.
        Url = "url",
    }
}

impl fmt::Display for KeyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The requirements that a user gives; only the number of keys must be given. Fields without a flag
/// can only be given in a file.
#[derive(clap::Args, Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Requirements {
    /// Keys in a set.
    #[arg(long, value_name = "N")]
    pub capacity: Option<Count>,
    /// How many times the capacity the keys may become, or `unknown`. [default: 1]
    #[arg(long, value_name = "TIMES")]
    pub growth: Option<Growth>,
    /// The FPR that the filter is sized for: 0.01, 1%.
    #[arg(long, value_name = "P")]
    pub fpr: Option<Fpr>,
    /// The most memory for all sets together: 16MiB, 1.5GB.
    #[arg(long, value_name = "BYTES")]
    pub memory: Option<Bytes>,
    /// Share of lookups that find a member. [default: 0.5]
    #[arg(long, value_name = "SHARE")]
    pub hits: Option<Share>,
    /// Cost of a backing lookup, unnecessary after a false positive: 80us, or l3-miss, ssd-read,
    /// same-dc-rpc, cross-region-rpc. [default: ssd-read]
    #[arg(long, value_name = "TIME")]
    pub work_cost: Option<WorkCost>,
    /// Threads that insert at the same time. [default: 1]
    #[arg(long, value_name = "N")]
    pub threads: Option<Count>,
    /// Keys are removed.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    #[arg(value_name = "BOOL", hide_possible_values = true)]
    pub deletes: Option<bool>,
    /// All keys are there when it is built, and none comes later.
    #[arg(long = "static", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    #[arg(value_name = "BOOL", hide_possible_values = true)]
    #[serde(rename = "static")]
    pub is_static: Option<bool>,
    /// It is stored and read back.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    #[arg(value_name = "BOOL", hide_possible_values = true)]
    pub persist: Option<bool>,
    /// Several machines fill it, and their filters are united.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    #[arg(value_name = "BOOL", hide_possible_values = true)]
    pub shared: Option<bool>,
    /// An adversary may choose the keys that are looked up.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    #[arg(value_name = "BOOL", hide_possible_values = true)]
    pub hostile: Option<bool>,
    /// What keys are, without --keys: u64, or url, of 59 bytes. [default: u64]
    #[arg(
        long,
        value_enum,
        value_name = "KIND",
        hide_possible_values = true,
        conflicts_with = "keys"
    )]
    pub key_kind: Option<KeyKind>,
    /// Your own keys, one per line, read into memory: counted, and measured with by --measure.
    #[arg(long, value_name = "FILE")]
    pub keys: Option<PathBuf>,
    /// A workload that flags change: cache-guard, crawler, blocklist, seen-per-user, sstable, join,
    /// or a file of your own, workload.toml.
    #[arg(long, value_name = "NAME|FILE")]
    pub use_case: Option<UseCase>,
    /// The memory limit in bits per key of the capacity.
    #[arg(skip)]
    pub bits_per_key: Option<Positive>,
    /// The number of lookups in a set before it is rebuilt; 10 per key if not given.
    #[arg(skip)]
    pub lookups_per_build: Option<Count>,
    /// The number of such sets, each with its own header.
    #[arg(skip)]
    pub filters_count: Option<Count>,
    /// The keys are integers below this number, so a bitmap is possible.
    #[arg(skip)]
    pub integers_below: Option<Count>,
    /// Whether a false positive is a loss (a page that is never crawled) instead of an unnecessary
    /// backing lookup: then the FPR is the only requirement, and hits are what the filter saves.
    #[arg(skip)]
    pub false_positive_loses: Option<bool>,
}

impl Requirements {
    /// The file of keys, given by the flag or in a workload file.
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

    /// The requirements of a use case, and its name as a source of values.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or contains something that is not a requirement.
    pub fn of(case: &UseCase) -> Result<(String, Self)> {
        Ok(match case {
            UseCase::Known(name, toml) => (format!("use case {name}"), Self::of_toml(toml)?),
            UseCase::File(path) => {
                let text = std::fs::read_to_string(path)
                    .with_context(|| format!("cannot read the workload in {}", path.display()))?;
                let read = Self::of_toml(&text)
                    .with_context(|| format!("wrong workload in {}", path.display()))?;
                ("the workload file".into(), read)
            }
        })
    }

    pub fn of_toml(text: &str) -> Result<Self> {
        let requirements: Self = definition::read(text)?;
        if requirements.memory.is_some() && requirements.bits_per_key.is_some() {
            bail!("memory and bits-per-key are two ways to say one thing: leave one out");
        }
        if requirements.keys.is_some() && requirements.key_kind.is_some() {
            bail!("key-kind is of made keys, and keys says what they are: leave one out");
        }
        Ok(requirements)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn toml_knows_the_names_of_the_flags_alone() {
        let requirements: Requirements = toml::from_str(
            "capacity = 1e6\nmemory = \"2MiB\"\nwork-cost = \"80us\"\nstatic = true",
        )
        .unwrap();
        assert_eq!(requirements.capacity, Some(Count(1_000_000)));
        assert_eq!(requirements.is_static, Some(true));
        assert!(toml::from_str::<Requirements>("capacty = 3").is_err());
        assert!(toml::from_str::<Requirements>("fpr = 3").is_err());
        assert!(Requirements::of_toml("memory = 5000").is_ok());
        assert!(Requirements::of_toml("memory = 5000\nbits-per-key = 9").is_err());
        assert!(Requirements::of_toml("keys = \"k.txt\"\nkey-kind = \"url\"").is_err());
    }

    #[test]
    fn every_case_is_a_workload() {
        for case in [
            "cache-guard",
            "crawler",
            "blocklist",
            "seen-per-user",
            "sstable",
            "join",
        ] {
            let (source, requirements) = Requirements::of(&case.parse().unwrap()).unwrap();
            assert_eq!(source, format!("use case {case}"));
            assert!(requirements.capacity.is_some() && requirements.work_cost.is_some());
            // Each use case must say whether a false positive is a loss or an unnecessary lookup.
            assert!(requirements.false_positive_loses.is_some());
        }
    }
}
