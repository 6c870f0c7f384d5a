//! A quick benchmark of the operations: `cargo bench -p bouquet-scalable`.

#![allow(clippy::unwrap_used, reason = "a program for interactive use")]

use bouquet_scalable::{ScalableBloom, Spec};

/// A filter that will have five stages: their capacities are 1, 2, 4, 8 and 16 times the first.
fn five_stages(spec: Spec) -> ScalableBloom {
    ScalableBloom::new((spec.capacity() / 31 + 1) as usize, spec.target_fpr()).unwrap()
}

bouquet_testkit::ops! {
    "one stage": |spec| ScalableBloom::new(spec.capacity() as usize, spec.target_fpr()).unwrap(),
    "five stages": |spec| five_stages(spec),
}
