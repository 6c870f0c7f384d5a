//! The key types that a filter accepts: those of the system with which it is shared.

use bouquet_core::Key;
use bouquet_interop::{GoKey, RedisKey};

use crate::{GoZero, Native, RedisBloom, Redisson, RemoteBf, sharded::NativeShard};

/// A scheme whose filters accept keys of type `K`. [`Native`] accepts every [`Key`], [`GoZero`]
/// every [`GoKey`], and [`Redisson`], [`RedisBloom`] and [`RemoteBf`] every [`RedisKey`]. Text and
/// bytes are keys of every [`Scheme`](crate::Scheme).
///
/// It is implemented for all schemes of this crate; do not implement it yourself.
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

/// The bytes of all `keys`.
pub(crate) fn all_bytes_of<S: Takes<K>, K>(keys: &[K]) -> Vec<Vec<u8>> {
    keys.iter().map(S::bytes_of).collect()
}
