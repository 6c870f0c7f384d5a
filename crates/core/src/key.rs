//! The types that can be keys, and the bytes of each key.

mod parts;

pub use parts::KeyParts;

use alloc::{borrow::Cow, boxed::Box, string::String, vec::Vec};
use core::hash::{Hash, Hasher};

/// A value that can be inserted into a filter and queried.
///
/// A filter sees only bytes: two keys are the same key exactly if their bytes are equal.
///
/// | key | bytes |
/// | --- | --- |
/// | `str`, `String` | its UTF-8 |
/// | `[u8]`, `[u8; N]`, `Vec<u8>` | themselves |
/// | `u8` … `u64`, `i8` … `i64`, `usize`, `isize` | the value as eight bytes, little-endian, sign-extended |
/// | `u128`, `i128` | sixteen bytes, little-endian |
/// | `bool`, `char` | as their integer values |
/// | arrays of `bool`, `char` and integers other than `u8` | those of each element, one after the other |
/// | tuples of two to six parts | those of each part, one after the other; a part whose type does not fix its length is preceded by the length as an integer |
/// | `&K`, `Box<K>`, `Cow<K>` | those of `K` |
/// | [`Hashed(&t)`](Hashed) | what the [`Hash`] of `t` writes to the hasher; not portable |
///
/// The bytes of an integer depend on its value, not on its type: a key inserted as `42u32`, or
/// as `42`, which Rust takes for an `i32`, is found as `42u64`. An `i64` of -1 and a `u64` of
/// 2^64 - 1 are the same key. A 128-bit integer is a different key than the same value of 64
/// bits, and so are the digits of a number as text. The keys of each row are the same key,
/// although their types differ:
///
/// | one key | because |
/// | --- | --- |
/// | `1u8`, `1i64`, `true`, `'\u{1}'`, `1u64.to_le_bytes()` | a value of up to 64 bits is its eight bytes |
/// | `-1i32`, `u64::MAX` | a negative value is sign-extended |
/// | `"rose"`, `*b"rose"`, `vec![b'r', b'o', b's', b'e']` | text is its UTF-8 |
/// | `[1u16, 2]`, `(1u64, 2u64)` | parts of fixed length come one after the other |
///
/// A filter of another system takes no `Key`: each has a key trait of its own, for exactly the
/// types whose bytes that system defines (crate `bouquet-interop`).
///
/// # Implementing
///
/// Pass bytes to `f` that depend only on the value (not on its address, the process or the
/// machine), that are the same at every call, and that differ for different values. If the key
/// has parts, write each part's length before it; otherwise `("ab", "c")` and `("a", "bc")` are
/// the same key. [`KeyParts`] does this.
///
/// ```
/// use bouquet_core::Key;
///
/// struct Point { x: i32, y: i32 }
///
/// impl Key for Point {
///     fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
///         let mut bytes = [0; 8];
///         bytes[..4].copy_from_slice(&self.x.to_le_bytes());
///         bytes[4..].copy_from_slice(&self.y.to_le_bytes());
///         f(&bytes)
///     }
/// }
/// assert_eq!(Point { x: 1, y: 2 }.with_bytes(|b| b.len()), 8);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key: a filter does not know which bytes it is",
    label = "has no bytes to hash",
    note = "if it implements `Hash`: `Hashed(&value)`; the bytes then depend on the program, so do not store such a filter",
    note = "for a filter that is stored or shared: `#[derive(Key)]` (feature `derive` of `bouquet`), `impl Key`, or the bytes, such as `value.to_string()`",
    note = "of a float: `value.to_bits()`; `-0.0` and `0.0` are two keys then"
)]
pub trait Key {
    /// The length in bytes of all keys of this type, if it is the same for all of them. Hashers
    /// are faster with many keys of a known length, and the hashes are the same. If
    /// [`with_bytes`](Self::with_bytes) passes another number of bytes, keys of a batch are
    /// lost.
    const LEN: Option<usize> = None;

    /// Calls `f` with the bytes of this key and returns the result of `f`.
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R;
}

impl Key for [u8] {
    #[inline]
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        f(self)
    }
}

impl<const N: usize> Key for [u8; N] {
    const LEN: Option<usize> = Some(N);

    #[inline]
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        f(self)
    }
}

impl Key for Vec<u8> {
    #[inline]
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        f(self)
    }
}

impl Key for str {
    #[inline]
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        f(self.as_bytes())
    }
}

impl Key for String {
    #[inline]
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        f(self.as_bytes())
    }
}

impl<K: Key + ?Sized> Key for &K {
    const LEN: Option<usize> = K::LEN;

    #[inline]
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        (**self).with_bytes(f)
    }
}

impl<K: Key + ?Sized> Key for Box<K> {
    const LEN: Option<usize> = K::LEN;

    #[inline]
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        (**self).with_bytes(f)
    }
}

impl<K: Key + alloc::borrow::ToOwned + ?Sized> Key for Cow<'_, K> {
    const LEN: Option<usize> = K::LEN;

    #[inline]
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        (**self).with_bytes(f)
    }
}

macro_rules! integer_keys {
    ($($int:ty as $wide:ty),*) => {$(
        impl Key for $int {
            const LEN: Option<usize> = Some(size_of::<$wide>());

            #[inline]
            fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
                f(&(*self as $wide).to_le_bytes())
            }
        }
    )*};
}
integer_keys!(
    u8 as u64,
    u16 as u64,
    u32 as u64,
    u64 as u64,
    usize as u64,
    u128 as u128
);
integer_keys!(
    i8 as i64,
    i16 as i64,
    i32 as i64,
    i64 as i64,
    isize as i64,
    i128 as i128
);

macro_rules! keys_as {
    ($($key:ty as $int:ty),*) => {$(
        impl Key for $key {
            const LEN: Option<usize> = <$int>::LEN;

            #[inline]
            fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
                <$int>::from(*self).with_bytes(f)
            }
        }
    )*};
}
keys_as!(bool as u8, char as u32);

/// Any `T: Hash` as a key: structs, enums, containers of them.
///
/// The bytes are those that `T` writes to a [`Hasher`], in order. The language does not fix
/// them: they change with the width of `usize` and the byte order, and may change with a
/// release of the type's crate or of Rust. **So use such keys only for filters that stay within
/// one process; for a filter that is stored or sent, implement [`Key`].**
///
/// Each call allocates one buffer for these bytes.
///
/// ```
/// use bouquet_core::{Hashed, Key};
///
/// let a = Hashed(&("user", 7)).with_bytes(|b| b.to_vec());
/// let b = Hashed(&("user", 8)).with_bytes(|b| b.to_vec());
/// assert_ne!(a, b);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Hashed<'a, T: ?Sized>(
    /// The value to use as a key.
    pub &'a T,
);

impl<T: Hash + ?Sized> Key for Hashed<'_, T> {
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        let mut fed = Fed(Vec::new());
        self.0.hash(&mut fed);
        f(&fed.0)
    }
}

/// A `Hasher` that stores the bytes written to it.
struct Fed(Vec<u8>);

impl Hasher for Fed {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn finish(&self) -> u64 {
        // `Hash` implementations only write; none of them may depend on the result of `finish`.
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes<K: Key + ?Sized>(key: &K) -> Vec<u8> {
        key.with_bytes(<[u8]>::to_vec)
    }

    #[test]
    fn an_integer_is_its_value_in_eight_bytes() {
        assert_eq!(bytes(&0x0102_0304u32), [4, 3, 2, 1, 0, 0, 0, 0]);
        assert_eq!(bytes(&-2i16), (-2i64).to_le_bytes());
        let all = [
            bytes(&42u8),
            bytes(&42u16),
            bytes(&42u32),
            bytes(&42u64),
            bytes(&42usize),
            bytes(&42i8),
            bytes(&42i16),
            bytes(&42),
            bytes(&42i64),
            bytes(&42isize),
            bytes(&'*'),
            bytes(&42u64.to_le_bytes()),
        ];
        assert!(all.iter().all(|key| *key == all[0]), "{all:?}");
        assert_eq!(bytes(&-1i8), bytes(&u64::MAX));
        assert_eq!(bytes(&42u128), 42u128.to_le_bytes());
        assert_eq!(bytes(&-1i128), [0xff; 16]);
        assert_eq!(bytes(&true), bytes(&1u64));
        assert_eq!(bytes(&'é'), bytes(&0xe9u32));
    }

    #[test]
    fn the_length_is_that_of_the_bytes() {
        fn check<K: Key>(key: K) {
            assert_eq!(K::LEN, Some(bytes(&key).len()));
            assert_eq!(<&K>::LEN, K::LEN);
        }
        check(1u8);
        check(-1i16);
        check(1u64);
        check(1usize);
        check(1u128);
        check(true);
        check('a');
        check([0u8; 0]);
        check([0u8; 59]);
        assert_eq!(<[u8]>::LEN, None);
        assert_eq!(<&str>::LEN, None);
        assert_eq!(String::LEN, None);
    }

    #[test]
    fn references_and_owners_are_the_key_behind_them() {
        let owned = String::from("tulip");
        for got in [
            bytes("tulip"),
            bytes(&"tulip"),
            bytes(&&owned),
            bytes(&Box::<str>::from("tulip")),
            bytes(&Cow::Borrowed("tulip")),
            bytes(b"tulip"),
            bytes(&b"tulip"[..]),
            bytes(&owned.clone().into_bytes()),
        ] {
            assert_eq!(got, b"tulip");
        }
    }

    #[test]
    fn hashed_distinguishes_parts() {
        assert_ne!(bytes(&Hashed(&("ab", "c"))), bytes(&Hashed(&("a", "bc"))));
        assert_eq!(bytes(&Hashed(&7usize)).len(), size_of::<usize>());
    }
}
