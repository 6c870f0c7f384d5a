//! The native scheme within one of many shards.

use crate::{
    Native, Scheme,
    scheme::{Difference, differ, sealed::Sealed},
    trailer::Fields,
};

/// The scheme of one shard: a part of a key's hash selects the shard, and the native scheme locates
/// the key with the rest of the hash.
#[derive(Clone, PartialEq, Debug)]
pub struct NativeShard {
    pub(super) native: Native,
    pub(super) shards: u32,
    pub(super) shard: u32,
}

impl NativeShard {
    /// The first parameter by which `other` is not the shard of this filter with the number
    /// `shard`. Sizes may differ, because a rebuild replaces one shard after the other.
    pub(super) fn difference(&self, other: &Self, shard: u32) -> Option<Difference> {
        let seed = |shard: &Self| shard.native.header().seed();
        differ([
            ("shards", self.shards.into(), other.shards.into()),
            ("shard", shard.into(), other.shard.into()),
            ("seed of the hasher", seed(self), seed(other)),
        ])
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

    fn difference(&self, other: &Self) -> Option<Difference> {
        let own = self.native.difference(&other.native);
        own.or_else(|| self.difference(other, self.shard))
    }
}
