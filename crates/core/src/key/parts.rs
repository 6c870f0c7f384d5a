//! Keys made of several parts: tuples, and arrays of integers.

use alloc::vec::Vec;

use super::Key;

/// The largest size in bytes of a key of several parts that is stored without an allocation.
const INLINE: usize = 64;

/// Joins the parts of a key in the same way as a tuple does: for implementations of [`Key`]
/// with several parts.
///
/// ```
/// use bouquet_core::{Key, KeyParts};
///
/// struct User { id: u64, name: String }
///
/// impl Key for User {
///     fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
///         let mut parts = KeyParts::new();
///         parts.part(&self.id);
///         parts.part(&self.name);
///         f(parts.bytes())
///     }
/// }
///
/// let bytes = User { id: 7, name: "alice".into() }.with_bytes(<[u8]>::to_vec);
/// assert_eq!(bytes, (7, "alice").with_bytes(<[u8]>::to_vec));
/// ```
#[derive(Clone, Debug)]
pub struct KeyParts {
    inline: [u8; INLINE],
    used: usize,
    /// All bytes of the key, once they are more than fit in `inline`.
    long: Vec<u8>,
}

impl Default for KeyParts {
    fn default() -> Self {
        Self::new()
    }
}

impl KeyParts {
    /// Creates a value without parts.
    pub const fn new() -> Self {
        Self {
            inline: [0; INLINE],
            used: 0,
            long: Vec::new(),
        }
    }

    #[inline]
    fn push(&mut self, bytes: &[u8]) {
        match self.inline.get_mut(self.used..self.used + bytes.len()) {
            Some(room) if self.long.is_empty() => {
                room.copy_from_slice(bytes);
                self.used += bytes.len();
            }
            _ => {
                if self.long.is_empty() {
                    self.long.extend_from_slice(&self.inline[..self.used]);
                }
                self.long.extend_from_slice(bytes);
            }
        }
    }

    /// Adds a part, preceded by its length unless the part's type fixes the length.
    #[inline]
    pub fn part<K: Key + ?Sized>(&mut self, part: &K) {
        part.with_bytes(|bytes| {
            if K::LEN.is_none() {
                bytes.len().with_bytes(|length| self.push(length));
            }
            self.push(bytes);
        });
    }

    /// The bytes of all parts.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        if self.long.is_empty() {
            &self.inline[..self.used]
        } else {
            &self.long
        }
    }

    /// The [length](Key::LEN) of a key whose parts have these lengths, `None` if a length is
    /// not fixed.
    pub const fn length(parts: &[Option<usize>]) -> Option<usize> {
        let (mut sum, mut i) = (0, 0);
        while i < parts.len() {
            match parts[i] {
                Some(len) => sum += len,
                None => return None,
            }
            i += 1;
        }
        Some(sum)
    }
}

macro_rules! arrays {
    ($($int:ty)*) => {$(
        impl<const N: usize> Key for [$int; N] {
            const LEN: Option<usize> = match <$int>::LEN {
                Some(len) => Some(N * len),
                None => None,
            };

            #[inline]
            fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
                let mut parts = KeyParts::new();
                for part in self {
                    parts.part(part);
                }
                f(parts.bytes())
            }
        }
    )*};
}
arrays!(bool char u16 u32 u64 usize u128 i8 i16 i32 i64 isize i128);

macro_rules! tuples {
    ($(($($part:ident $index:tt),*))*) => {$(
        impl<$($part: Key),*> Key for ($($part),*) {
            const LEN: Option<usize> = KeyParts::length(&[$($part::LEN),*]);

            #[inline]
            fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
                let mut parts = KeyParts::new();
                $(parts.part(&self.$index);)*
                f(parts.bytes())
            }
        }
    )*};
}
tuples! {
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;

    fn bytes<K: Key + ?Sized>(key: &K) -> Vec<u8> {
        key.with_bytes(<[u8]>::to_vec)
    }

    #[test]
    fn parts_come_one_after_the_other() {
        let all = bytes(&(7u8, -1i32));
        assert_eq!(all, [[7, 0, 0, 0, 0, 0, 0, 0], [0xff; 8]].concat());
        assert_eq!(all, bytes(&(7u64, -1i64)));
        assert_eq!(bytes(&[1u16, 2]), bytes(&(1u64, 2u32)));
        assert_eq!(bytes(&[1u128]), bytes(&1u128));
        assert_eq!(<(u8, char, [u32; 3])>::LEN, Some(8 + 8 + 24));
        assert_eq!(<(u8, &str)>::LEN, None);
    }

    #[test]
    fn parts_of_any_length_have_it_before_them() {
        assert_eq!(
            bytes(&("ab", 1u8)),
            [
                &[2, 0, 0, 0, 0, 0, 0, 0][..],
                b"ab",
                &[1, 0, 0, 0, 0, 0, 0, 0]
            ]
            .concat()
        );
        assert_ne!(bytes(&("ab", "c")), bytes(&("a", "bc")));
        assert_ne!(bytes(&("", "a")), bytes(&("a", "")));
        assert_eq!(
            bytes(&("ab", "c")),
            bytes(&(String::from("ab"), b"c".to_vec()))
        );
    }

    #[test]
    fn long_keys_are_whole() {
        for length in 0..200 {
            let text = "x".repeat(length);
            let want = [
                &(length as u64).to_le_bytes()[..],
                text.as_bytes(),
                &5u64.to_le_bytes(),
                &(length as u64).to_le_bytes(),
                text.as_bytes(),
            ]
            .concat();
            assert_eq!(bytes(&(&*text, 5u8, &*text)), want, "{length}");
        }
        assert_eq!(bytes(&[3u64; 100]).len(), 800);
    }
}
