//! From a key to the server's bits: one type per scheme.

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

/// Where a filter's keys are in its string.
///
/// Sealed: a scheme never changes once stored.
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
    /// Its name.
    const NAME: &'static str;

    /// Whether another program has settings of its own beside the string.
    const HAS_CONFIG: bool = false;

    /// Bits that keys are located in (m).
    fn size_bits(&self) -> u64;

    /// Probes per key (k).
    fn hashes(&self) -> u32;
}

pub(crate) mod sealed {
    use super::*;

    pub trait Sealed: Sized {
        /// Keys are 32 neighbouring bytes.
        const IS_BLOCKED: bool = false;
        /// Whether other programs insert into strings of it.
        const IS_SHARED: bool = false;
        /// Its number in the settings.
        const ID: u8;

        /// Settings in another key, which another program reads, if it has any.
        fn config(&self) -> Vec<(&'static str, String)> {
            Vec::new()
        }

        /// Locations of a key in each of the parts of the string, of which a key is in one or more: a
        /// chain has several, and keys are inserted into the last.
        fn parts(&self) -> Vec<usize>
        where
            Self: Scheme,
        {
            vec![self.hashes() as usize]
        }

        /// Calls `visit` with each of the server's bits of a key.
        fn visit(&self, key: &[u8], visit: &mut dyn FnMut(u64));

        /// Bytes of the bits.
        fn string_bytes(&self) -> u64
        where
            Self: Scheme,
        {
            self.size_bits().div_ceil(8)
        }

        /// The bytes of each of the parts.
        fn part_bytes(&self) -> Vec<Range<u64>>
        where
            Self: Scheme,
        {
            std::iter::once(0..self.string_bytes()).collect()
        }

        /// The FPR of a filter with these shares of the bits of its parts set.
        fn fpr_now(&self, fills: &[f64]) -> f64
        where
            Self: Scheme,
        {
            fpr_given_fill(fills[0], self.hashes())
        }

        /// Writes its settings.
        fn put(&self, all: &mut Vec<u8>);

        /// Reads them, or says what is wrong.
        fn take(fields: &mut Fields<'_>) -> std::result::Result<Self, String>;

        /// The name and value of the first parameter in which two differ.
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

/// A parameter in which two schemes differ, and what it is in each.
pub(crate) type Difference = (&'static str, String, String);

pub(crate) fn differ<const N: usize>(pairs: [(&'static str, u64, u64); N]) -> Option<Difference> {
    let (name, here, there) = pairs.into_iter().find(|(_, here, there)| here != there)?;
    Some((name, here.to_string(), there.to_string()))
}

/// go-zero's 14 locations: a string that Go services and this crate share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GoZero(go_zero::Scheme);

impl GoZero {
    /// m = `size_bits`, as a Go service gives them to `bloom.New`.
    ///
    /// # Errors
    ///
    /// [`Error::Spec`].
    pub fn new(size_bits: u64) -> Result<Self> {
        Ok(Self(go_zero::Scheme::new(size_bits)?))
    }

    /// The fewest bits that meet the target FPR at capacity with 14 probes.
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

/// Redisson's locations: a filter that Java services and this crate share, for keys of
/// `StringCodec` or `ByteArrayCodec`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Redisson {
    scheme: redisson::Scheme,
    pub(crate) capacity: u64,
    pub(crate) target_fpr: f64,
}

impl Redisson {
    /// What `tryInit(capacity, target_fpr)` chooses.
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
        /// More than any target needs; the settings are another program's.
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

    /// What Redisson wrote beside its string, as `HGETALL` answers, if there is anything.
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

/// The project's own scheme: `BlockedBloom` with `Words32`, whose keys are 32
/// neighbouring bytes each. The string is the payload of its file.
#[derive(Clone, PartialEq, Debug)]
pub struct Native {
    geometry: Geometry<Words32>,
    hasher: Folded,
    spec: Spec,
}

impl Native {
    /// The fewest blocks that meet the target FPR at capacity.
    ///
    /// # Errors
    ///
    /// [`Error::Spec`].
    pub fn new(capacity: u64, target_fpr: f64) -> Result<Self> {
        Self::with_hasher(capacity, target_fpr, Folded::default())
    }

    /// The same with another seed.
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
    /// None at present: every such filter can be stored.
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

    /// The header of its file.
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
        // Within a byte the server counts from the most significant bit, and the format
        // from the least.
        self.geometry.slots(hash).for_each(|slot| visit(slot ^ 7));
    }

    /// Capacity and target FPR.
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
            // No number of keys is as likely as a larger one.
            return 1.0;
        }
        // Keys are not even over blocks, so that the fill of all does not tell.
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
