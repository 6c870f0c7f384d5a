//! The widest vectors that the processor has, for plain loops over many keys.
//!
//! No instruction is named: the same Rust is compiled once more for processors
//! that multiply and rotate whole vectors of words, and the compiler does the
//! rest. So every way gives the same, whatever the processor.

#![allow(
    unsafe_code,
    reason = "what is compiled for certain processors may run on those only"
)]

/// A loop that is to be compiled for several processors.
pub(crate) trait Work {
    /// Implementations are `#[inline(always)]`: what is not inlined is not
    /// compiled anew.
    fn run(self);
}

/// What there is beyond the least that the target promises.
#[cfg(all(target_arch = "x86_64", feature = "std", not(bouquet_portable)))]
#[derive(Clone, Copy)]
enum Vectors {
    Avx2,
    Avx512,
}

#[cfg(all(target_arch = "x86_64", feature = "std", not(bouquet_portable)))]
impl Vectors {
    #[inline]
    fn detect() -> Option<Self> {
        use std::arch::is_x86_feature_detected as has;
        // VBMI2 is not used. Processors without it (before Ice Lake) slow down
        // for everyone when they work on 512 bits.
        if has!("avx512vbmi2") && has!("avx512dq") && has!("avx512vl") && has!("avx512bw") {
            Some(Self::Avx512)
        } else if has!("avx2") && has!("bmi2") {
            Some(Self::Avx2)
        } else {
            None
        }
    }
}

/// Whether [`widest`] has more than the target's own way.
#[inline]
pub(crate) fn is_there() -> bool {
    #[cfg(all(target_arch = "x86_64", feature = "std", not(bouquet_portable)))]
    return Vectors::detect().is_some();
    #[cfg(not(all(target_arch = "x86_64", feature = "std", not(bouquet_portable))))]
    return false;
}

/// Does the work in the way that suits the processor best. Asking what that is
/// costs some nanoseconds: worth it for tens of keys.
#[inline]
pub(crate) fn widest(work: impl Work) {
    #[cfg(all(target_arch = "x86_64", feature = "std", not(bouquet_portable)))]
    {
        #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,bmi2")]
        fn with_avx512(work: impl Work) {
            work.run();
        }
        #[target_feature(enable = "avx2,bmi2")]
        fn with_avx2(work: impl Work) {
            work.run();
        }
        match Vectors::detect() {
            // SAFETY: the processor has all that it is compiled for.
            Some(Vectors::Avx512) => return unsafe { with_avx512(work) },
            // SAFETY: likewise.
            Some(Vectors::Avx2) => return unsafe { with_avx2(work) },
            None => (),
        }
    }
    work.run();
}
