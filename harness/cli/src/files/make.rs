//! Makes a filter from a request, or says why that is impossible.

use std::sync::OnceLock;

use anyhow::{Context, Result, anyhow, bail};
use bouquet_catalogue::theory;
use bouquet_catalogue::{
    self as catalogue, ExactSize, FilterInfo, Foreign as Holds, Hasher, for_each_filter,
};
use bouquet_core::{Spec, SpecError};
use bouquet_interop::{
    GoBloom, GoZeroBloom, GuavaBloom, ParquetBloom, RedisBloom, RedissonBloom,
    go_zero::HASHES as GO_ZERO_HASHES,
    guava::{Release, Strategy},
};
use clap::{ValueEnum, builder::PossibleValue};

use super::{
    AnyFilter, Format, Hashing, SecretArgs,
    foreign::{Foreign, System},
    hashing::Origin,
    native::Native,
};

/// A filter of the catalogue that a user can request.
#[derive(Clone, Copy, Debug)]
pub struct Kind(&'static catalogue::Facts);

impl Kind {
    /// The kinds that can be stored in files.
    fn all() -> &'static [Self] {
        static ALL: OnceLock<Vec<Kind>> = OnceLock::new();
        fn kind<V: FilterInfo>() -> Option<Kind> {
            V::FACTS.about_file.map(|_| Kind(&V::FACTS))
        }
        ALL.get_or_init(|| for_each_filter!(kind).into_iter().flatten().collect())
    }

    /// The kind of filter that grows with its keys.
    pub fn growing() -> Option<Self> {
        Self::all().iter().find(|kind| kind.0.grows).copied()
    }
}

impl ValueEnum for Kind {
    fn value_variants<'a>() -> &'a [Self] {
        Self::all()
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name).help(self.0.about_file?))
    }
}

/// A request for a filter; `None` stands for the default.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Request {
    /// The format of the file that is written.
    #[arg(
        long = "to",
        value_enum,
        value_name = "FORMAT",
        default_value = "native"
    )]
    pub format: Format,
    /// The variant. [default: standard, or what the format holds]
    #[arg(long, value_enum)]
    pub filter: Option<Kind>,
    /// Keys to size it for (n).
    #[arg(long, value_name = "N", value_parser = theory::whole::<u64>)]
    pub capacity: Option<u64>,
    /// Target false-positive rate, a share. [default: 0.01]
    #[arg(long, value_name = "P", value_parser = theory::fpr)]
    pub fpr: Option<f64>,
    /// Bits of storage in all (m).
    #[arg(long = "bits", value_name = "M", value_parser = theory::whole::<u64>)]
    #[arg(conflicts_with_all = ["capacity", "fpr"])]
    pub size_bits: Option<u64>,
    /// Probes per key (k).
    #[arg(long, value_name = "K", requires = "size_bits", value_parser = theory::whole::<u32>)]
    pub hashes: Option<u32>,
    /// The hash of a native filter. [default: folded]
    #[arg(long, value_enum)]
    pub hasher: Option<Hashing>,
    /// The seed of that hash. [default: 0]
    #[arg(long, value_name = "S", value_parser = theory::whole::<u64>)]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub secret: SecretArgs,
}

/// The default target FPR.
const FPR: f64 = 0.01;

/// The default capacity of the first stage of a filter that grows.
const FIRST_STAGE: u64 = 1 << 16;

/// The bits per key that go-zero's authors recommend.
const GO_ZERO_BITS: u64 = 20;

impl Request {
    /// Whether the request determines the size of the filter.
    pub fn is_sized(&self) -> bool {
        self.capacity.is_some() || self.size_bits.is_some()
    }

    /// Whether the filter grows, so that the number of keys need not be known in advance.
    pub fn grows(&self) -> bool {
        match self.format {
            Format::Native => self.filter.is_some_and(|kind| kind.0.grows),
            Format::Redisbloom => self.holds() != Some(Holds::Array),
            _ => false,
        }
    }

    /// Whether the filter forgets its oldest keys, so that it never has too many.
    pub fn forgets(&self) -> bool {
        self.format == Format::Native && self.filter.is_some_and(|kind| kind.0.forgets)
    }

    /// How the requested filter is represented in files of other systems, if that is possible.
    fn holds(&self) -> Option<Holds> {
        self.filter.and_then(|kind| kind.0.foreign)
    }

    /// Rejects options that the format does not support.
    ///
    /// # Errors
    ///
    /// The message says why.
    pub fn check(&self) -> Result<()> {
        let format = self.format;
        let key = self.secret.hash_key_file.as_ref();
        let has_own = self.hasher.is_some() || self.seed.is_some() || key.is_some();
        if format != Format::Native && has_own {
            bail!("--hasher, --seed and --hash-key-file: {format} has one hash, with one seed");
        }
        self.hasher.unwrap_or_default().check(self.seed, key)?;
        let may: &[Holds] = match format {
            Format::Native => return Ok(()),
            Format::Parquet => &[Holds::Blocks256],
            Format::Redisbloom => &[Holds::Chain, Holds::Array],
            _ => &[Holds::Array],
        };
        if let Some(kind) = self.filter
            && !self.holds().is_some_and(|own| may.contains(&own))
        {
            let name = kind.0.name;
            bail!("--filter {name}: the format {format} cannot hold it: use --to native");
        }
        if format == Format::Redisbloom && self.size_bits.is_some() {
            bail!("--bits: RedisBloom's sizes follow from --capacity and --fpr: leave out --bits");
        }
        Ok(())
    }

    fn capacity(&self) -> Result<u64> {
        let grown = self.grows().then_some(FIRST_STAGE);
        let capacity = self.capacity.or(grown);
        capacity.context("no size: give --capacity, or --bits and --hashes")
    }

    pub fn fpr(&self) -> f64 {
        self.fpr.unwrap_or(FPR)
    }

    /// Rewords an error about an impossible size in terms of the flags that were given.
    pub fn in_flags(&self, error: anyhow::Error) -> anyhow::Error {
        let Some(wrong) = catalogue::spec_error(&error) else {
            return error;
        };
        if let Some(bits) = self.size_bits {
            return match wrong {
                SpecError::TooLarge { .. }
                | SpecError::AboveLimit { .. }
                | SpecError::OutOfMemory { .. } => anyhow!(
                    "--bits {bits} is more than the format {} or the memory has room for: give \
                     fewer --bits",
                    self.format
                ),
                wrong => anyhow!("--bits {bits}: {wrong}"),
            };
        }
        let capacity = self.capacity.unwrap_or(FIRST_STAGE);
        let given = format!("--capacity {capacity} --fpr {:?}", self.fpr());
        match wrong {
            SpecError::BelowHashFloor {
                hash_bits: ..128, ..
            } => anyhow!(
                "{given}: a hash of 64 bits has too many collisions: use --hasher xxh3-wide"
            ),
            SpecError::BelowHashFloor { .. } => anyhow!(
                "{given}: a hash of 128 bits has too many collisions: lower the capacity or raise \
                 --fpr"
            ),
            SpecError::Wasteful { ratio, .. } => anyhow!(
                "{given}: that takes {ratio:.0} times the bits of a standard filter: use --filter \
                 standard, or raise --fpr"
            ),
            wrong => anyhow!("{given}: {wrong}"),
        }
    }
}

/// Makes an empty filter.
///
/// # Errors
///
/// As for [`Request::check`], or a filter of this size is impossible.
pub fn make(request: &Request) -> Result<Box<dyn AnyFilter>> {
    request.check()?;
    let kind = request.filter.as_ref().or(Kind::all().first());
    let made = match (request.format, kind) {
        (Format::Native, Some(kind)) => (request.hasher.unwrap_or_default().make)(request, kind),
        (format, _) => foreign(request).map(|filter| Box::new(Foreign { format, filter }) as _),
    };
    made.map_err(|error| request.in_flags(error))
}

/// Makes a native filter with a hasher of type `H`.
pub fn made<H: Hasher, O: Origin<H>>(request: &Request, kind: &Kind) -> Result<Box<dyn AnyFilter>> {
    type MakeOf<H> = fn(&Request, H) -> Result<Box<dyn AnyFilter>>;
    fn of<V: FilterInfo, H: Hasher>() -> (&'static str, MakeOf<H>) {
        (V::FACTS.name, |request, hasher| {
            let filter = match request.size_bits {
                Some(size_bits) => {
                    let hashes = request.hashes;
                    V::of_size(&ExactSize { size_bits, hashes }, hasher)?
                }
                None => V::make(Spec::new(request.capacity()?, request.fpr())?, hasher)?,
            };
            Ok(Box::new(Native(filter)))
        })
    }
    let all = for_each_filter!(of, H);
    let own = all.iter().find(|(name, _)| *name == kind.0.name);
    let (_, make) = own.context("no filter is known")?;
    let key = request.secret.hash_key_file.as_ref();
    make(request, O::hasher(request.seed.unwrap_or(0), None, key)?)
}

fn foreign(request: &Request) -> Result<System> {
    let (capacity, fpr, hashes) = (request.capacity(), request.fpr(), request.hashes);
    let size = request.size_bits;
    let exact = size.map(|size_bits| ExactSize { size_bits, hashes });
    Ok(match (request.format, exact) {
        (Format::Guava | Format::Guava32, exact) => {
            // In Guava, the size does not depend on the hash strategy.
            let (size_bits, hashes) = match exact {
                Some(exact) => (exact.size_bits, exact.hashes()?),
                None => {
                    let created = Release::V33.optimal(capacity?, fpr)?;
                    (created.size_bits.next_multiple_of(64), created.hashes)
                }
            };
            let strategy = match request.format {
                Format::Guava32 => Strategy::Mitz32,
                _ => Strategy::Mitz64,
            };
            System::Guava(GuavaBloom::new(strategy, units(size_bits, 64)?, hashes)?)
        }
        (Format::Parquet, Some(exact)) => {
            exact.only_hashes(8)?;
            System::Parquet(ParquetBloom::new(units(exact.size_bits, 256)?)?)
        }
        (Format::Parquet, None) => System::Parquet(ParquetBloom::with_capacity(capacity?, fpr)?),
        (Format::Redisbloom, _) => {
            let expansion = request.grows().then_some(2);
            System::RedisBloom(RedisBloom::reserve(fpr, capacity?, expansion)?)
        }
        (Format::GoZero, Some(exact)) => {
            exact.only_hashes(GO_ZERO_HASHES)?;
            System::GoZero(GoZeroBloom::new(exact.size_bits)?)
        }
        (Format::GoZero, None) => System::GoZero(match request.fpr {
            Some(fpr) => GoZeroBloom::for_target(capacity?, fpr)?,
            None => GoZeroBloom::new(capacity?.saturating_mul(GO_ZERO_BITS))?,
        }),
        (Format::Redisson, Some(exact)) => {
            System::Redisson(RedissonBloom::new(exact.size_bits, exact.hashes()?)?)
        }
        (Format::Redisson, None) => {
            System::Redisson(RedissonBloom::with_estimates(capacity?, fpr)?)
        }
        (_, Some(exact)) => System::Go(GoBloom::new(exact.size_bits, exact.hashes()?)?),
        (_, None) => System::Go(GoBloom::with_estimates(capacity?, fpr)?),
    })
}

/// Converts a size in bits to units of `unit` bits. Their number must fit into 32 bits.
fn units(size_bits: u64, unit: u64) -> Result<u32> {
    let hashes = None;
    let units = ExactSize { size_bits, hashes }.units(unit)?;
    let too_large = SpecError::TooLarge {
        size_bits: size_bits as f64,
    };
    Ok(u32::try_from(units).map_err(|_| too_large)?)
}
