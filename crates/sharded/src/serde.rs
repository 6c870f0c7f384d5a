//! The filters in the formats of serde: as their bytes. For a hasher with a secret
//! key there is `bouquet_format::serde::WithHasher`.

use bouquet_core::{Inner, KeyHasher, SeededHasher};
use bouquet_format::{
    Decode, Encode,
    serde::{Deserialize, Deserializer, Serialize, Serializer},
};

use crate::{AtomicBloom, ShardedBloom};

impl<F: Inner + Encode> Serialize for ShardedBloom<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        bouquet_format::serde::serialize(self, serializer)
    }
}

impl<'de, F> Deserialize<'de> for ShardedBloom<F>
where
    F: Inner<Hasher: SeededHasher> + Decode<Hasher = <F as Inner>::Hasher>,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        bouquet_format::serde::deserialize(deserializer)
    }
}

impl<H: KeyHasher> Serialize for AtomicBloom<H> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        bouquet_format::serde::serialize(self, serializer)
    }
}

impl<'de, H: SeededHasher> Deserialize<'de> for AtomicBloom<H> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        bouquet_format::serde::deserialize(deserializer)
    }
}
