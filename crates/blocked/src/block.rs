//! The operations of one key on its block: everything that an insert or a query does to memory.
//!
//! The arithmetic is the same on every processor. It is written once in plain Rust
//! ([`portable`]), and again for each kind of vector unit that makes it faster. All of these
//! backends set and find the same bits; the tests compare each with the portable one.
//!
//! | | one key at a time | batches |
//! | --- | --- | --- |
//! | x86-64 without `-C target-cpu` | AVX-512 or AVX2 if available, else a word a turn | the same, else portable |
//! | x86-64 built for AVX2 (`-C target-cpu`) | AVX-512 if available, else AVX2 | the same |
//! | AArch64 | NEON, which all that run an operating system have | NEON |
//! | any other, or `--cfg bouquet_portable` | portable | portable |
//!
//! In batches, AVX-512 is used for blocks of 64-bit words only. Each filter detects the
//! processor's features when it is created and keeps the result ([`Best`]) for single keys,
//! whose operations are then compiled into the caller's code as `asm!`.

use core::borrow::Borrow;

mod array;
#[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
mod avx2;
#[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
mod avx512;
mod batch;
mod best;
#[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
mod compiled_for;
#[cfg(all(
    target_arch = "aarch64",
    target_feature = "neon",
    target_endian = "little",
    not(bouquet_portable)
))]
mod neon;
#[allow(
    dead_code,
    reason = "where another way is compiled in it is the reference in tests"
)]
mod portable;
#[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
mod scalar;

pub(crate) use array::Array;
#[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
pub(crate) use avx2::Avx2;
#[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
pub(crate) use avx512::Avx512;
pub(crate) use batch::{hold_all, hold_all_by, take_all};
pub(crate) use best::Best;
#[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
pub(crate) use best::Single;
#[allow(unused_imports, reason = "likewise")]
pub(crate) use portable::Portable;

/// The best backend known at compile time, used if the detection at run time finds no better
/// one.
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx2",
    target_feature = "bmi2",
    not(bouquet_portable)
))]
pub(crate) const KNOWN: Avx2 = Avx2::COMPILED_IN;
#[cfg(all(
    target_arch = "aarch64",
    target_feature = "neon",
    target_endian = "little",
    not(bouquet_portable)
))]
pub(crate) const KNOWN: neon::Neon = neon::Neon::COMPILED_IN;
#[cfg(any(
    bouquet_portable,
    not(any(
        all(
            target_arch = "x86_64",
            target_feature = "avx2",
            target_feature = "bmi2"
        ),
        all(
            target_arch = "aarch64",
            target_feature = "neon",
            target_endian = "little"
        ),
    ))
))]
pub(crate) const KNOWN: Portable = Portable;

/// An implementation of the block operations. `holds` methods return whether all slots of a key
/// are set in its block; `take` methods set them and return whether one of them was clear.
pub trait Backend: Copy {
    /// For eight words of 64 bits, with one slot in each; see [`Words64`](crate::Words64).
    fn holds_64(self, block: &[u64; 8], probe: u64) -> bool;
    /// Sets the slots that `holds_64` tests.
    fn take_64(self, block: &mut [u64; 8], probe: u64) -> bool;
    /// For eight words of 32 bits, two in each `u64`, with one slot in each; see
    /// [`Words32`](crate::Words32).
    fn holds_32(self, block: &[u64; 4], probe: u64) -> bool;
    /// Sets the slots that `holds_32` tests.
    fn take_32(self, block: &mut [u64; 4], probe: u64) -> bool;

    /// Like `holds_32`, with the slots of [`salted`].
    #[inline(always)]
    fn holds_salted(self, block: &[u64; 4], hash: u32) -> bool {
        self.holds_32(block, salted(hash))
    }

    /// Like `take_32`, with the slots of [`salted`].
    #[inline(always)]
    fn take_salted(self, block: &mut [u64; 4], hash: u32) -> bool {
        self.take_32(block, salted(hash))
    }
}

/// The eight odd multipliers of Parquet's filter, one for each 32-bit word of a block.
pub const SALTS: [u32; 8] = [
    0x47b6_137b,
    0x4497_4d91,
    0x8824_ad5b,
    0xa2b7_289d,
    0x7054_95c7,
    0x2df1_424b,
    0x9efc_4947,
    0x5c6b_fb31,
];

/// The probe whose slots in [`Words32`](crate::Words32) are those that Parquet computes from 32
/// bits of a hash.
pub(crate) fn salted(hash: u32) -> u64 {
    let slots = SALTS.map(|salt| u64::from(hash.wrapping_mul(salt) >> 27));
    slots
        .into_iter()
        .rev()
        .fold(0, |probe, slot| probe << 5 | slot)
}

/// The words of a block, as an array.
pub trait Block: Sized + Copy {
    /// The bytes of a block in a file; see [`Blocks`].
    type Bytes: Copy;
    /// The complete blocks in the words of a file.
    fn all_stored(words: &[[u8; 8]]) -> &[Self::Bytes];
    /// Reads a block of a file.
    fn of(bytes: &Self::Bytes) -> Self;
    /// The complete blocks in these words.
    fn all(words: &[u64]) -> &[Self];
    /// The complete blocks in these words, for writing.
    fn all_mut(words: &mut [u64]) -> &mut [Self];
}

impl<const N: usize> Block for [u64; N] {
    type Bytes = [[u8; 8]; N];

    #[inline(always)]
    fn all_stored(words: &[[u8; 8]]) -> &[Self::Bytes] {
        words.as_chunks().0
    }

    #[inline(always)]
    fn of(bytes: &Self::Bytes) -> Self {
        bytes.map(u64::from_le_bytes)
    }

    #[inline(always)]
    fn all(words: &[u64]) -> &[Self] {
        words.as_chunks().0
    }

    #[inline(always)]
    fn all_mut(words: &mut [u64]) -> &mut [Self] {
        words.as_chunks_mut().0
    }
}

/// Blocks to be queried, either an array's own or those in a file.
pub(crate) trait Blocks<B>: Copy {
    /// A block, or something that dereferences to one.
    type Lent: Borrow<B>;
    /// Block `i`.
    fn block(self, i: usize) -> Self::Lent;
}

impl<'a, B> Blocks<B> for &'a [B] {
    type Lent = &'a B;

    #[inline(always)]
    fn block(self, i: usize) -> &'a B {
        &self[i]
    }
}

/// The blocks in the words of a file, at any address. Each block is copied, which the compiler
/// turns into just the loads that the query needs.
pub(crate) struct Stored<'a, B: Block>(pub(crate) &'a [B::Bytes]);

impl<B: Block> Clone for Stored<'_, B> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<B: Block> Copy for Stored<'_, B> {}

impl<B: Block> Blocks<B> for Stored<'_, B> {
    type Lent = B;

    #[inline(always)]
    fn block(self, i: usize) -> B {
        B::of(&self.0[i])
    }
}

#[cfg(test)]
mod tests;
