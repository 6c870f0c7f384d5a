//! Makes a filter from a request, or says why that is impossible.

use std::{num::TryFromIntError, sync::OnceLock};

use anyhow::{Context, Result, anyhow, bail};
use bouquet_catalogue::{
    self as catalogue, ExactSize, Foreign, Hasher, Variant, every, hash::Words,
};
use bouquet_core::{Locate as _, Spec, SpecError};
use bouquet_interop::{
    GoBloom, GoZeroBloom, GuavaBloom, ParquetBloom, RedisBloom, RedissonBloom,
    go_zero::{HASHES as GO_ZERO_HASHES, Scheme as GoZeroScheme},
    guava::{Release, Strategy},
};
use bouquet_scalable::{Full, PolicyError};
use clap::{ValueEnum, builder::PossibleValue};

use super::{
    AnyFilter, Format, HashKey, Hashing,
    foreign::System,
    hashing::{Origin, hashers},
    native::Native,
};

type Make = fn(&Request, &Kind) -> Result<Box<dyn AnyFilter>>;

/// A filter of the catalogue that a user can request.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    facts: &'static catalogue::Facts,
    about: &'static str,
}

impl Kind {
    /// The kinds that can be stored in files.
    fn all() -> &'static [Self] {
        static ALL: OnceLock<Vec<Kind>> = OnceLock::new();
        fn kind<V: Variant>() -> Option<Kind> {
            Some(Kind {
                facts: &V::FACTS,
                about: V::FACTS.about_file?,
            })
        }
        ALL.get_or_init(|| every!(kind).into_iter().flatten().collect())
    }
}

impl Kind {
    /// The filter that grows with its keys.
    pub fn growing() -> Option<Self> {
        Self::all().iter().find(|kind| kind.facts.grows).copied()
    }
}

impl ValueEnum for Kind {
    fn value_variants<'a>() -> &'a [Self] {
        Self::all()
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.facts.name).help(self.about))
    }
}

/// A request for a filter; `None` stands for the default.
#[derive(Clone, Debug)]
pub struct Request {
    pub format: Format,
    pub filter: Option<Kind>,
    pub hasher: Option<Hashing>,
    pub seed: Option<u64>,
    pub key: Option<HashKey>,
    pub capacity: Option<u64>,
    pub fpr: Option<f64>,
    pub size_bits: Option<u64>,
    pub hashes: Option<u32>,
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

    /// Whether the filter grows, so that its size need not be known.
    pub fn grows(&self) -> bool {
        match self.format {
            Format::Native => self.filter.is_some_and(|kind| kind.facts.grows),
            Format::Redisbloom => self.foreign() != Some(Foreign::Array),
            _ => false,
        }
    }

    /// The hash of a native filter.
    fn hashing(&self) -> Hashing {
        self.hasher.unwrap_or_default()
    }

    /// How the filter is represented in files of other systems.
    fn foreign(&self) -> Option<Foreign> {
        self.filter.and_then(|kind| kind.facts.foreign)
    }

    /// The target FPR, if the filter is sized for one.
    pub fn target_fpr(&self) -> Option<f64> {
        let advised = self.format == Format::GoZero && self.fpr.is_none();
        let sized_for_one = self.size_bits.is_none() && !advised;
        sized_for_one.then(|| self.fpr())
    }

    /// Rejects options that the format does not support.
    ///
    /// # Errors
    ///
    /// The message says why.
    pub fn check(&self) -> Result<()> {
        let format = self.format;
        let has_own = self.hasher.is_some() || self.seed.is_some() || self.key.is_some();
        if format != Format::Native && has_own {
            bail!("--hasher, --seed and --hash-key-file: {format} has one hash, with one seed");
        }
        self.hashing().check(self.seed, self.key.as_ref())?;
        let (may, what) = match format {
            Format::Native => return Ok(()),
            Format::Parquet => (&[Foreign::Blocks256][..], "blocks of 256 bits"),
            Format::Redisbloom => (
                &[Foreign::Chain, Foreign::Array][..],
                "a chain of arrays that grows, or (standard) one that does not",
            ),
            _ => (&[Foreign::Array][..], "one array of bits"),
        };
        if let Some(kind) = self.filter
            && !kind.facts.foreign.is_some_and(|own| may.contains(&own))
        {
            let name = kind.facts.name;
            bail!(
                "--filter {name}: the format {format} holds {what}, and nothing else: take another \
                 --to, as native"
            );
        }
        match format {
            Format::Redisbloom if self.size_bits.is_some() => bail!(
                "--bits: leave it out; the sizes of a chain of RedisBloom follow from --capacity \
                 and --fpr"
            ),
            _ => Ok(()),
        }
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

    /// The exact size in bits, and the number of probes if given.
    fn exact(&self, size_bits: u64) -> ExactSize {
        ExactSize {
            size_bits,
            hashes: self.hashes,
        }
    }

    /// Rewrites the error about an impossible size in terms of the format and of the flags that
    /// were given.
    pub fn in_flags(&self, error: anyhow::Error) -> anyhow::Error {
        let capacity = self.capacity.unwrap_or(FIRST_STAGE);
        let (given, remedy) = match self.size_bits {
            Some(bits) => (format!("--bits {bits}: "), "give fewer --bits"),
            None => (String::new(), "lower --capacity or raise --fpr"),
        };
        match wrong_spec(&error) {
            Some(SpecError::TooLarge { size_bits } | SpecError::AboveLimit { size_bits, .. }) => {
                anyhow!(
                    "the filter would take {size_bits:.3e} bits, more than {} can hold: {remedy}",
                    self.format
                )
            }
            Some(SpecError::BelowHashFloor { hash_bits, .. }) => anyhow!(
                "--capacity {capacity}: so many keys at an FPR of {:?} take a hash of more than \
                 {hash_bits} bits: give {}a lower --capacity or a higher --fpr",
                self.fpr(),
                if *hash_bits < 128 {
                    "--hasher xxh3-wide, "
                } else {
                    ""
                }
            ),
            Some(SpecError::Wasteful { ratio, .. }) => anyhow!(
                "--fpr {:?} takes {ratio:.1} times the bits of a standard filter in blocks: give \
                 --filter standard, or a higher --fpr",
                self.fpr()
            ),
            Some(SpecError::ZeroCapacity) => {
                anyhow!("--capacity {capacity}: give the number of keys to size it for, 1 at least")
            }
            Some(SpecError::HashesOutOfRange { hashes, max }) => {
                anyhow!("--hashes {hashes}: give a number from 1 to {max}")
            }
            Some(SpecError::OutOfMemory { bytes }) => {
                anyhow!("{given}{bytes} bytes of memory could not be allocated: {remedy}")
            }
            _ => error,
        }
    }
}

/// The error in the specification of a filter, or of a stage of a filter that grows.
fn wrong_spec(error: &anyhow::Error) -> Option<&SpecError> {
    match (error.downcast_ref(), error.downcast_ref()) {
        (Some(PolicyError::FirstStage(error)), _) | (_, Some(Full::NextStage(error))) => {
            Some(error)
        }
        _ => error.downcast_ref(),
    }
}

/// Makes an empty filter.
///
/// # Errors
///
/// As for [`Request::check`], or such a filter is impossible.
pub fn make(request: &Request) -> Result<Box<dyn AnyFilter>> {
    request.check()?;
    let kind = request.filter.as_ref().or(Kind::all().first());
    let made = match (request.format, kind) {
        (Format::Native, Some(kind)) => request.hashing().pick(&hashers!(made))?(request, kind),
        _ => foreign(request),
    };
    made.map_err(|error| request.in_flags(error))
}

/// Makes a native filter with this hash.
fn made<H: Hasher, O: Origin<H>>(_: Words) -> (u16, Make) {
    (H::ID, |request, kind| {
        type MakeOf<H> = fn(&Request, H) -> Result<Box<dyn AnyFilter>>;
        fn of<V: Variant, H: Hasher>() -> (&'static str, MakeOf<H>) {
            (V::FACTS.name, native::<V, H>)
        }
        let all = every!(of, H);
        let own = all.iter().find(|(name, _)| *name == kind.facts.name);
        let (_, make) = own.context("no filter is known")?;
        make(
            request,
            O::fresh(request.seed.unwrap_or(0), request.key.as_ref())?,
        )
    })
}

fn native<V: Variant, H: Hasher>(request: &Request, hasher: H) -> Result<Box<dyn AnyFilter>> {
    let filter = match request.size_bits {
        Some(size_bits) => V::of_size(&request.exact(size_bits), hasher)?,
        None => V::make(request.spec()?, hasher)?,
    };
    Ok(Box::new(Native(filter)))
}

fn foreign(request: &Request) -> Result<Box<dyn AnyFilter>> {
    let format = request.format;
    Ok(match (format, request.size_bits) {
        (Format::Guava | Format::Guava32, size_bits) => guava(request, size_bits)?.into_any(format),
        (Format::Parquet, Some(size_bits)) => {
            let exact = request.exact(size_bits);
            exact.only_hashes(8)?;
            let blocks = u32::try_from(exact.units(256)?);
            ParquetBloom::new(within(blocks, size_bits)?)?.into_any(format)
        }
        (Format::Parquet, None) => {
            ParquetBloom::with_capacity(request.capacity()?, request.fpr())?.into_any(format)
        }
        (Format::Redisbloom, _) => {
            let expansion = request.grows().then_some(2);
            RedisBloom::reserve(request.fpr(), request.capacity()?, expansion)?.into_any(format)
        }
        (Format::GoZero, size_bits) => {
            let size_bits = match (size_bits, request.fpr) {
                (Some(size_bits), _) => size_bits,
                (None, Some(fpr)) => GoZeroScheme::for_target(request.capacity()?, fpr)?.slots(),
                (None, None) => request.capacity()?.saturating_mul(GO_ZERO_BITS),
            };
            request.exact(size_bits).only_hashes(GO_ZERO_HASHES)?;
            GoZeroBloom::new(size_bits)?.into_any(format)
        }
        (Format::Redisson, Some(size_bits)) => {
            RedissonBloom::new(size_bits, request.exact(size_bits).hashes()?)?.into_any(format)
        }
        (Format::Redisson, None) => {
            RedissonBloom::with_estimates(request.capacity()?, request.fpr())?.into_any(format)
        }
        (_, Some(size_bits)) => {
            GoBloom::new(size_bits, request.exact(size_bits).hashes()?)?.into_any(format)
        }
        (_, None) => GoBloom::with_estimates(request.capacity()?, request.fpr())?.into_any(format),
    })
}

/// Both Guava strategies have the same sizing.
fn guava(request: &Request, size_bits: Option<u64>) -> Result<GuavaBloom> {
    let strategy = match request.format {
        Format::Guava32 => Strategy::Mitz32,
        _ => Strategy::Mitz64,
    };
    let (size_bits, hashes) = match size_bits {
        Some(size_bits) => (size_bits, request.exact(size_bits).hashes()?),
        None => {
            let created = Release::V33.optimal(request.capacity()?, request.fpr())?;
            (created.size_bits.next_multiple_of(64), created.hashes)
        }
    };
    let longs = request.exact(size_bits).units(64)?;
    let longs = within(u32::try_from(longs), size_bits)?;
    Ok(GuavaBloom::new(strategy, longs, hashes)?)
}

/// A number of parts as 32 bits; the error names the total number of bits.
fn within(parts: Result<u32, TryFromIntError>, size_bits: u64) -> Result<u32, SpecError> {
    parts.map_err(|_| SpecError::TooLarge {
        size_bits: size_bits as f64,
    })
}
