//! The filter in the formats of serde: as its bytes. For a hasher with a secret
//! key there is `bouquet_format::serde::WithHasher`.

use bouquet_core::{Inner, SeededHasher};
use bouquet_format::{
    Decode, Encode,
    serde::{Deserialize, Deserializer, Serialize, Serializer},
};

use crate::ScalableBloom;

impl<F: Inner + Encode> Serialize for ScalableBloom<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        bouquet_format::serde::serialize(self, serializer)
    }
}

impl<'de, F> Deserialize<'de> for ScalableBloom<F>
where
    F: Inner<Hasher: SeededHasher> + Decode<Hasher = <F as Inner>::Hasher>,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        bouquet_format::serde::deserialize(deserializer)
    }
}
