//! The key types that correspond to Guava's funnels.

use alloc::vec::Vec;

use crate::keys::{little_endian, text_and_bytes};

/// A key with a type that corresponds to one of Guava's funnels. The file does not say which funnel
/// was used; the type of the key selects it.
///
/// | funnel | key type here | bytes that are hashed |
/// | --- | --- | --- |
/// | `byteArrayFunnel` | `[u8]`, `Vec<u8>`, `[u8; N]` | the bytes |
/// | `stringFunnel(UTF_8)` | `str`, `String` | UTF-8 |
/// | `integerFunnel` | `i32` | four, little-endian |
/// | `longFunnel` | `i64` | eight, little-endian |
/// | `unencodedCharsFunnel` | [`Unencoded`] | UTF-16, two bytes per code unit, little-endian |
///
/// ```
/// use bouquet_interop::{GuavaBloom, guava::{Release, Unencoded}};
///
/// let mut names = GuavaBloom::create(Release::V33, 100, 0.01)?;
/// names.insert(&Unencoded("rose"));
/// assert!(names.contains(&Unencoded("rose")) && !names.contains("rose"));
/// # Ok::<(), bouquet_interop::SpecError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "no funnel of Guava feeds a `{Self}`",
    label = "is no `int` or `long` of Java, text or bytes",
    note = "give what the Java program gives: `value as i64` for a `longFunnel`, `value as i32` for an `integerFunnel`; what a funnel of your own feeds goes in as bytes"
)]
pub trait GuavaKey {
    /// Calls `f` with the bytes that are hashed, and returns the result of `f`.
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R;
}

text_and_bytes!(GuavaKey);
little_endian!(GuavaKey: i32 as i32, i64 as i64);

/// A text that is hashed as by `unencodedCharsFunnel`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unencoded<'a>(
    /// The text.
    pub &'a str,
);

impl GuavaKey for Unencoded<'_> {
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        let bytes: Vec<u8> = self.0.encode_utf16().flat_map(u16::to_le_bytes).collect();
        f(&bytes)
    }
}
