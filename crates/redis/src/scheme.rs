//! The schemes that map a key to bits of a Redis string, one type per scheme.

mod redis_bloom;

use std::{collections::HashMap, fmt::Debug, ops::Range, str::FromStr};

use bouquet_blocked::{BlockedBloom, Encode, Folded, Geometry, Layout, Words32};
use bouquet_core::{
    Inner, KeyHash, KeyHasher, Locate, Spec,
    math::{estimated_keys, fpr_given_fill},
};
use bouquet_format::{HEADER_BYTES, Header, variant};
use bouquet_interop::{
    go_zero::{self, GoZeroHash},
    redisson::{self, RedissonHash},
};

use redis::Value;
pub use redis_bloom::RedisBloom;

use crate::{Error, Result, Takes, trailer::Fields};

/// A scheme: it determines where a filter's keys are located in its string.
///
/// The trait is sealed, because a scheme must never change after a filter was stored with it.
pub trait Scheme:
    Clone
    + PartialEq
    + Debug
    + sealed::Sealed
    + Takes<[u8]>
    + Takes<Vec<u8>>
    + for<'a> Takes<&'a [u8]>
    + Takes<str>
    + Takes<String>
    + for<'a> Takes<&'a str>
{
    /// The name of the scheme.
    const NAME: &'static str;

    /// Whether another program stores settings of its own beside the string.
    const HAS_CONFIG: bool = false;

    /// The number of bits m that a key's probes range over.
    fn size_bits(&self) -> u64;

    /// Probes per key (k).
    fn hashes(&self) -> u32;
}

pub(crate) mod sealed {
    use super::*;

    pub trait Sealed: Sized {
        /// Whether all bits of a key are in one block of 32 bytes.
        const IS_BLOCKED: bool = false;
        /// Whether other programs also insert into strings of this scheme.
        const IS_SHARED: bool = false;
        /// The number that stands for the scheme in the settings.
        const ID: u8;

        /// The settings that another program reads in a second Redis key, if it has any.
        fn config(&self) -> Vec<(&'static str, String)> {
            Vec::new()
        }

        /// The number of a key's locations in each part of the string. A chain has several parts; a
        /// key is contained if one of them contains it, and is inserted into the last one.
        fn parts(&self) -> Vec<usize>
        where
            Self: Scheme,
        {
            vec![self.hashes() as usize]
        }

        /// Calls `visit` with the offset of each bit of a key, as the server counts bits.
        fn visit(&self, key: &[u8], visit: &mut dyn FnMut(u64));

        /// Number of bytes that the bits take.
        fn string_bytes(&self) -> u64
        where
            Self: Scheme,
        {
            self.size_bits().div_ceil(8)
        }

        /// The byte range of each part.
        fn part_bytes(&self) -> Vec<Range<u64>>
        where
            Self: Scheme,
        {
            std::iter::once(0..self.string_bytes()).collect()
        }

        /// The FPR of a filter whose parts have these fill ratios.
        fn fpr_now(&self, fills: &[f64]) -> f64
        where
            Self: Scheme,
        {
            fpr_given_fill(fills[0], self.hashes())
        }

        /// Appends the scheme's settings to `all`.
        fn put(&self, all: &mut Vec<u8>);

        /// Reads the scheme's settings. The error is a description of what is wrong.
        fn take(fields: &mut Fields<'_>) -> std::result::Result<Self, String>;

        /// The first parameter in which two schemes differ, with its name and both values.
        fn difference(&self, other: &Self) -> Option<Difference>
        where
            Self: Scheme,
        {
            differ([
                ("size_bits (m)", self.size_bits(), other.size_bits()),
                ("hashes (k)", self.hashes().into(), other.hashes().into()),
            ])
        }
    }
}

/// The name of a parameter in which two schemes differ, and its value in each.
pub(crate) type Difference = (&'static str, String, String);

pub(crate) fn differ<const N: usize>(pairs: [(&'static str, u64, u64); N]) -> Option<Difference> {
    let (name, here, there) = pairs.into_iter().find(|(_, here, there)| here != there)?;
    Some((name, here.to_string(), there.to_string()))
}

/// The scheme of go-zero with 14 probes, for a string that Go services and this crate share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GoZero(go_zero::Scheme);

impl GoZero {
    /// m = `size_bits`, the number that a Go service passes to `bloom.New`.
    ///
    /// # Errors
    ///
    /// [`Error::Spec`].
    pub fn new(size_bits: u64) -> Result<Self> {
        Ok(Self(go_zero::Scheme::new(size_bits)?))
    }

    /// The fewest bits for which the expected FPR at `capacity` with 14 probes meets the target.
    ///
    /// # Errors
    ///
    /// [`Error::Spec`].
    pub fn for_target(capacity: u64, target_fpr: f64) -> Result<Self> {
        Ok(Self(go_zero::Scheme::for_target(capacity, target_fpr)?))
    }
}

impl Scheme for GoZero {
    const NAME: &'static str = "go-zero";

    fn size_bits(&self) -> u64 {
        self.0.slots()
    }

    fn hashes(&self) -> u32 {
        self.0.probes()
    }
}

impl sealed::Sealed for GoZero {
    const IS_SHARED: bool = true;
    const ID: u8 = 1;

    fn visit(&self, key: &[u8], visit: &mut dyn FnMut(u64)) {
        self.0.locations(GoZeroHash::of(key)).for_each(visit);
    }

    fn put(&self, all: &mut Vec<u8>) {
        all.extend(self.size_bits().to_le_bytes());
        all.extend(self.hashes().to_le_bytes());
    }

    fn take(fields: &mut Fields<'_>) -> std::result::Result<Self, String> {
        let scheme = go_zero::Scheme::with_hashes(fields.number()?, fields.small()?);
        scheme.map(Self).map_err(|error| error.to_string())
    }
}

/// The scheme of Redisson, for a filter that Java services and this crate share, with keys of
/// `StringCodec` or `ByteArrayCodec`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Redisson {
    scheme: redisson::Scheme,
    pub(crate) capacity: u64,
    pub(crate) target_fpr: f64,
}

impl Redisson {
    /// The parameters that `tryInit(capacity, target_fpr)` chooses.
    ///
    /// # Errors
    ///
    /// [`Error::Spec`].
    pub fn new(capacity: u64, target_fpr: f64) -> Result<Self> {
        let chosen = redisson::optimal(capacity, target_fpr)?;
        Self::of(chosen.size_bits, chosen.hashes, (capacity, target_fpr))
    }

    pub(crate) fn of(
        size_bits: u64,
        hashes: u32,
        (capacity, target_fpr): (u64, f64),
    ) -> Result<Self> {
        /// More probes than any target FPR needs. The limit protects against settings written by
        /// another program.
        const MOST: u32 = 1024;
        if hashes > MOST {
            return Err(Error::Spec(bouquet_core::SpecError::HashesOutOfRange {
                hashes,
                max: MOST,
            }));
        }
        Ok(Self {
            scheme: redisson::Scheme::new(size_bits, hashes)?,
            capacity,
            target_fpr,
        })
    }

    /// Parses the settings that Redisson stored beside its string, from the reply to `HGETALL`.
    /// `None` if there are none.
    pub(crate) fn of_config(reply: Value) -> std::result::Result<Option<Self>, String> {
        let fields: HashMap<String, String> =
            redis::from_redis_value(reply).map_err(|error| error.to_string())?;
        if fields.is_empty() {
            return Ok(None);
        }
        fn number<T: FromStr>(
            fields: &HashMap<String, String>,
            name: &str,
        ) -> std::result::Result<T, String> {
            let parsed = fields.get(name).and_then(|value| value.parse().ok());
            parsed.ok_or_else(|| format!("the field {name:?} is not a number in range"))
        }
        let capacity = number(&fields, "expectedInsertions")?;
        let asked = (capacity, number(&fields, "falseProbability")?);
        let (size, hashes) = (number(&fields, "size")?, number(&fields, "hashIterations")?);
        Self::of(size, hashes, asked)
            .map(Some)
            .map_err(|error| error.to_string())
    }
}

impl Scheme for Redisson {
    const NAME: &'static str = "redisson";
    const HAS_CONFIG: bool = true;

    fn size_bits(&self) -> u64 {
        self.scheme.slots()
    }

    fn hashes(&self) -> u32 {
        self.scheme.probes()
    }
}

impl sealed::Sealed for Redisson {
    const IS_SHARED: bool = true;
    const ID: u8 = 2;

    fn config(&self) -> Vec<(&'static str, String)> {
        vec![
            ("size", self.size_bits().to_string()),
            ("hashIterations", self.hashes().to_string()),
            ("expectedInsertions", self.capacity.to_string()),
            ("falseProbability", self.target_fpr.to_string()),
        ]
    }

    fn visit(&self, key: &[u8], visit: &mut dyn FnMut(u64)) {
        self.scheme.locations(RedissonHash::of(key)).for_each(visit);
    }

    fn put(&self, all: &mut Vec<u8>) {
        all.extend(self.size_bits().to_le_bytes());
        all.extend(self.hashes().to_le_bytes());
        all.extend(self.capacity.to_le_bytes());
        all.extend(self.target_fpr.to_le_bytes());
    }

    fn take(fields: &mut Fields<'_>) -> std::result::Result<Self, String> {
        let (size, hashes) = (fields.number()?, fields.small()?);
        let asked = (fields.number()?, f64::from_bits(fields.number()?));
        Self::of(size, hashes, asked).map_err(|error| error.to_string())
    }
}

/// This project's own scheme: `BlockedBloom` with `Words32`, where all bits of a key are in one
/// block of 32 bytes. The string is the payload of the filter's file.
#[derive(Clone, PartialEq, Debug)]
pub struct Native {
    geometry: Geometry<Words32>,
    hasher: Folded,
    spec: Spec,
}

impl Native {
    /// The fewest blocks for which the expected FPR at `capacity` meets the target.
    ///
    /// # Errors
    ///
    /// [`Error::Spec`].
    pub fn new(capacity: u64, target_fpr: f64) -> Result<Self> {
        Self::with_hasher(capacity, target_fpr, Folded::default())
    }

    /// Like [`new`](Self::new), but with a given hasher, for another seed.
    ///
    /// # Errors
    ///
    /// [`Error::Spec`].
    pub fn with_hasher(capacity: u64, target_fpr: f64, hasher: Folded) -> Result<Self> {
        let spec = Spec::new(capacity, target_fpr)?;
        let geometry = Geometry::from_spec(&spec)?;
        Ok(Self {
            geometry,
            hasher,
            spec,
        })
    }

    /// The scheme of an existing filter.
    ///
    /// # Errors
    ///
    /// Currently none: every such filter can be stored.
    pub fn of(filter: &BlockedBloom<Words32>) -> Result<Self> {
        Self::of_header(&filter.header()).map_err(|why| Error::Damaged {
            name: String::new(),
            why,
        })
    }

    pub(crate) fn of_header(header: &Header) -> std::result::Result<Self, String> {
        let text = |error: bouquet_format::DecodeError| error.to_string();
        header.expect_variant(variant::BLOCKED).map_err(text)?;
        let [blocks, layout, hashes, ..] = header.parameters();
        if (layout, hashes) != (Words32::ID, 8) {
            return Err("the header is of another layout than Words32".into());
        }
        let hasher = Folded::with_seed(header.seed());
        header.expect_hasher(&hasher).map_err(text)?;
        let geometry = Geometry::new(blocks, Words32).map_err(|error| error.to_string())?;
        header.expect_slots(geometry.size_bits()).map_err(text)?;
        Ok(Self {
            geometry,
            hasher,
            spec: header.spec(),
        })
    }

    /// The header of the file in this project's format.
    pub(crate) fn header(&self) -> Header {
        let parameters = [self.geometry.blocks(), Words32::ID, self.hashes().into()];
        Header::new(variant::BLOCKED, &self.hasher, self.spec)
            .with_parameters(&parameters)
            .with_slots(self.size_bits())
    }

    pub(crate) fn hash(&self, key: &[u8]) -> KeyHash {
        self.hasher.hash(key)
    }

    pub(crate) fn visit_hash(&self, hash: KeyHash, visit: &mut dyn FnMut(u64)) {
        // The server counts the bits of a byte from the most significant one, the file format from
        // the least significant one.
        self.geometry.slots(hash).for_each(|slot| visit(slot ^ 7));
    }

    /// The capacity and the target FPR.
    pub fn spec(&self) -> Spec {
        self.spec
    }
}

impl Scheme for Native {
    const NAME: &'static str = "native";

    fn size_bits(&self) -> u64 {
        self.geometry.size_bits()
    }

    fn hashes(&self) -> u32 {
        self.geometry.hashes()
    }
}

impl sealed::Sealed for Native {
    const ID: u8 = 3;
    const IS_BLOCKED: bool = true;

    fn visit(&self, key: &[u8], visit: &mut dyn FnMut(u64)) {
        self.visit_hash(self.hash(key), visit);
    }

    fn fpr_now(&self, fills: &[f64]) -> f64 {
        let fill = fills[0];
        if fill >= 1.0 {
            // If all bits are set, the number of keys cannot be estimated.
            return 1.0;
        }
        // Keys are distributed unevenly over the blocks, so the FPR does not follow from the
        // overall fill ratio; it is computed from the estimated number of keys.
        let keys = estimated_keys(self.size_bits(), self.hashes(), fill);
        <BlockedBloom<Words32> as Inner>::expected_fpr_of(self.geometry, keys.round() as u64)
    }

    fn put(&self, all: &mut Vec<u8>) {
        all.extend(self.header().to_bytes());
    }

    fn take(fields: &mut Fields<'_>) -> std::result::Result<Self, String> {
        let bytes = fields.bytes::<{ HEADER_BYTES as usize }>()?;
        let header = Header::from_bytes(&bytes, 0).map_err(|error| error.to_string())?;
        Self::of_header(&header)
    }

    fn difference(&self, other: &Self) -> Option<Difference> {
        differ([
            ("size_bits (m)", self.size_bits(), other.size_bits()),
            (
                "seed of the hasher",
                self.hasher.seed(),
                other.hasher.seed(),
            ),
        ])
    }
}
