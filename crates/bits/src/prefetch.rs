//! Prefetching: a hint to the processor that a word will be needed soon.

#![allow(
    unsafe_code,
    reason = "the processor's hints have no safe form in core"
)]

#[cfg(target_has_atomic = "64")]
mod to_write;

#[cfg(target_has_atomic = "64")]
pub(crate) use to_write::prefetch_to_write;

/// Prefetches a word's cache line, and returns at once. Does nothing if the processor has no
/// prefetch instruction.
///
/// An index past the end is allowed: the hint never faults.
#[inline(always)]
pub(crate) fn prefetch<T>(words: &[T], index: usize) {
    let word = words.as_ptr().wrapping_add(index);
    hint(word.cast());
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn hint(at: *const i8) {
    use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: SSE is part of every x86-64 processor, and the instruction reads
    // nothing that the program could see; it takes any address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(at) }
}

#[cfg(all(target_arch = "aarch64", not(miri)))]
#[inline(always)]
fn hint(at: *const i8) {
    // SAFETY: the instruction reads nothing that the program could see, takes
    // any address, and leaves registers, flags and stack alone.
    unsafe {
        core::arch::asm!(
            "prfm pldl1keep, [{at}]",
            at = in(reg) at,
            options(nostack, preserves_flags, readonly)
        );
    }
}

/// Does nothing: on processors without such an instruction, and under Miri, which does not
/// support assembly.
#[cfg(not(any(target_arch = "x86_64", all(target_arch = "aarch64", not(miri)))))]
#[inline(always)]
fn hint(_: *const i8) {}

/// Arrays up to this size, in bytes, are not prefetched: they fit the second-level cache of
/// nearly every processor, and there a prefetch costs more than it saves.
const NEAR_BYTES: usize = 256 << 10;

/// Returns whether prefetching is worth its cost for an array of `bytes` bytes.
#[inline]
pub(crate) const fn pays(bytes: usize) -> bool {
    bytes > NEAR_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_index_is_allowed() {
        let words = [1u64, 2, 3];
        for index in [0, 2, 3, 1 << 40, usize::MAX] {
            prefetch(&words, index);
            prefetch::<u64>(&[], index);
        }
        assert_eq!(words, [1, 2, 3]);
    }
}
