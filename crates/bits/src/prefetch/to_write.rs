//! Prefetching of words that will be written soon.

use super::hint;

/// Prefetches each word like [`prefetch`](super::prefetch), for words that will be written: the
/// hint also removes their cache lines from other processor cores, so that the writes need not
/// request the lines again.
#[inline(always)]
pub(crate) fn prefetch_to_write<T>(words: &[T], indices: impl Iterator<Item = usize>) {
    let all = indices.map(|index| words.as_ptr().wrapping_add(index).cast());
    if can_hint_to_write() {
        // SAFETY: the processor has this hint instruction.
        all.for_each(|at| unsafe { hint_to_write(at) });
    } else {
        all.for_each(hint);
    }
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
unsafe fn hint_to_write(at: *const i8) {
    // SAFETY: the caller has checked for the instruction. It reads nothing that the program
    // could see, takes any address, and leaves registers, flags and stack alone.
    unsafe {
        core::arch::asm!(
            "prefetchw [{at}]",
            at = in(reg) at,
            options(nostack, preserves_flags, readonly)
        );
    }
}

/// Whether the processor has `prefetchw`: all of AMD's, and Intel's since Broadwell. The check
/// is done once and cached, because it takes a hundred times as long as the prefetch.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
fn can_hint_to_write() -> bool {
    use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

    const NO: u8 = 1;
    const YES: u8 = 2;
    static ANSWER: AtomicU8 = AtomicU8::new(0);

    #[cold]
    fn detect() -> u8 {
        // The CPUID leaf of extended features, which every x86-64 processor has.
        #[allow(unused_unsafe, reason = "safe since Rust 1.93")]
        // SAFETY: every x86-64 processor has this instruction.
        let known = unsafe { core::arch::x86_64::__cpuid(0x8000_0001) };
        let answer = if known.ecx & 1 << 8 == 0 { NO } else { YES };
        ANSWER.store(answer, Relaxed);
        answer
    }

    match ANSWER.load(Relaxed) {
        0 => detect() == YES,
        answer => answer == YES,
    }
}

#[cfg(all(target_arch = "aarch64", not(miri)))]
#[inline(always)]
unsafe fn hint_to_write(at: *const i8) {
    // SAFETY: as in `hint`.
    unsafe {
        core::arch::asm!(
            "prfm pstl1keep, [{at}]",
            at = in(reg) at,
            options(nostack, preserves_flags, readonly)
        );
    }
}

/// Does nothing: on processors without such an instruction, and under Miri, which does not
/// support assembly.
#[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
#[inline(always)]
unsafe fn hint_to_write(_: *const i8) {}

#[cfg(any(miri, not(target_arch = "x86_64")))]
#[inline(always)]
fn can_hint_to_write() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_index_is_allowed() {
        let words = [1u64, 2, 3];
        let all = [0, 2, 3, 1 << 40, usize::MAX];
        prefetch_to_write(&words, all.into_iter());
        prefetch_to_write::<u64>(&[], all.into_iter());
        assert_eq!(words, [1, 2, 3]);
    }
}
