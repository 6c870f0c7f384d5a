//! The native scheme within one of many shards.

use crate::{Native, Scheme, scheme::sealed::Sealed, trailer::Fields};

/// What is left of a key's hash after its shard was split off, as the native scheme
/// locates it.
#[derive(Clone, PartialEq, Debug)]
pub struct NativeShard {
    native: Native,
    shards: u32,
    shard: u32,
}

impl NativeShard {
    pub(super) fn new(native: Native, shards: u32, shard: u32) -> Self {
        Self {
            native,
            shards,
            shard,
        }
    }

    pub(super) fn shards(&self) -> u32 {
        self.shards
    }

    pub(super) fn sibling(&self, shard: u32) -> Self {
        Self {
            shard,
            ..self.clone()
        }
    }

    /// The same shard of a filter that is rebuilt.
    pub(super) fn resized(&self, native: Native) -> Self {
        Self {
            native,
            ..self.clone()
        }
    }

    /// In what a shard differs that is not this one's, or does not hash as this one.
    /// Sizes may differ: a rebuild puts one shard after the other in its place.
    pub(super) fn difference(&self, other: &Self) -> Option<(&'static str, String, String)> {
        let seed = |shard: &Self| shard.native.header().seed();
        let pairs = [
            ("shards", u64::from(self.shards), other.shards.into()),
            ("shard", self.shard.into(), other.shard.into()),
            ("seed of the hasher", seed(self), seed(other)),
        ];
        let mut pairs = pairs.into_iter();
        let (name, here, there) = pairs.find(|(_, here, there)| here != there)?;
        Some((name, here.to_string(), there.to_string()))
    }

    pub(super) fn shard_of(&self, key: &[u8]) -> u32 {
        self.native.hash(key).split(self.shards.into()).0 as u32
    }
}

impl Scheme for NativeShard {
    const NAME: &'static str = "native-shard";

    fn size_bits(&self) -> u64 {
        self.native.size_bits()
    }

    fn hashes(&self) -> u32 {
        self.native.hashes()
    }
}

impl Sealed for NativeShard {
    const IS_BLOCKED: bool = true;
    const ID: u8 = 4;

    fn visit(&self, key: &[u8], visit: &mut dyn FnMut(u64)) {
        let (_, rest) = self.native.hash(key).split(self.shards.into());
        self.native.visit_hash(rest, visit);
    }

    fn fpr_now(&self, fills: &[f64]) -> f64 {
        self.native.fpr_now(fills)
    }

    fn put(&self, all: &mut Vec<u8>) {
        self.native.put(all);
        all.extend(self.shards.to_le_bytes());
        all.extend(self.shard.to_le_bytes());
    }

    fn take(fields: &mut Fields<'_>) -> Result<Self, String> {
        let found = Self {
            native: Native::take(fields)?,
            shards: fields.small()?,
            shard: fields.small()?,
        };
        if found.shard >= found.shards || found.shards > super::MAX_SHARDS {
            return Err("the number of the shard is not below that of all".into());
        }
        Ok(found)
    }

    fn difference(&self, other: &Self) -> Option<(&'static str, String, String)> {
        let own = self.native.difference(&other.native);
        own.or_else(|| self.difference(other))
    }
}
