//! Block operations on four 64-bit words at a time, on x86-64 processors with AVX2.
//!
//! Single keys are processed by `asm!` ([`Single`]): a function with a `#[target_feature]` is
//! never inlined into code that is compiled for any processor, and the call would take as long
//! as the work.

#![allow(
    unsafe_code,
    reason = "vector instructions exist on some processors only"
)]

use core::arch::{asm, x86_64::*};

use bouquet_core::KeyHash;

use super::{Backend, Blocks, SALTS, Single, batch, compiled_for::compiled_for};
use crate::{Geometry, Layout};

/// Proof that the processor has AVX2 and BMI2: the only ways to get a value are
/// [`detect`](Self::detect) and [`COMPILED_IN`](Self::COMPILED_IN).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// For programs that are compiled for processors with AVX2.
    #[cfg(all(target_feature = "avx2", target_feature = "bmi2"))]
    pub(crate) const COMPILED_IN: Self = Self(());

    /// Detects AVX2 at run time; without the feature `std`, at compile time.
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        #[cfg(feature = "std")]
        let has = std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("bmi2");
        #[cfg(not(feature = "std"))]
        let has = cfg!(all(target_feature = "avx2", target_feature = "bmi2"));
        has.then_some(Self(()))
    }
}

compiled_for!(Avx2, "avx2,bmi2");

impl Backend for Avx2 {
    #[inline(always)]
    fn holds_64(self, block: &[u64; 8], probe: u64) -> bool {
        // SAFETY: a `self` exists only if the processor has AVX2.
        unsafe { holds_64(block, probe) }
    }

    #[inline(always)]
    fn take_64(self, block: &mut [u64; 8], probe: u64) -> bool {
        // SAFETY: a `self` exists only if the processor has AVX2.
        unsafe { take_64(block, probe) }
    }

    #[inline(always)]
    fn holds_32(self, block: &[u64; 4], probe: u64) -> bool {
        // SAFETY: a `self` exists only if the processor has AVX2.
        unsafe { holds_32(block, mask_32(probe)) }
    }

    #[inline(always)]
    fn take_32(self, block: &mut [u64; 4], probe: u64) -> bool {
        // SAFETY: a `self` exists only if the processor has AVX2.
        unsafe { take_32(block, mask_32(probe)) }
    }

    #[inline(always)]
    fn holds_salted(self, block: &[u64; 4], hash: u32) -> bool {
        // SAFETY: a `self` exists only if the processor has AVX2.
        unsafe { holds_32(block, mask_salted(hash)) }
    }

    #[inline(always)]
    fn take_salted(self, block: &mut [u64; 4], hash: u32) -> bool {
        // SAFETY: a `self` exists only if the processor has AVX2.
        unsafe { take_32(block, mask_salted(hash)) }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn holds_64(block: &[u64; 8], probe: u64) -> bool {
    let ([low, high], _) = block.as_chunks::<4>() else {
        return false;
    };
    let (mask_low, mask_high) = masks_64(probe);
    // `testc(a, b)` returns whether every bit of b is also set in a.
    let missing = _mm256_or_si256(
        _mm256_andnot_si256(load(low), mask_low),
        _mm256_andnot_si256(load(high), mask_high),
    );
    _mm256_testz_si256(missing, missing) != 0
}

#[inline]
#[target_feature(enable = "avx2")]
fn take_64(block: &mut [u64; 8], probe: u64) -> bool {
    let ([low, high], _) = block.as_chunks_mut::<4>() else {
        return false;
    };
    let (mask_low, mask_high) = masks_64(probe);
    let (was_low, was_high) = (load(low), load(high));
    store(low, _mm256_or_si256(was_low, mask_low));
    store(high, _mm256_or_si256(was_high, mask_high));
    let missing = _mm256_or_si256(
        _mm256_andnot_si256(was_low, mask_low),
        _mm256_andnot_si256(was_high, mask_high),
    );
    _mm256_testz_si256(missing, missing) == 0
}

#[inline]
#[target_feature(enable = "avx2")]
fn holds_32(block: &[u64; 4], mask: __m256i) -> bool {
    _mm256_testc_si256(load(block), mask) != 0
}

#[inline]
#[target_feature(enable = "avx2")]
fn take_32(block: &mut [u64; 4], mask: __m256i) -> bool {
    let was = load(block);
    store(block, _mm256_or_si256(was, mask));
    _mm256_testc_si256(was, mask) == 0
}

/// Masks with bit `(probe >> 6 i) % 64` set in word i, for words 0 to 3 and 4 to 7.
#[inline]
#[target_feature(enable = "avx2")]
fn masks_64(probe: u64) -> (__m256i, __m256i) {
    let probe = _mm256_set1_epi64x(probe.cast_signed());
    let one = _mm256_set1_epi64x(1);
    let six_bits = _mm256_set1_epi64x(63);
    let low = _mm256_srlv_epi64(probe, _mm256_setr_epi64x(0, 6, 12, 18));
    let high = _mm256_srlv_epi64(probe, _mm256_setr_epi64x(24, 30, 36, 42));
    (
        _mm256_sllv_epi64(one, _mm256_and_si256(low, six_bits)),
        _mm256_sllv_epi64(one, _mm256_and_si256(high, six_bits)),
    )
}

/// A mask with bit `(probe >> 5 i) % 32` set in each 32-bit word i.
#[inline]
#[target_feature(enable = "avx2")]
fn mask_32(probe: u64) -> __m256i {
    let probe = _mm256_set1_epi64x(probe.cast_signed());
    // First the ten bits of two words are moved to the bottom of each 64-bit element; then the
    // upper five of them are moved to the bottom of its upper 32 bits.
    let pairs = _mm256_srlv_epi64(probe, _mm256_setr_epi64x(0, 10, 20, 30));
    let slots = _mm256_blend_epi32::<0b1010_1010>(pairs, _mm256_slli_epi64::<27>(pairs));
    let slots = _mm256_and_si256(slots, _mm256_set1_epi32(31));
    _mm256_sllv_epi32(_mm256_set1_epi32(1), slots)
}

/// A mask with the bit of each 32-bit word that [`salted`](super::salted) gives.
#[inline]
#[target_feature(enable = "avx2")]
fn mask_salted(hash: u32) -> __m256i {
    // SAFETY: reads the 32 bytes of the array, at any alignment.
    let salts = unsafe { _mm256_loadu_si256(LANES.salts.as_ptr().cast()) };
    let slots = _mm256_mullo_epi32(_mm256_set1_epi32(hash.cast_signed()), salts);
    _mm256_sllv_epi32(_mm256_set1_epi32(1), _mm256_srli_epi32::<27>(slots))
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(words: &[u64; 4]) -> __m256i {
    // SAFETY: reads the 32 bytes of the array, at any alignment.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(words: &mut [u64; 4], vector: __m256i) {
    // SAFETY: writes the 32 bytes of the array, at any alignment.
    unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), vector) }
}

/// The constants of the single keys, each the width of a vector.
#[repr(C, align(64))]
struct Lanes {
    ones_64: [u64; 4],
    six_bits: [u64; 4],
    turns_64: [u64; 8],
    turns_32: [u64; 4],
    ones_32: [u32; 8],
    five_bits: [u32; 8],
    salts: [u32; 8],
}

const LANES: &Lanes = &Lanes {
    ones_64: [1; 4],
    six_bits: [63; 4],
    turns_64: [0, 6, 12, 18, 24, 30, 36, 42],
    turns_32: [0, 10, 20, 30],
    ones_32: [1; 8],
    five_bits: [31; 8],
    salts: SALTS,
};

/// Whether intrinsics are as fast, because they are inlined, or all that there is: Miri does
/// not run `asm!`.
const INTRINSICS: bool = cfg!(any(
    miri,
    all(target_feature = "avx2", target_feature = "bmi2")
));

/// Leaves the slots of a 64-bit word in ymm1 for words 0 to 3 and in ymm0 for 4 to 7.
macro_rules! slots_64 {
    () => {
        "
        vmovq xmm0, {word}
        vpbroadcastq ymm0, xmm0
        vpsrlvq ymm1, ymm0, [{lanes} + 64]
        vpsrlvq ymm0, ymm0, [{lanes} + 96]
        vpand ymm1, ymm1, [{lanes} + 32]
        vpand ymm0, ymm0, [{lanes} + 32]
        "
    };
}

/// Makes the mask of 32-bit words in ymm0.
macro_rules! mask_32 {
    () => {
        "
        vmovq xmm0, {word}
        vpbroadcastq ymm0, xmm0
        vpsrlvq ymm0, ymm0, [{lanes} + 128]
        vpsllq ymm1, ymm0, 27
        vpblendd ymm0, ymm0, ymm1, 0xaa
        vpand ymm0, ymm0, [{lanes} + 192]
        vmovdqa ymm1, [{lanes} + 160]
        vpsllvd ymm0, ymm1, ymm0
        "
    };
}

/// The same with the slots of [`salted`](super::salted).
macro_rules! mask_salted {
    () => {
        "
        vmovd xmm0, {word:e}
        vpbroadcastd ymm0, xmm0
        vpmulld ymm0, ymm0, [{lanes} + 224]
        vpsrld ymm0, ymm0, 27
        vmovdqa ymm1, [{lanes} + 160]
        vpsllvd ymm0, ymm1, ymm0
        "
    };
}

/// Tests the 32 bytes of a block with the mask in ymm0.
macro_rules! holds_32 {
    () => {
        "
        vmovdqu ymm1, [{block}]
        vptest ymm1, ymm0
        vzeroupper
        setnc {missing:l}
        movzx {missing:e}, {missing:l}
        "
    };
}

/// Tests and sets the same.
macro_rules! take_32 {
    () => {
        "
        vmovdqu ymm1, [{block}]
        vpor ymm2, ymm1, ymm0
        vmovdqu [{block}], ymm2
        vptest ymm1, ymm0
        vzeroupper
        setnc {missing:l}
        movzx {missing:e}, {missing:l}
        "
    };
}

/// Runs these instructions on a block and a word; they say whether a slot is clear. All vector registers count as overwritten, since
/// `vzeroupper` clears the upper half of each; without it, the older vector instructions of the
/// caller would be slow.
macro_rules! run {
    ($block:ident, $word:ident: $($lines:expr),*; $($options:ident),*) => {{
        let missing: u32;
        asm!(
            $($lines,)*
            word = in(reg) $word,
            lanes = in(reg) LANES,
            block = in(reg) $block,
            missing = lateout(reg) missing,
            out("ymm0") _, out("ymm1") _, out("ymm2") _, out("ymm3") _,
            out("ymm4") _, out("ymm5") _, out("ymm6") _, out("ymm7") _,
            out("ymm8") _, out("ymm9") _, out("ymm10") _, out("ymm11") _,
            out("ymm12") _, out("ymm13") _, out("ymm14") _, out("ymm15") _,
            options($($options),*),
        );
        missing
    }};
}

impl Backend for Single<Avx2> {
    #[inline(always)]
    fn holds_64(self, block: &[u64; 8], probe: u64) -> bool {
        if INTRINSICS {
            return self.0.holds_64(block, probe);
        }
        // SAFETY: a `self` exists only if the processor has AVX2. Reads the constants and the
        // block, at any alignment.
        0 == unsafe {
            // Shifts the bit of each slot to the lowest of its word, where all must be set.
            run!(
                block, probe:
                slots_64!(),
                "vmovdqu ymm2, [{block}]",
                "vmovdqu ymm3, [{block} + 32]",
                "vpsrlvq ymm1, ymm2, ymm1",
                "vpsrlvq ymm0, ymm3, ymm0",
                "vpand ymm0, ymm0, ymm1",
                "vptest ymm0, [{lanes}]",
                "vzeroupper",
                "setnc {missing:l}",
                "movzx {missing:e}, {missing:l}";
                pure, readonly, nostack
            )
        }
    }

    #[inline(always)]
    fn take_64(self, block: &mut [u64; 8], probe: u64) -> bool {
        if INTRINSICS {
            return self.0.take_64(block, probe);
        }
        // SAFETY: as in `holds_64`, and writes the block, of which `block` is the only reference.
        0 != unsafe {
            run!(
                block, probe:
                slots_64!(),
                "vmovdqa ymm2, [{lanes}]",
                "vpsllvq ymm1, ymm2, ymm1",
                "vpsllvq ymm0, ymm2, ymm0",
                "vpor ymm1, ymm1, [{block}]",
                "vpor ymm0, ymm0, [{block} + 32]",
                "vpxor ymm2, ymm1, [{block}]",
                "vpxor ymm3, ymm0, [{block} + 32]",
                "vmovdqu [{block}], ymm1",
                "vmovdqu [{block} + 32], ymm0",
                "vpor ymm2, ymm2, ymm3",
                "vptest ymm2, ymm2",
                "vzeroupper",
                "setnz {missing:l}",
                "movzx {missing:e}, {missing:l}";
                nostack
            )
        }
    }

    #[inline(always)]
    fn holds_32(self, block: &[u64; 4], probe: u64) -> bool {
        if INTRINSICS {
            return self.0.holds_32(block, probe);
        }
        // SAFETY: as in `holds_64`.
        0 == unsafe { run!(block, probe: mask_32!(), holds_32!(); pure, readonly, nostack) }
    }

    #[inline(always)]
    fn take_32(self, block: &mut [u64; 4], probe: u64) -> bool {
        if INTRINSICS {
            return self.0.take_32(block, probe);
        }
        // SAFETY: as in `take_64`.
        0 != unsafe { run!(block, probe: mask_32!(), take_32!(); nostack) }
    }

    #[inline(always)]
    fn holds_salted(self, block: &[u64; 4], hash: u32) -> bool {
        if INTRINSICS {
            return self.0.holds_salted(block, hash);
        }
        // SAFETY: as in `holds_64`.
        0 == unsafe { run!(block, hash: mask_salted!(), holds_32!(); pure, readonly, nostack) }
    }

    #[inline(always)]
    fn take_salted(self, block: &mut [u64; 4], hash: u32) -> bool {
        if INTRINSICS {
            return self.0.take_salted(block, hash);
        }
        // SAFETY: as in `take_64`.
        0 != unsafe { run!(block, hash: mask_salted!(), take_32!(); nostack) }
    }
}
