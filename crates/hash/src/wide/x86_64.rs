//! AVX2 and AVX-512, which the target does not guarantee, detected at run time.

#![allow(
    unsafe_code,
    reason = "what is compiled for certain processors may run on those only"
)]

use std::arch::is_x86_feature_detected as has;

use super::Work;

/// Does the work in the fastest version for this processor. The detection costs some
/// nanoseconds, which is worth it from tens of keys on.
#[inline]
pub(crate) fn widest(work: impl Work) {
    if let Some(vectors) = WordVectors::detect() {
        vectors.run(work);
    } else if has!("avx2") && has!("bmi2") {
        // SAFETY: the processor has all features that the function is compiled for.
        unsafe { with_avx2(work) }
    } else {
        work.run();
    }
}

/// Proof that the processor has vectors that multiply and rotate 64-bit words: AVX-512.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WordVectors(());

impl WordVectors {
    #[inline(always)]
    pub(crate) fn detect() -> Option<Self> {
        // VBMI2 itself is not used. It is required because processors without it (before Ice
        // Lake) slow down all code, not only vector code, while they use 512-bit vectors.
        let are_there = has!("avx512f")
            && has!("avx512dq")
            && has!("avx512vl")
            && has!("avx512bw")
            && has!("avx512vbmi2")
            && has!("avx2")
            && has!("bmi2");
        are_there.then_some(Self(()))
    }

    /// Does the work in the version compiled for AVX-512.
    #[inline(always)]
    pub(crate) fn run(self, work: impl Work) {
        // SAFETY: a `WordVectors` exists only if `detect` found these features.
        unsafe { with_avx512(work) }
    }
}

#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,bmi2")]
fn with_avx512(work: impl Work) {
    work.run();
}

#[target_feature(enable = "avx2,bmi2")]
fn with_avx2(work: impl Work) {
    work.run();
}
