//! What is asked: a filter and some of its numbers.

use anyhow::{Result, bail};
use bouquet_core::{MAX_SIZE_BITS, math::MAX_HASHES};
use clap::ValueEnum;

/// A kind of filter that theory knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Filter {
    /// One array, k probes anywhere.
    Standard,
    /// k partitions of m/k bits, a probe in each.
    Partitioned,
    /// k probes anywhere in one block.
    Blocked,
    /// k words of one block, a probe in each.
    SplitBlock,
    /// Stages that tighten.
    Scalable,
    /// Counters in place of bits.
    Counting,
    /// Standard filters picked by hash.
    Sharded,
    /// Fingerprints in two buckets.
    Cuckoo,
}

impl Filter {
    pub fn name(self) -> String {
        let name = self.to_possible_value();
        name.map_or_else(String::new, |name| name.get_name().to_owned())
    }
}

/// A number that can be asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flag {
    Capacity,
    Bits,
    Hashes,
    Fpr,
    BitsPerKey,
    BlockBits,
    Distinct,
    CounterBits,
    Shards,
    Stages,
    Tightening,
    Growth,
    FirstFpr,
    FingerprintBits,
    Bucket,
    Load,
}

impl Flag {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Capacity => "--capacity",
            Self::Bits => "--bits",
            Self::Hashes => "--hashes",
            Self::Fpr => "--fpr",
            Self::BitsPerKey => "--bits-per-key",
            Self::BlockBits => "--block-bits",
            Self::Distinct => "--distinct",
            Self::CounterBits => "--counter-bits",
            Self::Shards => "--shards",
            Self::Stages => "--stages",
            Self::Tightening => "--tightening",
            Self::Growth => "--growth",
            Self::FirstFpr => "--first-fpr",
            Self::FingerprintBits => "--fingerprint-bits",
            Self::Bucket => "--bucket",
            Self::Load => "--load",
        }
    }

    /// Whether the flag says something of the filter.
    pub fn is_of(self, filter: Filter) -> bool {
        use Filter::{Blocked, Counting, Cuckoo, Scalable, Sharded, SplitBlock, Standard};
        match self {
            Self::Capacity | Self::Fpr => true,
            Self::Bits | Self::BitsPerKey => filter != Scalable,
            Self::Hashes => !matches!(filter, Scalable | Cuckoo),
            Self::BlockBits => matches!(filter, Blocked | SplitBlock),
            Self::Distinct => matches!(filter, Standard | Blocked),
            Self::CounterBits => filter == Counting,
            Self::Shards => filter == Sharded,
            Self::Stages | Self::Tightening | Self::Growth | Self::FirstFpr => filter == Scalable,
            Self::FingerprintBits | Self::Bucket | Self::Load => filter == Cuckoo,
        }
    }
}

/// What is asked. `None`: not given.
#[derive(Clone, PartialEq, Debug)]
pub struct Ask {
    pub filter: Filter,
    pub capacity: Option<u64>,
    pub bits: Option<u64>,
    pub hashes: Option<u32>,
    pub fpr: Option<f64>,
    pub bits_per_key: Option<f64>,
    pub block_bits: Option<u64>,
    /// The probes of a key never repeat.
    pub distinct: bool,
    pub counter_bits: Option<u32>,
    pub shards: Option<u32>,
    pub stages: Option<u32>,
    pub tightening: Option<f64>,
    pub growth: Option<u32>,
    pub first_fpr: Option<f64>,
    pub fingerprint_bits: Option<u32>,
    pub bucket: Option<u32>,
    pub load: Option<f64>,
    pub hash_bits: u32,
}

impl Ask {
    pub fn new(filter: Filter) -> Self {
        Self {
            filter,
            capacity: None,
            bits: None,
            hashes: None,
            fpr: None,
            bits_per_key: None,
            block_bits: None,
            distinct: false,
            counter_bits: None,
            shards: None,
            stages: None,
            tightening: None,
            growth: None,
            first_fpr: None,
            fingerprint_bits: None,
            bucket: None,
            load: None,
            hash_bits: 64,
        }
    }

    /// The same of another filter, without what says nothing of it.
    pub fn of(&self, filter: Filter) -> Self {
        let has = |flag: Flag| flag.is_of(filter);
        let mut ask = self.clone();
        ask.filter = filter;
        ask.bits = ask.bits.filter(|_| has(Flag::Bits));
        ask.hashes = ask.hashes.filter(|_| has(Flag::Hashes));
        ask.bits_per_key = ask.bits_per_key.filter(|_| has(Flag::BitsPerKey));
        ask.block_bits = ask.block_bits.filter(|_| has(Flag::BlockBits));
        ask.distinct &= has(Flag::Distinct);
        ask.counter_bits = ask.counter_bits.filter(|_| has(Flag::CounterBits));
        ask.shards = ask.shards.filter(|_| has(Flag::Shards));
        ask.stages = ask.stages.filter(|_| has(Flag::Stages));
        ask.tightening = ask.tightening.filter(|_| has(Flag::Tightening));
        ask.growth = ask.growth.filter(|_| has(Flag::Growth));
        ask.first_fpr = ask.first_fpr.filter(|_| has(Flag::FirstFpr));
        ask.fingerprint_bits = ask.fingerprint_bits.filter(|_| has(Flag::FingerprintBits));
        ask.bucket = ask.bucket.filter(|_| has(Flag::Bucket));
        ask.load = ask.load.filter(|_| has(Flag::Load));
        ask
    }

    /// The flags that were given.
    pub fn given(&self) -> Vec<Flag> {
        let all = [
            (Flag::Capacity, self.capacity.is_some()),
            (Flag::Bits, self.bits.is_some()),
            (Flag::Hashes, self.hashes.is_some()),
            (Flag::Fpr, self.fpr.is_some()),
            (Flag::BitsPerKey, self.bits_per_key.is_some()),
            (Flag::BlockBits, self.block_bits.is_some()),
            (Flag::Distinct, self.distinct),
            (Flag::CounterBits, self.counter_bits.is_some()),
            (Flag::Shards, self.shards.is_some()),
            (Flag::Stages, self.stages.is_some()),
            (Flag::Tightening, self.tightening.is_some()),
            (Flag::Growth, self.growth.is_some()),
            (Flag::FirstFpr, self.first_fpr.is_some()),
            (Flag::FingerprintBits, self.fingerprint_bits.is_some()),
            (Flag::Bucket, self.bucket.is_some()),
            (Flag::Load, self.load.is_some()),
        ];
        all.into_iter()
            .filter_map(|(flag, given)| given.then_some(flag))
            .collect()
    }

    /// What must hold of the numbers, whatever the filter.
    pub fn check(&self) -> Result<()> {
        for flag in self.given() {
            if !flag.is_of(self.filter) {
                bail!(
                    "{} says nothing of the filter {}: leave it out",
                    flag.name(),
                    self.filter.name()
                );
            }
        }
        let counts = [
            ("--capacity", self.capacity),
            ("--bits", self.bits),
            ("--hashes", self.hashes.map(u64::from)),
            ("--block-bits", self.block_bits),
            ("--counter-bits", self.counter_bits.map(u64::from)),
            ("--shards", self.shards.map(u64::from)),
            ("--stages", self.stages.map(u64::from)),
            ("--growth", self.growth.map(u64::from)),
            ("--fingerprint-bits", self.fingerprint_bits.map(u64::from)),
            ("--bucket", self.bucket.map(u64::from)),
        ];
        for (name, value) in counts {
            if value == Some(0) {
                bail!("{name} 0: give at least 1");
            }
        }
        for (name, value) in [("--fpr", self.fpr), ("--first-fpr", self.first_fpr)] {
            if let Some(fpr) = value.filter(|fpr| !(*fpr > 0.0 && *fpr < 1.0)) {
                bail!("{name} {fpr:?} is not between 0 and 1: give a share such as 0.01 for 1 %");
            }
        }
        if let Some(bits) = self.bits_per_key.filter(|bits| *bits <= 0.0) {
            bail!("--bits-per-key {bits} is not above 0: give one such as 10");
        }
        at_most("--hashes", self.hashes.map(u64::from), MAX_HASHES.into())?;
        at_most("--bits", self.bits, MAX_SIZE_BITS)?;
        at_most("--hash-bits", Some(self.hash_bits.into()), 256)
    }
}

/// Refuses a number above what the filter can have.
pub fn at_most(name: &str, value: Option<u64>, most: u64) -> Result<()> {
    match value {
        Some(value) if value > most => bail!("{name} {value}: give at most {most}"),
        _ => Ok(()),
    }
}
