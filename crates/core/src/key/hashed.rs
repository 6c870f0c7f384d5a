//! Any `T: Hash` as a key.

use core::hash::{Hash, Hasher};

use super::{Key, KeyParts};

/// Any `T: Hash` as a key: structs, enums, containers of them.
///
/// The bytes are those that `T` writes to a [`Hasher`], in order, those of a `u32` widened to
/// eight. The language does not fix
/// them: they change with the width of `usize` and the byte order, and may change with a
/// release of the type's crate or of Rust. **So use such keys only for filters that stay within
/// one process; for a filter that is stored or sent, implement [`Key`].** They are other bytes
/// than those of the same value as a [`Key`]: insert and query with the same wrapper.
///
/// Up to 64 bytes are kept on the stack; more are allocated. A `u32` takes eight.
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
    #[inline]
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        let mut parts = KeyParts::new();
        self.append_to(&mut parts);
        f(parts.bytes())
    }

    #[inline]
    fn append_to(&self, parts: &mut KeyParts) {
        self.0.hash(&mut Fed(parts));
    }
}

/// A `Hasher` that stores the bytes written to it.
struct Fed<'a>(&'a mut KeyParts);

impl Hasher for Fed<'_> {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        self.0.push(bytes);
    }

    /// Stored as eight bytes: hashing reads words of eight, and reading one that was stored in
    /// pieces takes the processor longer than the hash.
    #[inline]
    fn write_u32(&mut self, value: u32) {
        self.write_u64(value.into());
    }

    fn finish(&self) -> u64 {
        // `Hash` implementations only write; none of them may depend on the result of `finish`.
        0
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn hashed_distinguishes_parts() {
        let bytes = |key: Hashed<'_, (&str, &str)>| key.with_bytes(<[u8]>::to_vec);
        assert_ne!(bytes(Hashed(&("ab", "c"))), bytes(Hashed(&("a", "bc"))));
        let length = Hashed(&7usize).with_bytes(<[u8]>::len);
        assert_eq!(length, size_of::<usize>());
    }

    #[test]
    fn all_that_is_written_is_kept() {
        struct Writes(usize);
        impl Hash for Writes {
            fn hash<H: Hasher>(&self, state: &mut H) {
                (0..self.0).for_each(|i| state.write_u8(i as u8));
            }
        }
        for length in 0..200 {
            let want: Vec<u8> = (0..length).map(|i| i as u8).collect();
            assert_eq!(Hashed(&Writes(length)).with_bytes(<[u8]>::to_vec), want);
        }
    }
}
