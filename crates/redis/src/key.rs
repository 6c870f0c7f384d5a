//! Which keys a filter takes: those of the system that it is shared with.

use bouquet_core::Key;
use bouquet_interop::{GoKey, RedisKey};

use crate::{GoZero, Native, RedisBloom, Redisson, RemoteBf, sharded::NativeShard};

/// A scheme whose filters take keys of type `K`: [`Native`] ones any [`Key`], those of [`GoZero`]
/// a [`GoKey`], those of [`Redisson`], [`RedisBloom`] and [`RemoteBf`] a [`RedisKey`]. Text and bytes are keys of every
/// [`Scheme`](crate::Scheme).
///
/// Implemented for all of them; never by hand.
pub trait Takes<K: ?Sized> {
    /// The bytes that are hashed.
    fn bytes_of(key: &K) -> Vec<u8>;
}

macro_rules! takes {
    ($($filter:ty: $key:ident),*) => {$(
        impl<K: $key + ?Sized> Takes<K> for $filter {
            fn bytes_of(key: &K) -> Vec<u8> {
                key.with_bytes(<[u8]>::to_vec)
            }
        }
    )*};
}
takes!(Native: Key, NativeShard: Key, GoZero: GoKey, Redisson: RedisKey, RedisBloom: RedisKey,
    RemoteBf: RedisKey);

/// The bytes of some keys.
pub(crate) fn all_bytes_of<S: Takes<K>, K>(keys: &[K]) -> Vec<Vec<u8>> {
    keys.iter().map(S::bytes_of).collect()
}
