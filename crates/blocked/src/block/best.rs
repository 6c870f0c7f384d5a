//! Block operations on one key at a time, with the best backend for the processor.

#[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
use super::{Avx2, Avx512};
use super::{Backend, KNOWN};

/// A backend as it is best for one key at a time, which is compiled into the caller's code.
#[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Single<B>(pub(crate) B);

/// The best backend for the processor, detected once and kept by each filter: repeating the
/// detection for each key would cost half of what the vector unit saves, while branching on one
/// byte, which is always predicted correctly, costs nothing visible.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Best {
    #[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
    Avx512(Avx512),
    #[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
    Avx2(Avx2),
    /// The backend known at compile time.
    Known,
}

impl Best {
    /// Detects the best backend at run time; without the feature `std`, at compile time.
    #[inline]
    pub(crate) fn here() -> Self {
        #[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
        {
            let avx512 = Avx512::detect().map(Self::Avx512);
            if let Some(best) = avx512.or_else(|| Avx2::detect().map(Self::Avx2)) {
                return best;
            }
        }
        Self::Known
    }
}

/// Runs the same operation with whichever backend `$best` names.
macro_rules! by_the_best {
    ($best:expr, $operation:ident($block:expr, $probe:expr)) => {
        match $best {
            #[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
            Best::Avx512(avx512) => Single(avx512).$operation($block, $probe),
            #[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
            Best::Avx2(avx2) => Single(avx2).$operation($block, $probe),
            #[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
            Best::Known => cold::$operation($block, $probe),
            #[cfg(not(all(target_arch = "x86_64", not(bouquet_portable))))]
            Best::Known => KNOWN.$operation($block, $probe),
        }
    };
}

impl Backend for Best {
    #[inline(always)]
    fn holds_64(self, block: &[u64; 8], probe: u64) -> bool {
        by_the_best!(self, holds_64(block, probe))
    }

    #[inline(always)]
    fn take_64(self, block: &mut [u64; 8], probe: u64) -> bool {
        by_the_best!(self, take_64(block, probe))
    }

    #[inline(always)]
    fn holds_32(self, block: &[u64; 4], probe: u64) -> bool {
        by_the_best!(self, holds_32(block, probe))
    }

    #[inline(always)]
    fn take_32(self, block: &mut [u64; 4], probe: u64) -> bool {
        by_the_best!(self, take_32(block, probe))
    }

    #[inline(always)]
    fn holds_salted(self, block: &[u64; 4], hash: u32) -> bool {
        by_the_best!(self, holds_salted(block, hash))
    }

    #[inline(always)]
    fn take_salted(self, block: &mut [u64; 4], hash: u32) -> bool {
        by_the_best!(self, take_salted(block, hash))
    }
}

/// The portable operations as functions that are never inlined: on x86-64 few processors need
/// them, and their code would make a call of `insert` too large to be inlined.
#[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
mod cold {
    use super::{Backend, KNOWN};

    #[cold]
    #[inline(never)]
    pub(super) fn holds_64(block: &[u64; 8], probe: u64) -> bool {
        KNOWN.holds_64(block, probe)
    }

    #[cold]
    #[inline(never)]
    pub(super) fn take_64(block: &mut [u64; 8], probe: u64) -> bool {
        KNOWN.take_64(block, probe)
    }

    #[cold]
    #[inline(never)]
    pub(super) fn holds_32(block: &[u64; 4], probe: u64) -> bool {
        KNOWN.holds_32(block, probe)
    }

    #[cold]
    #[inline(never)]
    pub(super) fn take_32(block: &mut [u64; 4], probe: u64) -> bool {
        KNOWN.take_32(block, probe)
    }

    #[cold]
    #[inline(never)]
    pub(super) fn holds_salted(block: &[u64; 4], hash: u32) -> bool {
        KNOWN.holds_salted(block, hash)
    }

    #[cold]
    #[inline(never)]
    pub(super) fn take_salted(block: &mut [u64; 4], hash: u32) -> bool {
        KNOWN.take_salted(block, hash)
    }
}
