//! What is allocated on the heap, where an allocator counts: with the feature `peers`.

/// What `work` gives, and by how much the heap has grown. A
/// panic must not pass the counter by.
#[cfg(feature = "peers")]
pub fn counted<T>(work: impl FnOnce() -> T) -> (T, Option<i64>) {
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    let mut made = None;
    let info = allocation_counter::measure(|| made = Some(catch_unwind(AssertUnwindSafe(work))));
    match made {
        Some(Ok(made)) => (made, Some(info.bytes_current)),
        Some(Err(panic)) => resume_unwind(panic),
        None => unreachable!("what is measured is run"),
    }
}

#[cfg(not(feature = "peers"))]
pub fn counted<T>(work: impl FnOnce() -> T) -> (T, Option<i64>) {
    (work(), None)
}
