//! The key types that clients of Redis send.

use core::{
    fmt::{self, Write},
    str,
};

use crate::keys::text_and_bytes;

/// A key, in the form that a client sends to RedisBloom, or to Redisson with a text codec.
///
/// | key type here | bytes that are hashed |
/// | --- | --- |
/// | `str`, `[u8]`, their owned forms, `[u8; N]` | the bytes |
/// | integers | the number as decimal text, without `+` or leading zeros, with `-` if negative |
///
/// `BF.ADD users 42` sends the text "42", and so does every client that is given a number. The
/// server compares bytes, so `007` and `7` are different keys, and so are `-0` and `0`, and `1e3`
/// and `1000`. To look up a key that was added as `007`, `-0` or `1e3`, query that text.
///
/// ```
/// use bouquet_interop::RedisBloom;
///
/// // BF.RESERVE users 0.01 1000
/// let mut users = RedisBloom::reserve(0.01, 1_000, Some(2))?;
/// // BF.ADD users 42
/// users.insert("42")?;
/// assert!(users.contains(&42) && users.contains(&42u64));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "no client of Redis sends a `{Self}`",
    label = "is no number, text or bytes",
    note = "give the text or the bytes that the client sends, such as `value.to_string()`"
)]
pub trait RedisKey {
    /// Calls `f` with the bytes that the server gets, and returns the result of `f`.
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R;
}

text_and_bytes!(RedisKey);

/// A number as text: at most a sign and the 39 digits of 2^128.
struct Decimal {
    text: [u8; 40],
    len: usize,
}

impl Write for Decimal {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        let end = self.len + part.len();
        let room = self.text.get_mut(self.len..end).ok_or(fmt::Error)?;
        room.copy_from_slice(part.as_bytes());
        self.len = end;
        Ok(())
    }
}

macro_rules! decimal {
    ($($number:ty),*) => {$(
        impl RedisKey for $number {
            #[inline]
            fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
                let mut decimal = Decimal { text: [0; 40], len: 0 };
                // The buffer has room for every number, so this cannot fail.
                let _ = write!(decimal, "{self}");
                f(&decimal.text[..decimal.len])
            }
        }
    )*};
}
decimal!(
    u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize
);
