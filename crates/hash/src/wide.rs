//! The widest vectors that the processor has, for plain loops over many keys.
//!
//! No instruction is named: the same Rust is compiled once more for processors
//! that multiply and rotate whole vectors of words, and the compiler does the
//! rest. So the result is the same, whatever the processor.

#[cfg(not(all(target_arch = "x86_64", feature = "std", not(bouquet_portable))))]
mod portable;
#[cfg(all(target_arch = "x86_64", feature = "std", not(bouquet_portable)))]
mod x86_64;

#[cfg(not(all(target_arch = "x86_64", feature = "std", not(bouquet_portable))))]
pub(crate) use portable::{WordVectors, widest};
#[cfg(all(target_arch = "x86_64", feature = "std", not(bouquet_portable)))]
pub(crate) use x86_64::{WordVectors, widest};

/// A loop that is compiled for several processors.
pub(crate) trait Work {
    /// Implementations are `#[inline(always)]`: what is not inlined is not
    /// compiled again.
    fn run(self);
}
