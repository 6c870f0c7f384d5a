//! Block operations on one key at a time, with the best backend for the processor.

use super::Backend;
#[cfg(not(all(target_arch = "x86_64", not(bouquet_portable))))]
use super::KNOWN as OTHER;
#[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
use super::{Avx2, Avx512, Portable};

/// A backend as it is best for one key at a time, which is compiled into the caller's code. The
/// `asm!` of each gives the same kind of number, of which 0 says that all slots were set, so that
/// the compiler can compare it once for all of them.
#[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Single<B>(pub(crate) B);

/// The backend for processors without these vector units.
#[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
const OTHER: Single<Portable> = Single(Portable);

/// The best backend for the processor, detected once and kept by each filter: repeating the
/// detection for each key would cost half of what the vector unit saves, while branching on one
/// byte, which is always predicted correctly, costs nothing visible.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Best {
    #[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
    Avx512(Avx512),
    #[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
    Avx2(Avx2),
    /// Neither of them.
    Other,
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
        Self::Other
    }
}

/// Implements each operation by whichever backend a [`Best`] names.
macro_rules! by_the_best {
    ($($operation:ident($block:ty, $word:ty);)*) => {
        impl Backend for Best {$(
            #[inline(always)]
            fn $operation(self, block: $block, word: $word) -> bool {
                match self {
                    #[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
                    Self::Avx512(avx512) => Single(avx512).$operation(block, word),
                    #[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
                    Self::Avx2(avx2) => Single(avx2).$operation(block, word),
                    Self::Other => {
                        #[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
                        rare();
                        OTHER.$operation(block, word)
                    }
                }
            }
        )*}
    };
}
by_the_best! {
    holds_64(&[u64; 8], u64);
    take_64(&mut [u64; 8], u64);
    holds_32(&[u64; 4], u64);
    take_32(&mut [u64; 4], u64);
    holds_salted(&[u64; 4], u32);
    take_salted(&mut [u64; 4], u32);
}

/// Tells the compiler that what calls it seldom runs.
#[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
#[cold]
const fn rare() {}
