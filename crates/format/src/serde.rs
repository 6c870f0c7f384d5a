//! Filters in the serialisation formats of `serde`, as the bytes of the filter format and with
//! the same checks. Needs the feature `serde`.
//!
//! No [`Limits`](crate::Limits) are applied, only those of the deserialiser. For untrusted
//! input, deserialise the bytes (`serde_bytes::ByteBuf`), and pass them to
//! [`Decode::decode_with_limits`].

use alloc::vec::Vec;
use core::{fmt, marker::PhantomData};

use bouquet_core::SeededHasher;
use serde_core::de::{DeserializeSeed, Error, SeqAccess, Visitor};
pub use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Decode, DecodeError, Encode};

/// Serialises a filter as its encoded bytes, which are allocated.
///
/// # Errors
///
/// Those of the serialiser.
pub fn serialize<F: Encode, S: Serializer>(filter: &F, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bytes(&filter.encode())
}

/// Deserialises a filter whose hasher needs only its seed.
///
/// # Errors
///
/// Those of the deserialiser, and those of [`Decode::decode`].
pub fn deserialize<'de, F, D>(deserializer: D) -> Result<F, D::Error>
where
    F: Decode<Hasher: SeededHasher>,
    D: Deserializer<'de>,
{
    deserializer.deserialize_byte_buf(Bytes(F::decode))
}

/// Implements [`Serialize`] and [`Deserialize`] for a filter by its encoded bytes.
#[doc(hidden)]
#[macro_export]
macro_rules! serde_traits {
    ([$($encoded:tt)*] [$($decoded:tt)*] $filter:ty) => {
        impl<$($encoded)*> $crate::serde::Serialize for $filter {
            fn serialize<S: $crate::serde::Serializer>(
                &self,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                $crate::serde::serialize(self, serializer)
            }
        }

        impl<'de, $($decoded)*> $crate::serde::Deserialize<'de> for $filter {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                $crate::serde::deserialize(deserializer)
            }
        }
    };
}

/// Deserialises a filter with the hasher that it was created with: the only method for a hasher
/// with a secret key.
#[derive(Clone, Copy, Debug)]
pub struct WithHasher<F: Decode> {
    hasher: F::Hasher,
    filter: PhantomData<F>,
}

impl<F: Decode> WithHasher<F> {
    /// Deserialises with this hasher.
    pub const fn new(hasher: F::Hasher) -> Self {
        Self {
            hasher,
            filter: PhantomData,
        }
    }
}

impl<'de, F: Decode> DeserializeSeed<'de> for WithHasher<F> {
    type Value = F;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<F, D::Error> {
        deserializer.deserialize_byte_buf(Bytes(|bytes: &[u8]| F::decode_with(bytes, self.hasher)))
    }
}

/// Accepts bytes in any representation of the serialisation format, and decodes them.
struct Bytes<T>(T);

impl<'de, F, T> Visitor<'de> for Bytes<T>
where
    T: FnOnce(&[u8]) -> Result<F, DecodeError>,
{
    type Value = F;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bytes of a Bouquet filter")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<F, E> {
        (self.0)(bytes).map_err(E::custom)
    }

    /// Formats without a type for bytes represent them as a sequence of numbers.
    fn visit_seq<A: SeqAccess<'de>>(self, mut numbers: A) -> Result<F, A::Error> {
        // No memory is reserved by the length that the input states, because it is not trusted.
        let mut bytes = Vec::new();
        while let Some(byte) = numbers.next_element::<u8>()? {
            bytes.push(byte);
        }
        self.visit_bytes(&bytes)
    }
}
