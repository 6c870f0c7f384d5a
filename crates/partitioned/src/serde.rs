//! The filter in the formats of serde: as its bytes. For a hasher with a secret
//! key there is `bouquet_format::serde::WithHasher`.

use bouquet_core::{KeyHasher, SeededHasher};
use bouquet_format::serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::PartitionedBloom;

impl<H: KeyHasher> Serialize for PartitionedBloom<H> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        bouquet_format::serde::serialize(self, serializer)
    }
}

impl<'de, H: SeededHasher> Deserialize<'de> for PartitionedBloom<H> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        bouquet_format::serde::deserialize(deserializer)
    }
}
