//! Filters of the Python package `rbloom`, version 1.5.4.
//!
//! - **Hash**: a signed 128-bit number from a function that the user supplies. The default is
//!   Python's `hash`, which differs from process to process. So this module hashes no bytes:
//!   [`RbloomHash`] is made from the number.
//! - **Scheme**: [`Scheme`].
//! - **Sizing**: [`optimal`].
//!
//! # Pitfalls
//!
//! - `rbloom` can compute k = 0, and then every key is reported as present. This module rejects
//!   such filters.
//! - In the files of `rbloom` the bits of each byte are counted from the least significant one, and
//!   the first 8 bytes are k, little-endian.

mod scheme;

pub use scheme::{RbloomHash, Scheme, optimal};
