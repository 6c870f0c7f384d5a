//! Block operations on one key at a time, with the best backend for the processor.

#[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
use super::{Avx2, Avx512};
use super::{Backend, KNOWN};

/// The best backend for the processor, detected once and kept by each filter. Branching on one
/// byte, which is always predicted correctly, and a function call cost less than the vector
/// unit saves; repeating the detection for each key would cost half of that saving.
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

/// Runs the same expression with whichever backend `$best` names.
macro_rules! by_the_best {
    ($best:expr, $way:ident => $call:expr) => {
        match $best {
            #[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
            Best::Avx512($way) => $call,
            #[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
            Best::Avx2($way) => $call,
            Best::Known => {
                let $way = KNOWN;
                $call
            }
        }
    };
}

impl Backend for Best {
    #[inline(always)]
    fn holds_64(self, block: &[u64; 8], probe: u64) -> bool {
        by_the_best!(self, way => way.holds_64(block, probe))
    }

    #[inline(always)]
    fn take_64(self, block: &mut [u64; 8], probe: u64) -> bool {
        by_the_best!(self, way => way.take_64(block, probe))
    }

    #[inline(always)]
    fn holds_32(self, block: &[u64; 4], probe: u64) -> bool {
        by_the_best!(self, way => way.holds_32(block, probe))
    }

    #[inline(always)]
    fn take_32(self, block: &mut [u64; 4], probe: u64) -> bool {
        by_the_best!(self, way => way.take_32(block, probe))
    }
}
