//! Runs the example: no integer may be lost, and only the ranges in use may take memory.

#[path = "../../examples/sharded_bitmap.rs"]
#[expect(dead_code, reason = "its main is for running it by hand")]
mod example;

#[test]
fn threads_fill_an_exact_set_without_a_lock() {
    let (ids, bytes) = example::run().unwrap_or_default();
    assert_eq!(ids, 3 * 2 * 200_000);
    assert!(bytes < 2 << 20, "{bytes}");
}
