//! Block operations on two 64-bit words at a time, on AArch64 processors with NEON.

#![allow(
    unsafe_code,
    reason = "vector instructions exist on some processors only"
)]

use core::arch::aarch64::*;

use super::Backend;

/// Proof that the processor has NEON: the only way to get a value is
/// [`COMPILED_IN`](Self::COMPILED_IN), and this file is compiled only for programs that run on
/// such processors. All AArch64 processors that run an operating system have NEON.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neon(());

impl Neon {
    pub(crate) const COMPILED_IN: Self = Self(());
}

impl Backend for Neon {
    #[inline(always)]
    fn holds_64(self, block: &[u64; 8], probe: u64) -> bool {
        // SAFETY: a `self` exists only if the processor has NEON.
        unsafe { holds_64(block, probe) }
    }

    #[inline(always)]
    fn take_64(self, block: &mut [u64; 8], probe: u64) -> bool {
        // SAFETY: a `self` exists only if the processor has NEON.
        unsafe { take_64(block, probe) }
    }

    #[inline(always)]
    fn holds_32(self, block: &[u64; 4], probe: u64) -> bool {
        // SAFETY: a `self` exists only if the processor has NEON.
        unsafe { holds_32(block, probe) }
    }

    #[inline(always)]
    fn take_32(self, block: &mut [u64; 4], probe: u64) -> bool {
        // SAFETY: a `self` exists only if the processor has NEON.
        unsafe { take_32(block, probe) }
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn holds_64(block: &[u64; 8], probe: u64) -> bool {
    let mut clear = vdupq_n_u64(0);
    for (pair, mask) in block.as_chunks().0.iter().zip(masks_64(probe)) {
        clear = vorrq_u64(clear, vbicq_u64(mask, load(pair)));
    }
    is_zero(clear)
}

#[inline]
#[target_feature(enable = "neon")]
fn take_64(block: &mut [u64; 8], probe: u64) -> bool {
    let mut clear = vdupq_n_u64(0);
    for (pair, mask) in block.as_chunks_mut().0.iter_mut().zip(masks_64(probe)) {
        let was = load(pair);
        clear = vorrq_u64(clear, vbicq_u64(mask, was));
        store(pair, vorrq_u64(was, mask));
    }
    !is_zero(clear)
}

#[inline]
#[target_feature(enable = "neon")]
fn holds_32(block: &[u64; 4], probe: u64) -> bool {
    let mut clear = vdupq_n_u64(0);
    for (pair, mask) in block.as_chunks().0.iter().zip(masks_32(probe)) {
        clear = vorrq_u64(clear, vbicq_u64(mask, load(pair)));
    }
    is_zero(clear)
}

#[inline]
#[target_feature(enable = "neon")]
fn take_32(block: &mut [u64; 4], probe: u64) -> bool {
    let mut clear = vdupq_n_u64(0);
    for (pair, mask) in block.as_chunks_mut().0.iter_mut().zip(masks_32(probe)) {
        let was = load(pair);
        clear = vorrq_u64(clear, vbicq_u64(mask, was));
        store(pair, vorrq_u64(was, mask));
    }
    !is_zero(clear)
}

/// Masks with bit `(probe >> 6 i) % 64` set in word i, two words in each vector.
#[inline]
#[target_feature(enable = "neon")]
fn masks_64(probe: u64) -> [uint64x2_t; 4] {
    let (probe, one) = (vdupq_n_u64(probe), vdupq_n_u64(1));
    // Shifting left by a negative number shifts right.
    [[0, -6], [-12, -18], [-24, -30], [-36, -42]].map(|right| {
        let slots = vandq_u64(vshlq_u64(probe, shifts(right)), vdupq_n_u64(63));
        vshlq_u64(one, vreinterpretq_s64_u64(slots))
    })
}

/// Masks with bit `(probe >> 5 i) % 32` set in each 32-bit word i, four words in each vector.
#[inline]
#[target_feature(enable = "neon")]
fn masks_32(probe: u64) -> [uint64x2_t; 2] {
    let probe = vdupq_n_u64(probe);
    [[0, -10], [-20, -30]].map(|right| {
        // First the ten bits of two words are moved to the bottom of each 64-bit element; then
        // the upper five of them are inserted at the bottom of its upper 32 bits.
        let pairs = vshlq_u64(probe, shifts(right));
        let slots = vsliq_n_u64::<32>(pairs, vshrq_n_u64::<5>(pairs));
        let slots = vandq_u32(vreinterpretq_u32_u64(slots), vdupq_n_u32(31));
        vreinterpretq_u64_u32(vshlq_u32(vdupq_n_u32(1), vreinterpretq_s32_u32(slots)))
    })
}

#[inline]
#[target_feature(enable = "neon")]
fn shifts([low, high]: [i64; 2]) -> int64x2_t {
    vcombine_s64(vdup_n_s64(low), vdup_n_s64(high))
}

#[inline]
#[target_feature(enable = "neon")]
fn is_zero(vector: uint64x2_t) -> bool {
    vmaxvq_u32(vreinterpretq_u32_u64(vector)) == 0
}

#[inline]
#[target_feature(enable = "neon")]
fn load(words: &[u64; 2]) -> uint64x2_t {
    // SAFETY: reads the 16 bytes of the array, whose alignment is enough.
    unsafe { vld1q_u64(words.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn store(words: &mut [u64; 2], vector: uint64x2_t) {
    // SAFETY: writes the 16 bytes of the array, whose alignment is enough.
    unsafe { vst1q_u64(words.as_mut_ptr(), vector) }
}
