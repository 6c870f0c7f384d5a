//! A workload as far as it was said, on the command line or in TOML.

use std::{fmt, path::PathBuf};

use anyhow::{Context, Result, bail};
use bouquet_ground::definition;
use clap::ValueEnum;
use serde::Deserialize;

use super::value::{Bytes, Count, Fpr, Growth, Positive, Share, WorkCost};

bouquet_ground::named! {
    /// What keys are.
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

/// A workload as far as it was said; all of it can be left out but the number
/// of keys.
#[derive(clap::Args, Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Requirements {
    /// Keys in a set.
    #[arg(long, value_name = "N")]
    pub capacity: Option<Count>,
    /// How many times the capacity the keys may become, or `unknown`. [default: 1]
    #[arg(long, value_name = "TIMES")]
    pub growth: Option<Growth>,
    /// The FPR that the filter is sized for, a share.
    #[arg(long, value_name = "P")]
    pub fpr: Option<Fpr>,
    /// The FPR not to be passed: a lower one is taken where memory has a limit or a price and
    /// it lowers the expected cost per lookup.
    #[arg(long, value_name = "P", conflicts_with = "fpr")]
    pub fpr_at_most: Option<Fpr>,
    /// A false positive is a loss (a page never crawled), not work to no end: the FPR is the
    /// whole of the requirement, and hits are what the filter saves.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub false_positive_loses: Option<bool>,
    /// Memory for all sets together: 16MiB, 1.5GB.
    #[arg(long, value_name = "BYTES")]
    pub memory: Option<Bytes>,
    /// The same by keys: bits for each of the capacity.
    #[arg(long, value_name = "BITS", conflicts_with = "memory")]
    pub bits_per_key: Option<Positive>,
    /// What each MiB costs with each lookup, a time as the work is: 2ns. [default: nothing]
    #[arg(long, value_name = "TIME")]
    pub memory_cost: Option<WorkCost>,
    /// Share of lookups that find a member. [default: 0.5]
    #[arg(long, value_name = "SHARE")]
    pub hits: Option<Share>,
    /// Cost of a backing lookup, unnecessary after a false positive: 80us, or l3-miss, ssd-read,
    /// same-dc-rpc, cross-region-rpc. [default: ssd-read]
    #[arg(long, value_name = "TIME")]
    pub work_cost: Option<WorkCost>,
    /// Lookups in a set before it is rebuilt. [default: 10 per key]
    #[arg(long, value_name = "N")]
    pub lookups_per_build: Option<Count>,
    /// Threads that insert at the same time. [default: 1]
    #[arg(long, value_name = "N")]
    pub threads: Option<Count>,
    /// Sets like this, each with its own header. [default: 1]
    #[arg(long, value_name = "N")]
    pub filters_count: Option<Count>,
    /// Keys are removed.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub deletes: Option<bool>,
    /// All keys are there when it is built, and none comes later.
    #[arg(long = "static", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    #[serde(rename = "static")]
    pub is_static: Option<bool>,
    /// It is stored and read back.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub persist: Option<bool>,
    /// Several machines fill it: theirs are made one.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub shared: Option<bool>,
    /// Whoever asks may choose the keys.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub hostile: Option<bool>,
    /// What keys are, without --keys. [default: u64]
    #[arg(long, value_enum, conflicts_with = "keys")]
    pub key_kind: Option<KeyKind>,
    /// Keys are integers below this: a bit for each may be the answer.
    #[arg(long, value_name = "N")]
    pub integers_below: Option<Count>,
    /// The user's own keys, one per line: measures on them. Read to its end, into memory.
    #[arg(long, value_name = "FILE")]
    pub keys: Option<PathBuf>,
    /// A workload that is met often; flags go before it.
    #[arg(long, value_enum)]
    pub use_case: Option<UseCase>,
}

impl Requirements {
    /// The requirements in a TOML file.
    ///
    /// # Errors
    ///
    /// It cannot be read, or has something in it that is no requirement.
    pub fn read(path: &std::path::Path) -> Result<Self> {
        let text = definition::text(path)
            .with_context(|| format!("cannot read the workload in {}", path.display()))?;
        Self::of_toml(&text).with_context(|| format!("wrong workload in {}", path.display()))
    }

    pub fn of_toml(text: &str) -> Result<Self> {
        let requirements: Self = definition::read(text)?;
        if requirements.memory.is_some() && requirements.bits_per_key.is_some() {
            bail!("memory and bits-per-key are two ways to say one thing: leave one out");
        }
        if requirements.fpr.is_some() && requirements.fpr_at_most.is_some() {
            bail!("fpr and fpr-at-most are two ways to say one thing: leave one out");
        }
        if requirements.keys.is_some() && requirements.key_kind.is_some() {
            bail!("key-kind is of made keys, and keys says what they are: leave one out");
        }
        Ok(requirements)
    }
}

bouquet_ground::named! {
    /// A kind of workload.
    #[derive(Deserialize, ValueEnum)]
    #[serde(rename_all = "kebab-case")]
    pub enum UseCase {
        /// Made-up ids must not reach the database: an adversary asks.
        CacheGuard = "cache-guard",
        /// URLs that were fetched already; nobody knows how many there will be.
        Crawler = "crawler",
        /// URLs that are forbidden; few that are asked for are.
        Blocklist = "blocklist",
        /// Which user has seen which message: many small filters.
        SeenPerUser = "seen-per-user",
        /// Which file of a log-structured store may have the key.
        Sstable = "sstable",
        /// Which rows may find a partner in the other table.
        Join = "join",
    }
}

impl UseCase {
    /// What is taken for granted of it. The text is TOML, as a user would write
    /// it.
    fn toml(self) -> &'static str {
        match self {
            Self::CacheGuard => {
                "capacity = 1e6\nfpr = 0.01\nhits = 0.9\nwork-cost = \"same-dc-rpc\"\nhostile = \
                 true\nlookups-per-build = 1e8\nfalse-positive-loses = false\n"
            }
            Self::Crawler => {
                "capacity = 1e6\nfpr = 0.001\ngrowth = \"unknown\"\nhits = 0.7\nwork-cost = \
                 \"ssd-read\"\npersist = true\nkey-kind = \"url\"\nfalse-positive-loses = \
                 true\n"
            }
            Self::Blocklist => {
                "capacity = 1e6\nfpr = 0.001\nstatic = true\nhits = 0.001\nwork-cost = \
                 \"cross-region-rpc\"\npersist = true\nkey-kind = \"url\"\nlookups-per-build = \
                 1e7\nfalse-positive-loses = false\n"
            }
            Self::SeenPerUser => {
                "capacity = 1_000\nfilters-count = 100_000\nfpr = 0.001\nhits = 0.5\nwork-cost = \
                 \"same-dc-rpc\"\npersist = true\nfalse-positive-loses = true\n"
            }
            Self::Sstable => {
                "capacity = 1e6\nfpr = 0.01\nstatic = true\nhits = 0.1\nwork-cost = \
                 \"ssd-read\"\npersist = true\nfalse-positive-loses = false\n"
            }
            Self::Join => {
                "capacity = 1e6\nbits-per-key = 16\nstatic = true\nhits = 0.1\nwork-cost = \
                 \"l3-miss\"\nlookups-per-build = 1e7\nfalse-positive-loses = false\n"
            }
        }
    }

    /// What is assumed of it, as requirements.
    ///
    /// # Errors
    ///
    /// None that a test would not find.
    pub fn requirements(self) -> Result<Requirements, toml::de::Error> {
        // TOML has no `1e6` for a whole number; a real one reads the same.
        toml::from_str(self.toml())
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;

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
        assert!(Requirements::of_toml("fpr-at-most = 0.01").is_ok());
        assert!(Requirements::of_toml("fpr = 0.01\nfpr-at-most = 0.01").is_err());
        assert!(Requirements::of_toml("keys = \"k.txt\"\nkey-kind = \"url\"").is_err());
    }

    #[test]
    fn every_case_is_a_workload() {
        for case in UseCase::value_variants() {
            let requirements = case.requirements().unwrap();
            assert!(requirements.capacity.is_some() && requirements.work_cost.is_some());
            // Whether a false positive is a loss, or work to no end.
            assert!(requirements.false_positive_loses.is_some());
            assert_eq!(case.to_possible_value().unwrap().get_name(), case.name());
        }
    }
}
