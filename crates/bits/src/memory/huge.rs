//! Huge pages for large arrays, on Linux.
//!
//! A probe goes anywhere in the array, so in pages of 4 KiB nearly every one
//! also misses the table of addresses; in pages of 2 MiB few do, and a filter of
//! a hundred megabytes answers up to twice as fast.
//!
//! The allocator's memory is only advised. A separate mapping (for example by the
//! crate memmap2, whose `advise` needs no `unsafe` here) would take the memory
//! away from the program's allocator and from whatever counts its allocations.

use core::ptr::NonNull;

/// Arrays from here on are advised: beyond what the processor's second table of
/// addresses covers in small pages.
#[cfg(any(test, all(feature = "huge-pages", target_os = "linux", not(miri))))]
pub(super) const FROM_BYTES: usize = 4 << 20;

/// Advises huge pages for the part of an allocation that whole ones can cover.
/// If the system does not follow, pages stay as they are.
#[cfg(all(feature = "huge-pages", target_os = "linux", not(miri)))]
pub(super) fn ask_for(base: NonNull<u64>, bytes: usize) {
    /// What the advice covers; the page size of x86-64 and, with small pages of
    /// 4 KiB, of AArch64.
    const PAGE: usize = 2 << 20;
    if bytes < FROM_BYTES {
        return;
    }
    let before = base.cast::<u8>().align_offset(PAGE);
    let pages = bytes.saturating_sub(before) / PAGE;
    if pages > 0 {
        // SAFETY: `before + pages * PAGE` is at most `bytes`, the size of the
        // allocation; the start is on a page; and this advice changes neither
        // contents nor who may touch them. The result may be ignored.
        unsafe {
            let start = base.cast::<u8>().add(before);
            libc::madvise(start.as_ptr().cast(), pages * PAGE, libc::MADV_HUGEPAGE);
        }
    }
}

#[cfg(not(all(feature = "huge-pages", target_os = "linux", not(miri))))]
pub(super) fn ask_for(_: NonNull<u64>, _: usize) {}
