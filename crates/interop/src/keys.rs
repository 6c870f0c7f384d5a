//! Implementations that the key traits of all systems share: text and bytes are hashed as they are.

/// Implements a key trait for text, for bytes, and for pointers to keys.
macro_rules! text_and_bytes {
    ($key:ident) => {
        $crate::keys::text_and_bytes!(@bytes $key [u8] |key| key);
        $crate::keys::text_and_bytes!(@bytes $key alloc::vec::Vec<u8> |key| key);
        $crate::keys::text_and_bytes!(@bytes $key str |key| key.as_bytes());
        $crate::keys::text_and_bytes!(@bytes $key alloc::string::String |key| key.as_bytes());

        impl<const N: usize> $key for [u8; N] {
            #[inline]
            fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
                f(self)
            }
        }

        $crate::keys::text_and_bytes!(@pointer $key [K: $key + ?Sized] &K);
        $crate::keys::text_and_bytes!(@pointer $key [K: $key + ?Sized] alloc::boxed::Box<K>);
        $crate::keys::text_and_bytes!(
            @pointer $key [K: $key + alloc::borrow::ToOwned + ?Sized] alloc::borrow::Cow<'_, K>
        );
    };
    (@bytes $key:ident $type:ty |$own:ident| $bytes:expr) => {
        impl $key for $type {
            #[inline]
            fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
                let $own = self;
                f($bytes)
            }
        }
    };
    (@pointer $key:ident [$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> $key for $type {
            #[inline]
            fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
                (**self).with_bytes(f)
            }
        }
    };
}
pub(crate) use text_and_bytes;

/// Implements a key trait for numbers: the key is their little-endian bytes, after a conversion to
/// the type `$wide`.
macro_rules! little_endian {
    ($key:ident: $($number:ty as $wide:ty),*) => {$(
        impl $key for $number {
            #[inline]
            fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
                f(&<$wide>::from(*self).to_le_bytes())
            }
        }
    )*};
}
pub(crate) use little_endian;
