//! A quick benchmark of the operations: `cargo bench -p bouquet-blocked`.

#![allow(clippy::unwrap_used, reason = "a program for interactive use")]

use bouquet_blocked::{BlockedBloom, Folded, Line, Words32, Words64};

bouquet_testkit::ops! {
    "Words64": |spec| BlockedBloom::<Words64, _>::with_layout(spec, Folded::default()).unwrap(),
    "Words32": |spec| BlockedBloom::<Words32, _>::with_layout(spec, Folded::default()).unwrap(),
    "Line": |spec| BlockedBloom::<Line, _>::with_layout(spec, Folded::default()).unwrap(),
}
