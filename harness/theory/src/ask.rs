//! What is asked: a filter and some of its numbers.

use anyhow::{Result, bail, ensure};
use bouquet_core::{MAX_SIZE_BITS, math::MAX_HASHES};
use clap::ValueEnum;

use Filter::{Blocked, Counting, Cuckoo, Partitioned, Scalable, Sharded, SplitBlock, Standard};

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

/// What can be asked for: its flag, and the filters that it says something of.
macro_rules! flags {
    ($($field:ident $flag:literal => $filters:pat,)*) => {
        impl Ask {
            pub fn new(filter: Filter) -> Self {
                Self { filter, hash_bits: 64, $($field: Default::default()),* }
            }

            /// The same of another filter, without what says nothing of it.
            pub fn of(&self, filter: Filter) -> Self {
                let mut ask = Self { filter, ..self.clone() };
                $(if !matches!(filter, $filters) {
                    ask.$field = Default::default();
                })*
                ask
            }

            /// The flags given, and whether each says something of a filter.
            pub fn given(&self) -> Vec<(&'static str, fn(Filter) -> bool)> {
                let none = Self::new(self.filter);
                let mut given = Vec::<(_, fn(_) -> _)>::new();
                $(if self.$field != none.$field {
                    given.push(($flag, |filter| matches!(filter, $filters)));
                })*
                given
            }
        }
    };
}

flags! {
    capacity "--capacity" => _,
    bits "--bits" => Standard | Partitioned | Blocked | SplitBlock | Counting | Sharded | Cuckoo,
    hashes "--hashes" => Standard | Partitioned | Blocked | SplitBlock | Counting | Sharded,
    fpr "--fpr" => _,
    bits_per_key "--bits-per-key" =>
        Standard | Partitioned | Blocked | SplitBlock | Counting | Sharded | Cuckoo,
    block_bits "--block-bits" => Blocked | SplitBlock,
    distinct "--distinct" => Standard | Blocked,
    counter_bits "--counter-bits" => Counting,
    shards "--shards" => Sharded,
    stages "--stages" => Scalable,
    tightening "--tightening" => Scalable,
    growth "--growth" => Scalable,
    first_fpr "--first-fpr" => Scalable,
    fingerprint_bits "--fingerprint-bits" => Cuckoo,
    bucket "--bucket" => Cuckoo,
    load "--load" => Cuckoo,
}

impl Ask {
    /// What must hold of the numbers, whatever the filter.
    pub fn check(&self) -> Result<()> {
        if let Some((flag, _)) = self.given().iter().find(|(_, is_of)| !is_of(self.filter)) {
            let filter = self.filter.name();
            bail!("{flag} says nothing of the filter {filter}: leave it out");
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
            ensure!(value != Some(0), "{name} 0: give at least 1");
        }
        for (name, value) in [("--fpr", self.fpr), ("--first-fpr", self.first_fpr)] {
            if let Some(fpr) = value.filter(|fpr| !(*fpr > 0.0 && *fpr < 1.0)) {
                bail!("{name} {fpr:?} is not between 0 and 1: give a share such as 0.01 for 1 %");
            }
        }
        if let Some(bits) = self.bits_per_key.filter(|bits| *bits <= 0.0) {
            bail!("--bits-per-key {bits} is not above 0: give one such as 10");
        }
        ensure!(
            self.capacity.is_none() || self.bits.is_none() || self.bits_per_key.is_none(),
            "--capacity, --bits and --bits-per-key contradict each other: any two of them give \
             the third"
        );
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
