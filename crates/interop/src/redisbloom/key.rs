//! What clients of Redis send.

use core::{
    fmt::{self, Write},
    str,
};

use crate::keys::text_and_bytes;

/// A key, as a client sends it to RedisBloom, or to Redisson with a codec of text.
///
/// | a key here | bytes |
/// | --- | --- |
/// | `str`, `[u8]`, their owners, `[u8; N]` | themselves |
/// | integers | the number as decimal text: no `+`, no zeros before it, a `-` before a negative one |
///
/// `BF.ADD users 42` sends the text "42", and so does every client that is given a number. The server
/// compares bytes: `007` and `7`, `-0` and `0`, `1e3` and `1000` are two keys each. Whoever added one of
/// the former asks for its text.
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
    /// Calls `f` with the bytes that the server gets, and returns what it returned.
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R;
}

text_and_bytes!(RedisKey);

/// A number as text: a sign and the 39 digits of 2^128 at most.
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
                // There is room for every number.
                let _ = write!(decimal, "{self}");
                f(&decimal.text[..decimal.len])
            }
        }
    )*};
}
decimal!(
    u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize
);
