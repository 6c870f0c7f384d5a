//! One key at a time, by the best way that the processor has.

use super::{Backend, KNOWN};

/// What the processor can do, detected once and kept by each filter:
/// a test of one byte that is always predicted, and a call, cost less than the
/// vector unit saves; detecting it again for each key costs half of that.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Best {
    #[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
    avx2: Option<super::Avx2>,
}

impl Best {
    /// Detects it at run time; without `std`, at compile time.
    #[inline]
    pub(crate) fn here() -> Self {
        Self {
            #[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
            avx2: super::Avx2::detect(),
        }
    }
}

impl Backend for Best {
    #[inline(always)]
    fn holds_64(self, block: &[u64; 8], probe: u64) -> bool {
        #[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
        if let Some(avx2) = self.avx2 {
            return avx2.holds_64(block, probe);
        }
        KNOWN.holds_64(block, probe)
    }

    #[inline(always)]
    fn take_64(self, block: &mut [u64; 8], probe: u64) -> bool {
        #[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
        if let Some(avx2) = self.avx2 {
            return avx2.take_64(block, probe);
        }
        KNOWN.take_64(block, probe)
    }

    #[inline(always)]
    fn holds_32(self, block: &[u64; 4], probe: u64) -> bool {
        #[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
        if let Some(avx2) = self.avx2 {
            return avx2.holds_32(block, probe);
        }
        KNOWN.holds_32(block, probe)
    }

    #[inline(always)]
    fn take_32(self, block: &mut [u64; 4], probe: u64) -> bool {
        #[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
        if let Some(avx2) = self.avx2 {
            return avx2.take_32(block, probe);
        }
        KNOWN.take_32(block, probe)
    }
}
