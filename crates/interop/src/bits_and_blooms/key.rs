//! The key types that a Go program can insert.

use crate::keys::text_and_bytes;

/// A key of bits-and-blooms or go-zero: the bytes or the text that the Go program passes to the
/// filter.
///
/// Numbers are not keys, because each Go program chooses how to encode them. The README of
/// bits-and-blooms encodes them big-endian (`n.to_be_bytes()`); users of go-zero mostly write them
/// as decimal text (`n.to_string()`).
///
/// ```
/// use bouquet_interop::GoBloom;
///
/// // binary.BigEndian.PutUint32(n1, 100); filter.Add(n1)
/// let mut filter = GoBloom::with_estimates(1_000, 0.01)?;
/// filter.insert(&100u32.to_be_bytes());
/// assert!(filter.contains(&100u32.to_be_bytes()));
/// # Ok::<(), bouquet_interop::SpecError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "a Go program chooses which bytes a `{Self}` is",
    label = "is no text or bytes",
    note = "give the bytes that it gives: `value.to_be_bytes()` as the README of bits-and-blooms, `value.to_string()` as most users of go-zero"
)]
pub trait GoKey {
    /// Calls `f` with the bytes that are hashed, and returns the result of `f`.
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R;
}

text_and_bytes!(GoKey);
