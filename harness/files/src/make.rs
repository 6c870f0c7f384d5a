//! A filter from what was asked for, or why there is none like that.

use std::num::TryFromIntError;

use anyhow::{Context, Result, anyhow, bail};
use bouquet_blocked::{BlockedBloom, Layout, Line, Words32, Words64};
use bouquet_core::{SeededHasher, Spec, SpecError};
use bouquet_counting::{CounterBits, CountingBloom};
use bouquet_cuckoo::CuckooFilter;
use bouquet_hash::{Xxh3, Xxh3Wide};
use bouquet_interop::{
    GoBloom, GoZeroBloom, GuavaBloom, ParquetBloom, RedisBloom, RedissonBloom,
    go_zero::HASHES as GO_ZERO_HASHES,
    guava::{Release, Strategy},
};
use bouquet_partitioned::PartitionedBloom;
use bouquet_scalable::ScalableBloom;
use bouquet_sharded::ShardedBloom;
use bouquet_standard::StandardBloom;
use clap::ValueEnum;

use super::{
    Format, Held,
    foreign::boxed,
    native::{Native, Variant},
};

/// A variant that can be asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Kind {
    /// One array of bits, k probes.
    Standard,
    /// Counters of 4 bits: a program can remove keys.
    Counting,
    /// A range of bits for every probe.
    Partitioned,
    /// All probes of a key in one cache line.
    Blocked,
    /// The same in half a line.
    BlockedWords32,
    /// The same, anywhere in a line, with any k.
    BlockedLine,
    /// Stages that grow with the keys.
    Scalable,
    /// Shards, for threads of a program.
    Sharded,
    /// Fingerprints in buckets: full when it is full.
    Cuckoo,
}

/// A hash function of ours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Hashing {
    /// 64 bits.
    Xxh3,
    /// 128 bits, for targets that 64 do not reach.
    Xxh3Wide,
}

/// What is asked for; None is what was not said.
#[derive(Clone, Copy, Debug)]
pub struct Ask {
    pub format: Format,
    pub filter: Option<Kind>,
    pub hasher: Option<Hashing>,
    pub seed: Option<u64>,
    pub capacity: Option<u64>,
    pub fpr: Option<f64>,
    pub size_bits: Option<u64>,
    pub hashes: Option<u32>,
}

/// The FPR if none is asked for.
const FPR: f64 = 0.01;

/// Keys of the first stage of a filter that grows, if nobody knows them.
const FIRST_STAGE: u64 = 1 << 16;

/// Bits a key that go-zero's authors advise.
const GO_ZERO_BITS: u64 = 20;

impl Ask {
    /// Whether it is known how large the filter is to be.
    pub fn is_sized(&self) -> bool {
        self.capacity.is_some() || self.size_bits.is_some()
    }

    /// Whether it grows, so that it need not be known.
    pub fn grows(&self) -> bool {
        match self.format {
            Format::Native => self.filter == Some(Kind::Scalable),
            Format::Redisbloom => self.filter != Some(Kind::Standard),
            _ => false,
        }
    }

    /// The FPR that it is sized for, where it is sized for one.
    pub fn target_fpr(&self) -> Option<f64> {
        let sized_for_one = self.size_bits.is_none() && self.format != Format::GoZero;
        sized_for_one.then(|| self.fpr())
    }

    /// Refuses what the format cannot hold.
    ///
    /// # Errors
    ///
    /// Why it cannot.
    pub fn check(&self) -> Result<()> {
        let format = self.format;
        if format != Format::Native && (self.hasher.is_some() || self.seed.is_some()) {
            bail!("--hasher and --seed: {format} has one hash, with one seed");
        }
        let (may, what) = match format {
            Format::Native => return self.check_native(),
            Format::Parquet => (&[Kind::BlockedWords32][..], "blocks of 256 bits"),
            Format::Redisbloom => (
                &[Kind::Scalable, Kind::Standard][..],
                "a chain of arrays that grows, or (standard) one that does not",
            ),
            _ => (&[Kind::Standard][..], "one array of bits"),
        };
        if let Some(kind) = self.filter
            && !may.contains(&kind)
        {
            let name = name(kind);
            bail!("--filter {name}: the format {format} holds {what}, and nothing else");
        }
        match format {
            Format::Redisbloom if self.size_bits.is_some() => bail!(
                "--bits: the sizes of a chain of RedisBloom follow from --capacity and --fpr, and \
                 its readers check that they do"
            ),
            Format::GoZero if self.fpr.is_some() => bail!(
                "--fpr: go-zero has 14 hashes, whatever the FPR: give --bits, or --capacity alone \
                 for {GO_ZERO_BITS} bits a key"
            ),
            _ => Ok(()),
        }
    }

    fn check_native(&self) -> Result<()> {
        let Some(kind @ (Kind::Scalable | Kind::Sharded | Kind::Cuckoo)) = self.filter else {
            return Ok(());
        };
        if self.size_bits.is_some() {
            bail!(
                "--bits: a filter that is {} is sized by --capacity and --fpr",
                name(kind)
            );
        }
        Ok(())
    }

    fn capacity(&self) -> Result<u64> {
        let grown = self.grows().then_some(FIRST_STAGE);
        self.capacity
            .or(grown)
            .context("no size: give --capacity, or --bits and --hashes")
    }

    fn fpr(&self) -> f64 {
        self.fpr.unwrap_or(FPR)
    }

    fn spec(&self) -> Result<Spec> {
        Ok(Spec::new(self.capacity()?, self.fpr())?)
    }

    fn hashes(&self) -> Result<u32> {
        self.hashes
            .context("--bits alone does not settle the filter: give --hashes too")
    }

    /// --hashes where there is but one number of them.
    fn only_hashes(&self, only: u32) -> Result<()> {
        match self.hashes {
            Some(hashes) if hashes != only => {
                bail!("--hashes {hashes}: such a filter has {only}, always")
            }
            _ => Ok(()),
        }
    }

    /// What a filter that would be too large says of itself, with the bounds of its
    /// format and in the flags that were given.
    fn in_flags(&self, error: anyhow::Error) -> anyhow::Error {
        let remedy = match self.size_bits {
            Some(_) => "give fewer --bits",
            None => "lower --capacity or raise --fpr",
        };
        match error.downcast_ref() {
            Some(SpecError::TooLarge { size_bits }) => anyhow!(
                "the filter would take {size_bits:.3e} bits, and {} has at most {}: {remedy}",
                self.format,
                most(self.format)
            ),
            Some(SpecError::OutOfMemory { bytes }) => {
                anyhow!("{bytes} bytes of memory could not be had: {remedy}")
            }
            _ => error,
        }
    }

    /// --bits in units of so many.
    fn units(&self, size_bits: u64, unit: u64) -> Result<u64> {
        if !size_bits.is_multiple_of(unit) {
            let below = size_bits / unit * unit;
            // There is no filter of 0 bits, and no number above the last multiple.
            let below = Some(below).filter(|below| *below > 0);
            let whole = [below, size_bits.checked_next_multiple_of(unit)];
            let whole: Vec<String> = whole.iter().flatten().map(u64::to_string).collect();
            let whole = whole.join(" or ");
            bail!("--bits {size_bits} is no multiple of {unit}: take {whole}");
        }
        Ok(size_bits / unit)
    }
}

/// The largest filter that a format can hold, in words.
fn most(format: Format) -> &'static str {
    match format {
        Format::Guava | Format::Guava32 => "137438953408, for its file counts 2^31 - 1 longs",
        Format::Parquet => "17179868928, for its header counts 2^31 - 1 bytes",
        Format::GoZero => "4294967296, which are a Redis string of 512 MiB",
        Format::Redisson => "4294967294, for so many its own code takes",
        _ => "281474976710656 (2^48)",
    }
}

fn name(kind: Kind) -> String {
    let value = kind.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}

/// The empty filter.
///
/// # Errors
///
/// As [`Ask::check`], and what no such filter can be.
pub fn make(ask: &Ask) -> Result<Box<dyn Held>> {
    ask.check()?;
    let made = match (ask.format, ask.hasher) {
        (Format::Native, Some(Hashing::Xxh3Wide)) => native(ask, hasher::<Xxh3Wide>(ask)),
        (Format::Native, _) => native(ask, hasher::<Xxh3>(ask)),
        _ => foreign(ask),
    };
    made.map_err(|error| ask.in_flags(error))
}

fn hasher<H: SeededHasher>(ask: &Ask) -> H {
    H::from_seed(ask.seed.unwrap_or(0))
}

fn held(filter: impl Variant) -> Result<Box<dyn Held>> {
    Ok(Box::new(Native(filter)))
}

fn native<H: SeededHasher + 'static>(ask: &Ask, hasher: H) -> Result<Box<dyn Held>> {
    let kind = ask.filter.unwrap_or(Kind::Standard);
    if let Some(size_bits) = ask.size_bits {
        return of_size(ask, kind, size_bits, hasher);
    }
    let spec = ask.spec()?;
    match kind {
        Kind::Standard => held(StandardBloom::with_hasher(spec, hasher)?),
        Kind::Counting => held(CountingBloom::with_hasher(spec, hasher)?),
        Kind::Partitioned => held(PartitionedBloom::with_hasher(spec, hasher)?),
        Kind::Blocked => held(BlockedBloom::<Words64, H>::with_layout(spec, hasher)?),
        Kind::BlockedWords32 => held(BlockedBloom::<Words32, H>::with_layout(spec, hasher)?),
        Kind::BlockedLine => held(BlockedBloom::<Line, H>::with_layout(spec, hasher)?),
        Kind::Scalable => held(ScalableBloom::<StandardBloom<H>>::with_hasher(
            spec, hasher,
        )?),
        Kind::Sharded => held(ShardedBloom::<StandardBloom<H>>::with_hasher(spec, hasher)?),
        Kind::Cuckoo => held(CuckooFilter::with_hasher(spec, hasher)?),
    }
}

fn of_size<H: SeededHasher + 'static>(
    ask: &Ask,
    kind: Kind,
    size_bits: u64,
    hasher: H,
) -> Result<Box<dyn Held>> {
    let blocks = |block| ask.units(size_bits, block);
    match kind {
        Kind::Counting => {
            let counters = ask.units(size_bits, 4)?;
            let width = CounterBits::Four;
            held(CountingBloom::from_parts(
                counters,
                ask.hashes()?,
                width,
                hasher,
            )?)
        }
        Kind::Partitioned => held(PartitionedBloom::from_parts(
            size_bits,
            ask.hashes()?,
            hasher,
        )?),
        Kind::Blocked => {
            ask.only_hashes(8)?;
            held(BlockedBloom::from_parts(
                blocks(Words64::BLOCK_BITS)?,
                Words64,
                hasher,
            )?)
        }
        Kind::BlockedWords32 => {
            ask.only_hashes(8)?;
            held(BlockedBloom::from_parts(
                blocks(Words32::BLOCK_BITS)?,
                Words32,
                hasher,
            )?)
        }
        Kind::BlockedLine => {
            let layout = Line::new(ask.hashes()?)?;
            held(BlockedBloom::from_parts(
                blocks(Line::BLOCK_BITS)?,
                layout,
                hasher,
            )?)
        }
        _ => held(StandardBloom::from_parts(size_bits, ask.hashes()?, hasher)?),
    }
}

fn foreign(ask: &Ask) -> Result<Box<dyn Held>> {
    let format = ask.format;
    Ok(match (format, ask.size_bits) {
        (Format::Guava | Format::Guava32, size_bits) => boxed(guava(ask, size_bits)?, format),
        (Format::Parquet, Some(size_bits)) => {
            ask.only_hashes(8)?;
            let blocks = u32::try_from(ask.units(size_bits, 256)?);
            boxed(ParquetBloom::new(within(blocks, size_bits)?)?, format)
        }
        (Format::Parquet, None) => boxed(
            ParquetBloom::with_capacity(ask.capacity()?, ask.fpr())?,
            format,
        ),
        (Format::Redisbloom, _) => {
            let expansion = ask.grows().then_some(2);
            boxed(
                RedisBloom::reserve(ask.fpr(), ask.capacity()?, expansion)?,
                format,
            )
        }
        (Format::GoZero, size_bits) => {
            ask.only_hashes(GO_ZERO_HASHES)?;
            let advised = || Ok::<_, anyhow::Error>(ask.capacity()?.saturating_mul(GO_ZERO_BITS));
            let size_bits = size_bits.map_or_else(advised, Ok)?;
            boxed(GoZeroBloom::new(size_bits)?, format)
        }
        (Format::Redisson, Some(size_bits)) => {
            boxed(RedissonBloom::new(size_bits, ask.hashes()?)?, format)
        }
        (Format::Redisson, None) => boxed(
            RedissonBloom::with_estimates(ask.capacity()?, ask.fpr())?,
            format,
        ),
        (_, Some(size_bits)) => boxed(GoBloom::new(size_bits, ask.hashes()?)?, format),
        (_, None) => boxed(GoBloom::with_estimates(ask.capacity()?, ask.fpr())?, format),
    })
}

/// Both strategies have one sizing.
fn guava(ask: &Ask, size_bits: Option<u64>) -> Result<GuavaBloom> {
    let strategy = match ask.format {
        Format::Guava32 => Strategy::Mitz32,
        _ => Strategy::Mitz64,
    };
    let (size_bits, hashes) = match size_bits {
        Some(size_bits) => (size_bits, ask.hashes()?),
        None => {
            let created = Release::V33.optimal(ask.capacity()?, ask.fpr())?;
            (created.size_bits.next_multiple_of(64), created.hashes)
        }
    };
    let longs = ask.units(size_bits, 64)?;
    let longs = within(u32::try_from(longs), size_bits)?;
    Ok(GuavaBloom::new(strategy, longs, hashes)?)
}

/// A number of parts that is one of 32 bits, of so many bits in all.
fn within(parts: Result<u32, TryFromIntError>, size_bits: u64) -> Result<u32, SpecError> {
    parts.map_err(|_| SpecError::TooLarge {
        size_bits: size_bits as f64,
    })
}
