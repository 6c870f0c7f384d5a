//! What of a filter a file can be.

use std::error::Error;

use anyhow::Result;
use bouquet_core::{Inspect, KeyHash, KeyHasher, Spec, SpecError, TryInsert};
use bouquet_format::{Decode, Encode, Header};

/// A hasher that filters are made with.
pub trait Hasher: KeyHasher + Send + Sync + 'static {}

impl<H: KeyHasher + Send + Sync + 'static> Hasher for H {}

/// A filter with its inner filters and its hasher.
pub trait File:
    TryInsert<Error: Error + Send + Sync + 'static, Hash = KeyHash>
    + Inspect
    + Encode
    + Decode<Hasher: Hasher>
    + 'static
{
    /// Whether a key that is present already is inserted again.
    const REPEATS: bool = true;

    /// Its hash function.
    fn key_hasher(&self) -> <Self as Decode>::Hasher;

    /// By its plain constructor, for a target FPR.
    fn made(spec: Spec, hasher: <Self as Decode>::Hasher) -> Result<Self, SpecError>;

    /// Takes in the keys of another.
    fn union(&mut self, other: &Self) -> Result<()>;

    /// Keys, if it counts them.
    fn counted_keys(&self) -> Option<u64> {
        None
    }

    /// Keys until it passes the FPR. None if it never does.
    fn keys_left(&self, target_fpr: f64) -> Option<u64> {
        let until = keys_until(target_fpr, |keys| self.expected_fpr(keys));
        Some(left(until, self.estimated_keys()))
    }

    /// The header of the first filter that it is made of.
    fn inner(&self) -> Option<Header> {
        None
    }
}

/// A file of a type that `unites`, or why it does not; then what else it does in its own way.
macro_rules! filed {
    ([$($generic:tt)*] $filter:ty, $unite:tt $($apart:expr)? ; $($own:item)*) => {
        impl<$($generic)*> $crate::file::File for $filter {
            fn made(
                spec: bouquet_core::Spec,
                hasher: <Self as bouquet_format::Decode>::Hasher,
            ) -> Result<Self, bouquet_core::SpecError> {
                #[allow(unused_imports, reason = "of a layout it is that of the trait")]
                use bouquet_core::Inner as _;
                <$filter>::with_hasher(spec, hasher)
            }

            fn key_hasher(&self) -> <Self as bouquet_format::Decode>::Hasher {
                <$filter>::hasher(self).clone()
            }

            $crate::file::filed!(@union $unite $($apart)?);
            $($own)*
        }
    };
    (@union unites) => {
        fn union(&mut self, other: &Self) -> anyhow::Result<()> {
            Ok(bouquet_core::Union::union_with(self, other)?)
        }
    };
    (@union ! $why:expr) => {
        fn union(&mut self, _: &Self) -> anyhow::Result<()> {
            anyhow::bail!($why)
        }
    };
}
pub(crate) use filed;

/// What the header of a filter's file says of its slots.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shape {
    pub size_bits: u64,
    /// Probes per key, where all parts have the same.
    pub hashes: Option<u64>,
    /// What it is made of, and how many.
    pub made_of: Option<(&'static str, u64)>,
    /// Bits of a slot, where it is no bit.
    pub slot_bits: Option<u64>,
}

/// Reads a file as what it is.
pub trait Load {
    type Loaded;
    /// The hasher that the file has.
    type Hasher: Hasher;

    fn load<F: File + Decode<Hasher = Self::Hasher>>(&self) -> Result<Self::Loaded>;
}

/// The most keys with which an FPR that only rises with them is at most
/// `target_fpr`.
pub fn keys_until(target_fpr: f64, expected_fpr: impl Fn(u64) -> f64) -> u64 {
    // No filter holds as many.
    let (mut below, mut above) = (0, 1 << 50);
    while above - below > 1 {
        let keys = below + (above - below) / 2;
        if expected_fpr(keys) <= target_fpr {
            below = keys;
        } else {
            above = keys;
        }
    }
    below
}

/// What is left of `until` keys; of infinitely many there is nothing left.
pub fn left(until: u64, estimated_keys: f64) -> u64 {
    // Casting saturates: negative is 0.
    (until as f64 - estimated_keys) as u64
}
