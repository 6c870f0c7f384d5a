//! Keys made of several parts: tuples and sequences.

use alloc::vec::Vec;

use super::Key;

/// The largest size in bytes of a key of several parts that is stored without an allocation.
const INLINE: usize = 64;

/// The size in bytes of the length before a part.
pub(super) const LENGTH: usize = 8;

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

    /// Adds bytes as they are, without a length.
    #[inline]
    pub(super) fn push(&mut self, bytes: &[u8]) {
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

    /// Adds a part. A sequence, or a part whose type does not fix its length, is preceded by its
    /// length in bytes.
    #[inline]
    pub fn part<K: Key + ?Sized>(&mut self, part: &K) {
        part.append_part_to(self);
    }

    /// Adds these bytes, preceded by their number.
    #[inline]
    pub(super) fn push_bytes(&mut self, bytes: &[u8]) {
        self.push(&(bytes.len() as u64).to_le_bytes());
        self.push(bytes);
    }

    /// Adds a key whose length is known only when it has been added, preceded by that length.
    #[inline]
    pub(super) fn push_with_length<K: Key + ?Sized>(&mut self, key: &K) {
        let start = self.bytes().len();
        self.push(&[0; LENGTH]);
        key.append_to(self);
        let length = (self.bytes().len() - start - LENGTH) as u64;
        let bytes = match self.long.is_empty() {
            true => &mut self.inline[..],
            false => &mut self.long[..],
        };
        bytes[start..start + LENGTH].copy_from_slice(&length.to_le_bytes());
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
    /// not fixed. A part that is a sequence is eight bytes longer than its own key.
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

/// The keys of a sequence, with the bytes of an array of them.
macro_rules! sequences {
    ($([$($size:tt)*] $sequence:ty: $len:expr;)*) => {$(
        impl<K: Key $($size)*> Key for $sequence {
            const LEN: Option<usize> = $len;
            const HAS_LENGTH_BEFORE: bool = true;

            #[inline]
            fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
                K::with_bytes_of_all(self, f)
            }

            #[inline]
            fn append_to(&self, parts: &mut KeyParts) {
                K::append_all_to(self, parts);
            }

            #[inline]
            fn append_part_to(&self, parts: &mut KeyParts) {
                match K::IS_BYTE {
                    true => K::with_bytes_of_all(self, |bytes| parts.push_bytes(bytes)),
                    false => parts.push_with_length(self),
                }
            }
        }
    )*};
}
sequences! {
    [] [K]: None;
    [] Vec<K>: None;
    [, const N: usize] [K; N]: match K::PART_LEN {
        _ if K::IS_BYTE => Some(N),
        Some(0) => Some(LENGTH),
        Some(len) => len.checked_mul(N),
        None => None,
    };
}

macro_rules! tuples {
    ($(($($part:ident $index:tt),*))*) => {$(
        impl<$($part: Key),*> Key for ($($part),*) {
            const LEN: Option<usize> = KeyParts::length(&[$($part::PART_LEN),*]);

            #[inline]
            fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
                let mut parts = KeyParts::new();
                self.append_to(&mut parts);
                f(parts.bytes())
            }

            #[inline]
            fn append_to(&self, parts: &mut KeyParts) {
                $(parts.part(&self.$index);)*
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
    use alloc::{string::String, vec};

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
        assert_eq!(<(u8, char, [u32; 3])>::LEN, Some(8 + 8 + 8 + 24));
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

    #[test]
    fn a_sequence_is_one_key_in_whatever_it_is_stored() {
        fn check<K: Key + Clone, const N: usize>(keys: [K; N]) -> Vec<u8> {
            let all = bytes(&keys);
            assert_eq!(bytes(&keys[..]), all);
            assert_eq!(bytes(&keys.to_vec()), all);
            if let Some(len) = <[K; N]>::LEN {
                assert_eq!(all.len(), len);
            }
            all
        }
        assert_eq!(check([1u8, 2]), [1, 2]);
        assert_eq!(check([1u16, 2]), bytes(&(1u64, 2u32)));
        assert_eq!(check(["ab", "", "c"]), bytes(&("ab", "", "c")));
        assert_eq!(check([[1u8, 2], [3, 4]]), check([vec![1u8, 2], vec![3, 4]]));
        assert_eq!(check([[0u8; 0]; 3]), check([&[0u8][..0]; 3]));
        assert_eq!(bytes(&(7, [1u16, 2])), bytes(&(7, vec![1u16, 2])));
        assert_eq!(bytes(&Some([1u8, 2])), bytes(&Some(&[1u8, 2][..])));
        assert_ne!(check([&[1u8, 2][..], &[3]]), check([&[1u8][..], &[2, 3]]));
        assert!(check::<u64, 0>([]).is_empty());
        assert_eq!(bytes(&vec![0u16; 35_000]).len(), 280_000);
    }

    #[test]
    fn an_option_has_a_tag() {
        assert_eq!(bytes(&None::<u8>), bytes(&0u64));
        assert_eq!(bytes(&Some("rose")), bytes(&(1u64, "rose")));
        let all = [None, Some(None), Some(Some(0u8)), Some(Some(1))].map(|key| bytes(&key));
        for (i, one) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|other| other != one));
        }
    }

    #[test]
    fn a_part_in_a_part_has_its_own_length() {
        let inner = bytes(&("ab", vec![1u16, 2]));
        let outer = [&(inner.len() as u64).to_le_bytes()[..], &inner].concat();
        assert_eq!(bytes(&[("ab", vec![1u16, 2])]), outer);
    }
}
