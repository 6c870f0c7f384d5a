//! The types that can be keys, and the bytes of each key.

mod hashed;
mod parts;
#[cfg(any(test, feature = "std"))]
mod path;
mod published;
mod values;

pub use hashed::Hashed;
pub use parts::KeyParts;

use alloc::{
    borrow::{Cow, ToOwned},
    boxed::Box,
    rc::Rc,
    string::String,
};
use core::num::{
    NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroI128, NonZeroIsize, NonZeroU8,
    NonZeroU16, NonZeroU32, NonZeroU64, NonZeroU128, NonZeroUsize,
};

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
/// | `bool`, `char`, `NonZero…` | as their integer values |
/// | tuples of two to six parts | those of each part, one after the other; a part that is a sequence, or whose type does not fix its length, is preceded by its length in bytes as an integer |
/// | `[K]`, `[K; N]`, `Vec<K>` of other keys than `u8` | as those of a tuple; the number of keys as an integer if each has no bytes |
/// | `Option<K>` | those of the tuple `(1, key)`; `None` is the integer 0 |
/// | `Ipv4Addr`, `Ipv6Addr`, `IpAddr` | the 4 or 16 octets |
/// | `SocketAddrV4`, `SocketAddrV6`, `SocketAddr` | those of the tuples `(ip, port)` and `(ip, port, flowinfo, scope_id)` |
/// | `Duration` | its nanoseconds as a `u128` |
/// | `SystemTime` (feature `std`) | the nanoseconds since 1970 as an `i128` |
/// | `CStr`, `CString` | without the NUL at the end |
/// | `OsStr`, `OsString` (feature `std`) | its bytes on Unix, WTF-8 on Windows |
/// | `Path`, `PathBuf` (feature `std`) | those of the path that has the same components, with `/` between them: `a//b/.` is `a/b` |
/// | `Uuid` (feature `uuid`) | its 16 bytes |
/// | `Bytes`, `BytesMut` (feature `bytes`) | themselves |
/// | `&K`, `&mut K`, `Box<K>`, `Rc<K>`, `Arc<K>`, `Cow<K>` | those of `K` |
/// | [`Hashed(&t)`](Hashed) | what the [`Hash`](core::hash::Hash) of `t` writes to the hasher; not portable |
///
/// Equal values have equal bytes, and different values of one type have different bytes.
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
/// | `[1u16, 2]`, `vec![1u16, 2]`, `(1u64, 2u64)` | parts of fixed length come one after the other |
/// | `"/a"`, `Path::new("/a/")` | a path without what its components ignore is its text |
///
/// A filter of another system takes no `Key`: each has a key trait of its own, for exactly the
/// types whose bytes that system defines (crate `bouquet-interop`).
///
/// # Implementing
///
/// Pass bytes to `f` that depend only on the value (not on its address, the process or the
/// machine), that are the same at every call, and that differ for different values. If the key
/// has parts, write each part's length before it; otherwise `("ab", "c")` and `("a", "bc")` are
/// the same key. [`KeyParts`] does this, and `derive(Key)` of `bouquet` uses it.
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
    note = "in `derive(Key)`, such a field takes `#[key(skip)]`, `#[key(hash)]` or `#[key(with = path)]`",
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

    /// Appends the bytes of this key to those of a key that contains it. A key of several parts
    /// adds each part here and calls this in `with_bytes`: then the time for a deeply nested key
    /// is proportional to its size.
    #[inline]
    fn append_to(&self, parts: &mut KeyParts) {
        self.with_bytes(|bytes| parts.push(bytes));
    }

    /// Whether a key that has this one as a part has its length before it; arrays override this,
    /// so that an array and a `Vec` of the same values are one key as parts too.
    #[doc(hidden)]
    const HAS_LENGTH_BEFORE: bool = Self::LEN.is_none();

    /// The length in bytes of the part that this key is in another, if it is the same for all.
    #[doc(hidden)]
    const PART_LEN: Option<usize> = match Self::LEN {
        Some(len) if Self::HAS_LENGTH_BEFORE => Some(parts::LENGTH + len),
        len => len,
    };

    /// Whether sequences of these keys are byte strings; only `u8` overrides this.
    #[doc(hidden)]
    const IS_BYTE: bool = false;

    /// Appends this key as a part, with its length before it if it has one there. Overridden where
    /// the length is known before the bytes.
    #[doc(hidden)]
    #[inline]
    fn append_part_to(&self, parts: &mut KeyParts) {
        match Self::HAS_LENGTH_BEFORE {
            true => parts.push_with_length(self),
            false => self.append_to(parts),
        }
    }

    /// Calls `f` with the bytes of a sequence of keys; only `u8` overrides this.
    #[doc(hidden)]
    #[inline]
    fn with_bytes_of_all<R>(keys: &[Self], f: impl FnOnce(&[u8]) -> R) -> R
    where
        Self: Sized,
    {
        let mut parts = KeyParts::new();
        Self::append_all_to(keys, &mut parts);
        f(parts.bytes())
    }

    /// Appends the bytes of a sequence of keys; only `u8` overrides this.
    #[doc(hidden)]
    #[inline]
    fn append_all_to(keys: &[Self], parts: &mut KeyParts)
    where
        Self: Sized,
    {
        if Self::PART_LEN == Some(0) {
            keys.len().append_to(parts);
        }
        for key in keys {
            parts.part(key);
        }
    }
}

impl Key for str {
    #[inline]
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        f(self.as_bytes())
    }

    #[inline]
    fn append_part_to(&self, parts: &mut KeyParts) {
        parts.push_bytes(self.as_bytes());
    }
}

impl Key for String {
    #[inline]
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        f(self.as_bytes())
    }

    #[inline]
    fn append_part_to(&self, parts: &mut KeyParts) {
        parts.push_bytes(self.as_bytes());
    }
}

macro_rules! forwarded_keys {
    ($([$K:ident $(: $bound:path)?] $pointer:ty),* $(,)?) => {$(
        impl<$K: Key $(+ $bound)? + ?Sized> Key for $pointer {
            const LEN: Option<usize> = $K::LEN;
            const HAS_LENGTH_BEFORE: bool = $K::HAS_LENGTH_BEFORE;

            #[inline]
            fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
                (**self).with_bytes(f)
            }

            #[inline]
            fn append_to(&self, parts: &mut KeyParts) {
                (**self).append_to(parts);
            }

            #[inline]
            fn append_part_to(&self, parts: &mut KeyParts) {
                (**self).append_part_to(parts);
            }
        }
    )*};
}
forwarded_keys!(
    [K] &K,
    [K] &mut K,
    [K] Box<K>,
    [K] Rc<K>,
    [K: ToOwned] Cow<'_, K>,
);
#[cfg(target_has_atomic = "ptr")]
forwarded_keys!([K] alloc::sync::Arc<K>);

impl Key for u8 {
    const LEN: Option<usize> = u64::LEN;
    const IS_BYTE: bool = true;

    #[inline]
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        u64::from(*self).with_bytes(f)
    }

    #[inline]
    fn with_bytes_of_all<R>(keys: &[Self], f: impl FnOnce(&[u8]) -> R) -> R {
        f(keys)
    }

    #[inline]
    fn append_all_to(keys: &[Self], parts: &mut KeyParts) {
        parts.push(keys);
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
    ($($key:ty as $int:ty),* $(,)?) => {$(
        impl Key for $key {
            const LEN: Option<usize> = <$int>::LEN;

            #[inline]
            fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
                <$int>::from(*self).with_bytes(f)
            }
        }
    )*};
}
keys_as!(
    bool as u8,
    char as u32,
    NonZeroU8 as u8,
    NonZeroU16 as u16,
    NonZeroU32 as u32,
    NonZeroU64 as u64,
    NonZeroU128 as u128,
    NonZeroUsize as usize,
    NonZeroI8 as i8,
    NonZeroI16 as i16,
    NonZeroI32 as i32,
    NonZeroI64 as i64,
    NonZeroI128 as i128,
    NonZeroIsize as isize,
);

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

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
            bytes(&Rc::<str>::from("tulip")),
            bytes(&alloc::sync::Arc::<str>::from("tulip")),
            bytes(&&mut owned.clone()),
            bytes(&Cow::Borrowed("tulip")),
            bytes(b"tulip"),
            bytes(&b"tulip"[..]),
            bytes(&owned.clone().into_bytes()),
        ] {
            assert_eq!(got, b"tulip");
        }
    }
}
