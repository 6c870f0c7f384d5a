//! Uses the widest vectors of the processor for plain loops over many keys.
//!
//! No vector instruction is written out: the same Rust code is compiled a second time for
//! processors whose vectors can multiply and rotate 64-bit words, and the compiler vectorises
//! it. So the result is the same on every processor.

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
    /// Does the work. Implementations must be `#[inline(always)]`: a function that is not
    /// inlined is not compiled for the other processors.
    fn run(self);
}
