//! Runs the example `swap`, and checks that no reader misses a key.

#[path = "../../examples/swap.rs"]
#[expect(dead_code, reason = "its main is for running it by hand")]
mod example;

#[test]
fn a_filter_is_swapped_without_a_gap() {
    assert!(example::run().is_ok_and(|asked| asked >= 3_000));
}
