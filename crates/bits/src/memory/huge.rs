//! Huge pages for large arrays, on Linux.
//!
//! A probe can go anywhere in the array. With pages of 4 KiB, nearly every probe also misses
//! the TLB (the processor's cache of page addresses); with pages of 2 MiB few do, and a filter
//! of a hundred megabytes answers up to twice as fast.
//!
//! The allocator's memory is kept, and the system is only advised to use huge pages for it. A
//! separate mapping (for example by the crate memmap2, whose `advise` needs no `unsafe` here)
//! would bypass the program's allocator and whatever counts its allocations.

use core::ptr::NonNull;

/// Arrays of at least this many bytes are advised: larger than what the processor's
/// second-level TLB covers with small pages.
#[cfg(any(test, all(feature = "huge-pages", target_os = "linux", not(miri))))]
pub(super) const FROM_BYTES: usize = 4 << 20;

/// Advises huge pages for the part of an allocation that consists of whole huge pages. If the
/// system ignores the advice, the pages stay as they are.
#[cfg(all(feature = "huge-pages", target_os = "linux", not(miri)))]
pub(super) fn ask_for(base: NonNull<u64>, bytes: usize) {
    /// The size of a huge page on x86-64 and, with small pages of 4 KiB, on AArch64.
    const PAGE: usize = 2 << 20;
    if bytes < FROM_BYTES {
        return;
    }
    let before = base.cast::<u8>().align_offset(PAGE);
    let pages = bytes.saturating_sub(before) / PAGE;
    if pages > 0 {
        // SAFETY: `before + pages * PAGE` is at most `bytes`, the size of the allocation; the
        // start is at a page boundary; and this advice changes neither the contents nor who may
        // access them. The result may be ignored.
        unsafe {
            let start = base.cast::<u8>().add(before);
            libc::madvise(start.as_ptr().cast(), pages * PAGE, libc::MADV_HUGEPAGE);
        }
    }
}

#[cfg(not(all(feature = "huge-pages", target_os = "linux", not(miri))))]
pub(super) fn ask_for(_: NonNull<u64>, _: usize) {}
