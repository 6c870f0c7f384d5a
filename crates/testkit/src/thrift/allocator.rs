//! The system's allocator with a count of allocations.

#![allow(unsafe_code, reason = "implementing an allocator is unsafe")]

use std::alloc::{GlobalAlloc, Layout, System};

use super::ALLOCATIONS;

/// Counts the allocations of each thread and forwards them to the system's allocator.
#[derive(Clone, Copy, Debug)]
pub struct CountingAllocator;

/// Counts one allocation. A thread that is ending has no counter any more; its allocations are not
/// counted.
fn count() {
    _ = ALLOCATIONS.try_with(|allocations| allocations.set(allocations.get() + 1));
}

// SAFETY: every call is forwarded to the system's allocator unchanged. Counting allocates nothing:
// the counter is a number that needs neither an initialiser nor a drop.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller makes the promises that the system's allocator requires.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller makes the promises that the system's allocator requires.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, start: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count();
        // SAFETY: the caller makes the promises that the system's allocator requires.
        unsafe { System.realloc(start, layout, new_size) }
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        // SAFETY: the caller makes the promises that the system's allocator requires.
        unsafe { System.dealloc(start, layout) }
    }
}
