//! AVX2 and AVX-512, which the target does not guarantee: detected at run time.

#![allow(
    unsafe_code,
    reason = "what is compiled for certain processors may run on those only"
)]

use std::arch::is_x86_feature_detected as has;

use super::Work;

/// Does the work in the way that suits the processor best. Detecting that
/// costs some nanoseconds: worth it from tens of keys on.
#[inline]
pub(crate) fn widest(work: impl Work) {
    if let Some(vectors) = WordVectors::detect() {
        vectors.run(work);
    } else if has!("avx2") && has!("bmi2") {
        // SAFETY: the processor has all that it is compiled for.
        unsafe { with_avx2(work) }
    } else {
        work.run();
    }
}

/// Proof that the processor has vectors that multiply and turn words of 64 bits:
/// AVX-512.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WordVectors(());

impl WordVectors {
    #[inline(always)]
    pub(crate) fn detect() -> Option<Self> {
        // VBMI2 is not used. Processors without it (before Ice Lake) slow down
        // for everyone when they work on 512 bits.
        let are_there = has!("avx512f")
            && has!("avx512dq")
            && has!("avx512vl")
            && has!("avx512bw")
            && has!("avx512vbmi2")
            && has!("avx2")
            && has!("bmi2");
        are_there.then_some(Self(()))
    }

    /// Does the work, compiled for them.
    #[inline(always)]
    pub(crate) fn run(self, work: impl Work) {
        // SAFETY: there is a `WordVectors` only where `detect` found them.
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
