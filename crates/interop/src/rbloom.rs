//! `rbloom` (Python, 1.5.4).
//!
//! - **Hash**: whatever function the user gave, a signed 128-bit number; by default
//!   Python's `hash`, which differs from process to process. So there is no hash
//!   of bytes here: [`RbloomHash`] is made from the number.
//! - **Scheme**: [`Scheme`].
//! - **Sizing**: [`optimal`].
//!
//! # Pitfalls
//!
//! - k may come out 0, and then every key is "present". Such filters are rejected
//!   here.
//! - `rbloom` orders its files' bits from the least significant of each byte,
//!   after 8 bytes of k, little-endian.

mod scheme;

pub use scheme::{RbloomHash, Scheme, optimal};
