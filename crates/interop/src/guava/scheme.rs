//! The two strategies of Guava.

use bouquet_core::SpecError;

use super::{GuavaHash, Release};
use crate::scheme::{Array, locate_by_array};

/// The largest number of longs: the file stores the number as a signed 32-bit integer.
const MAX_LONGS: u32 = i32::MAX as u32;

fn array(longs: u32, hashes: u32) -> Result<Array, SpecError> {
    let size_bits = 64 * u64::from(longs);
    if longs > MAX_LONGS {
        return Err(SpecError::TooLarge {
            size_bits: size_bits as f64,
        });
    }
    Array::new(size_bits, hashes, u8::MAX.into())
}

/// The m and k that `create` of this release chooses, with m rounded up to whole longs.
fn created(release: Release, capacity: u64, target_fpr: f64) -> Result<Array, SpecError> {
    let optimal = release.optimal(capacity, target_fpr)?;
    let longs = optimal.size_bits.div_ceil(64);
    let longs = u32::try_from(longs).map_err(|_| SpecError::TooLarge {
        size_bits: optimal.size_bits as f64,
    })?;
    array(longs, optimal.hashes)
}

/// The strategy `MURMUR128_MITZ_64`. x starts as h1. For each of the k probes the location is (x
/// mod 2^63) mod m, and then h2 is added to x, wrapping.
///
/// ```
/// use bouquet_interop::guava::{GuavaHash, Mitz64, Release};
///
/// let scheme = Mitz64::create(Release::V31, 100, 0.01)?;
/// let hash = GuavaHash::of_bytes(b"rose");
/// assert!(scheme.locations(hash).all(|slot| slot < 960));
/// assert_eq!(scheme.locations(hash).count(), 7);
/// # Ok::<(), bouquet_interop::SpecError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mitz64 {
    array: Array,
}

impl Mitz64 {
    /// The scheme with m = 64 `longs` (1 to 2^31 - 1 longs) and k = `hashes` (1 to 255), as they
    /// are stored in a file.
    ///
    /// # Errors
    ///
    /// [`SpecError::ZeroSizeBits`], [`SpecError::TooLarge`],
    /// [`SpecError::HashesOutOfRange`].
    pub fn new(longs: u32, hashes: u32) -> Result<Self, SpecError> {
        array(longs, hashes).map(|array| Self { array })
    }

    /// The scheme with the m and k that `BloomFilter.create(funnel, capacity, target_fpr)` of this
    /// release chooses.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new) and [`Release::optimal`]. For some small capacities and high target
    /// FPRs the sizing gives 0 bits: Guava rejects those too.
    pub fn create(release: Release, capacity: u64, target_fpr: f64) -> Result<Self, SpecError> {
        created(release, capacity, target_fpr).map(|array| Self { array })
    }

    /// The k locations of a hash, in probe order.
    #[inline]
    pub fn locations(self, hash: GuavaHash) -> impl Iterator<Item = u64> {
        let mut x = hash.low;
        (0..self.array.hashes).map(move |_| {
            let location = self.array.size_bits.rem(x & (u64::MAX >> 1));
            x = x.wrapping_add(hash.high);
            location
        })
    }
}

/// The strategy `MURMUR128_MITZ_32`. With a and b the low and the high 32 bits of h1, for each i
/// from 1 to k: x = a + i b as a wrapping `i32`, with all bits inverted if it is negative; the
/// location is x mod m.
///
/// Only the first 2^31 bits are ever reached. Two keys have the same locations with probability
/// 2^-63, because the locations depend on a and b alone and (!a, -b) gives the same ones as (a, b).
/// Guava's `create` uses [`Mitz64`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mitz32 {
    array: Array,
}

impl Mitz32 {
    /// The scheme with m = 64 `longs` (1 to 2^31 - 1 longs) and k = `hashes` (1 to 255), as they
    /// are stored in a file.
    ///
    /// # Errors
    ///
    /// As [`Mitz64::new`].
    pub fn new(longs: u32, hashes: u32) -> Result<Self, SpecError> {
        array(longs, hashes).map(|array| Self { array })
    }

    /// The scheme with the same m and k as [`Mitz64::create`]: the sizing does not depend on the
    /// strategy.
    ///
    /// # Errors
    ///
    /// As [`Mitz64::create`].
    pub fn create(release: Release, capacity: u64, target_fpr: f64) -> Result<Self, SpecError> {
        created(release, capacity, target_fpr).map(|array| Self { array })
    }

    /// The k locations of a hash, in probe order.
    #[inline]
    pub fn locations(self, hash: GuavaHash) -> impl Iterator<Item = u64> {
        let [start, step] = [hash.low as u32, (hash.low >> 32) as u32];
        (1..=self.array.hashes).map(move |i| {
            let x = start.wrapping_add(i.wrapping_mul(step)) as i32;
            let x = if x < 0 { !x } else { x };
            self.array.size_bits.rem(x as u64)
        })
    }
}

locate_by_array!(Mitz64, GuavaHash);
locate_by_array!(Mitz32, GuavaHash);
