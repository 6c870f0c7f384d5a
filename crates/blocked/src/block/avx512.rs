//! Block operations on eight 64-bit words at a time, on x86-64 processors with AVX-512, whose
//! vectors can rotate each word by its own number of bits: this moves every slot to the lowest
//! bit of its word.
//!
//! Batches of blocks of 32-bit words, which fill only half of such a vector, are left to
//! [`Avx2`].
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

use super::{Avx2, Backend, Blocks, SALTS, Single, batch, compiled_for::compiled_for};
use crate::{Geometry, Layout};

/// Proof that the processor has all features that are enabled below: the only way to get a
/// value is [`detect`](Self::detect).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(Avx2);

impl Avx512 {
    /// Detects the features at run time; without the feature `std`, at compile time.
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        // VBMI2 itself is not used. It is required because processors without it (before Ice
        // Lake) slow down all code, not only vector code, while they use 512-bit vectors.
        #[cfg(feature = "std")]
        let has = std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512dq")
            && std::arch::is_x86_feature_detected!("avx512vl")
            && std::arch::is_x86_feature_detected!("avx512vbmi")
            && std::arch::is_x86_feature_detected!("avx512vbmi2");
        #[cfg(not(feature = "std"))]
        let has = cfg!(all(
            target_feature = "avx512f",
            target_feature = "avx512dq",
            target_feature = "avx512vl",
            target_feature = "avx512vbmi",
            target_feature = "avx512vbmi2"
        ));
        Avx2::detect().filter(|_| has).map(Self)
    }
}

compiled_for!(Avx512, "avx512f,avx512dq,avx2,bmi2");

impl Backend for Avx512 {
    #[inline(always)]
    fn holds_64(self, block: &[u64; 8], probe: u64) -> bool {
        // SAFETY: a `self` exists only if the processor has AVX-512.
        unsafe { holds_64(block, probe) }
    }

    #[inline(always)]
    fn take_64(self, block: &mut [u64; 8], probe: u64) -> bool {
        // SAFETY: a `self` exists only if the processor has AVX-512.
        unsafe { take_64(block, probe) }
    }

    #[inline(always)]
    fn holds_32(self, block: &[u64; 4], probe: u64) -> bool {
        self.0.holds_32(block, probe)
    }

    #[inline(always)]
    fn take_32(self, block: &mut [u64; 4], probe: u64) -> bool {
        self.0.take_32(block, probe)
    }

    #[inline(always)]
    fn holds_salted(self, block: &[u64; 4], hash: u32) -> bool {
        self.0.holds_salted(block, hash)
    }

    #[inline(always)]
    fn take_salted(self, block: &mut [u64; 4], hash: u32) -> bool {
        self.0.take_salted(block, hash)
    }
}

/// A mask with one bit for each of the eight words.
const ALL: __mmask8 = 0xff;

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn holds_64(block: &[u64; 8], probe: u64) -> bool {
    let turned = _mm512_rorv_epi64(load(block), slots(probe));
    _mm512_test_epi64_mask(turned, _mm512_set1_epi64(1)) == ALL
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn take_64(block: &mut [u64; 8], probe: u64) -> bool {
    let mask = _mm512_rolv_epi64(_mm512_set1_epi64(1), slots(probe));
    let was = load(block);
    store(block, _mm512_or_si512(was, mask));
    _mm512_test_epi64_mask(was, mask) != ALL
}

/// `probe >> 6 i` in word i: the lowest six bits are its slot, and rotations use only these.
#[inline]
#[target_feature(enable = "avx512f")]
fn slots(probe: u64) -> __m512i {
    let probe = _mm512_set1_epi64(probe.cast_signed());
    _mm512_srlv_epi64(probe, _mm512_setr_epi64(0, 6, 12, 18, 24, 30, 36, 42))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load(words: &[u64; 8]) -> __m512i {
    // SAFETY: reads the 64 bytes of the array, at any alignment.
    unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(words: &mut [u64; 8], vector: __m512i) {
    // SAFETY: writes the 64 bytes of the array, at any alignment.
    unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), vector) }
}

/// The constants of the single keys, each the width of its vector.
#[repr(C, align(64))]
struct Lanes {
    ones_64: [u64; 8],
    turns_64: [u64; 8],
    ones_32: [u32; 8],
    turns_32: [[u8; 4]; 8],
    salts: [u32; 8],
}

const LANES: &Lanes = &Lanes {
    ones_64: [1; 8],
    turns_64: [0, 6, 12, 18, 24, 30, 36, 42],
    ones_32: [1; 8],
    // Each byte of a word is filled with eight bits of the probe from here on; rotations use
    // the lowest five bits of the word.
    turns_32: [
        [0; 4], [5; 4], [10; 4], [15; 4], [20; 4], [25; 4], [30; 4], [35; 4],
    ],
    salts: SALTS,
};

/// Whether intrinsics are as fast, because they are inlined, or all that there is: Miri does
/// not run `asm!`.
const INTRINSICS: bool = cfg!(any(
    miri,
    all(
        target_feature = "avx512f",
        target_feature = "avx512dq",
        target_feature = "avx2"
    )
));

/// Makes the mask of a block of 64-bit words in zmm16.
macro_rules! mask_64 {
    () => {
        "
        vpbroadcastq zmm16, {word}
        vmovdqa64 zmm17, [{lanes}]
        vpsrlvq zmm16, zmm16, [{lanes} + 64]
        vprolvq zmm16, zmm17, zmm16
        "
    };
}

/// Makes the mask of a block of 32-bit words in ymm16.
macro_rules! mask_32 {
    () => {
        "
        vpbroadcastq ymm16, {word}
        vmovdqa64 ymm17, [{lanes} + 160]
        vpmultishiftqb ymm16, ymm17, ymm16
        vmovdqa64 ymm17, [{lanes} + 128]
        vprolvd ymm16, ymm17, ymm16
        "
    };
}

/// The same with the slots of [`salted`](super::salted).
macro_rules! mask_salted {
    () => {
        "
        vpbroadcastd ymm16, {word:e}
        vpmulld ymm16, ymm16, [{lanes} + 192]
        vpsrld ymm16, ymm16, 27
        vmovdqa64 ymm17, [{lanes} + 128]
        vprolvd ymm16, ymm17, ymm16
        "
    };
}

/// Tests and sets the 32 bytes of a block with the mask in ymm16.
macro_rules! take_32 {
    () => {
        "
        vmovdqu64 ymm17, [{block}]
        vptestnmd k1, ymm16, ymm17
        vporq ymm16, ymm16, ymm17
        vmovdqu64 [{block}], ymm16
        "
    };
}

/// Runs these instructions on a block and a word; k1 then has a bit for each word whose slot is
/// clear. What is not in the lower half of the vector registers does not slow down older
/// instructions, so no register has to be cleared afterwards.
macro_rules! run {
    ($block:ident, $word:ident: $($lines:expr),*; $($options:ident),*) => {{
        let missing: u32;
        asm!(
            $($lines,)*
            "kmovb {missing:e}, k1",
            word = in(reg) $word,
            lanes = in(reg) LANES,
            block = in(reg) $block,
            missing = lateout(reg) missing,
            out("zmm16") _, out("zmm17") _, out("k1") _,
            options($($options,)* nostack, preserves_flags),
        );
        missing
    }};
}

impl Backend for Single<Avx512> {
    #[inline(always)]
    fn holds_64(self, block: &[u64; 8], probe: u64) -> bool {
        if INTRINSICS {
            return self.0.holds_64(block, probe);
        }
        // SAFETY: a `self` exists only if the processor has AVX-512. Reads the constants and the
        // block, at any alignment.
        0 == unsafe {
            run!(block, probe: mask_64!(), "vptestnmq k1, zmm16, [{block}]"; pure, readonly)
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
                mask_64!(),
                "vptestnmq k1, zmm16, [{block}]",
                "vporq zmm16, zmm16, [{block}]",
                "vmovdqu64 [{block}], zmm16";
            )
        }
    }

    #[inline(always)]
    fn holds_32(self, block: &[u64; 4], probe: u64) -> bool {
        if INTRINSICS {
            return self.0.holds_32(block, probe);
        }
        // SAFETY: as in `holds_64`.
        0 == unsafe {
            run!(block, probe: mask_32!(), "vptestnmd k1, ymm16, [{block}]"; pure, readonly)
        }
    }

    #[inline(always)]
    fn take_32(self, block: &mut [u64; 4], probe: u64) -> bool {
        if INTRINSICS {
            return self.0.take_32(block, probe);
        }
        // SAFETY: as in `take_64`.
        0 != unsafe { run!(block, probe: mask_32!(), take_32!();) }
    }

    #[inline(always)]
    fn holds_salted(self, block: &[u64; 4], hash: u32) -> bool {
        if INTRINSICS {
            return self.0.holds_salted(block, hash);
        }
        // SAFETY: as in `holds_64`.
        0 == unsafe {
            run!(block, hash: mask_salted!(), "vptestnmd k1, ymm16, [{block}]"; pure, readonly)
        }
    }

    #[inline(always)]
    fn take_salted(self, block: &mut [u64; 4], hash: u32) -> bool {
        if INTRINSICS {
            return self.0.take_salted(block, hash);
        }
        // SAFETY: as in `take_64`.
        0 != unsafe { run!(block, hash: mask_salted!(), take_32!();) }
    }
}
