//! The native scheme within one of many shards.

use crate::{Error, Native, Result, Scheme, scheme::sealed::Sealed, settings::Fields};

/// What is left of a key's hash after its shard was split off, as the native scheme
/// locates it.
#[derive(Clone, PartialEq, Debug)]
pub struct NativeShard {
    native: Native,
    shards: u32,
    shard: u32,
    /// The same in all shards of one filter, and different in others.
    set: u64,
}

impl NativeShard {
    pub(super) fn new(native: Native, shards: u32, shard: u32, set: u64) -> Self {
        Self {
            native,
            shards,
            shard,
            set,
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
            ("set of shards", self.set, other.set),
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

    fn visit(&self, key: &[u8], visit: &mut dyn FnMut(u64)) {
        let (_, rest) = self.native.hash(key).split(self.shards.into());
        self.native.visit_hash(rest, visit);
    }

    fn string_bytes(&self) -> u64 {
        self.native.string_bytes()
    }

    fn fpr_now(&self, fill: f64) -> f64 {
        self.native.fpr_now(fill)
    }

    fn put(&self, fields: &mut Fields) {
        self.native.put(fields);
        fields.put_number("shards", self.shards.into());
        fields.put_number("shard", self.shard.into());
        fields.put_number("set", self.set);
    }

    fn take(fields: &Fields) -> Result<Self> {
        let found = Self {
            native: Native::take(fields)?,
            shards: fields.small("shards")?,
            shard: fields.small("shard")?,
            set: fields.number("set")?,
        };
        if found.shard >= found.shards || found.shards > super::MAX_SHARDS {
            return Err(not_in_range(fields));
        }
        Ok(found)
    }

    fn difference(&self, other: &Self) -> Option<(&'static str, String, String)> {
        let own = self.native.difference(&other.native);
        own.or_else(|| self.difference(other))
    }
}

fn not_in_range(fields: &Fields) -> Error {
    fields.damaged("the number of the shard is not below that of all".into())
}
