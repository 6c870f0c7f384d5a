//! Encoding, decoding and files as inherent methods of the filter types, as
//! `bouquet_core::inherent_statistics` does for statistics.

/// Defines the methods of [`Encode`](crate::Encode) and, for the filter with the default
/// hasher, those of [`Decode`](crate::Decode).
#[doc(hidden)]
#[macro_export]
macro_rules! inherent_bytes {
    ([$($generics:tt)*] $filter:ty, by default $default:ty) => {
        impl<$($generics)*> $filter {
            /// Encodes the whole filter; the same as
            /// [`Encode::encode`]($crate::Encode::encode).
            pub fn encode(&self) -> alloc::vec::Vec<u8> {
                $crate::Encode::encode(self)
            }
        }

        impl $default {
            /// Decodes a filter with the default hasher from the bytes that
            /// [`encode`](Self::encode) returned. For another hasher, use
            /// [`Decode::decode`]($crate::Decode::decode).
            ///
            /// # Errors
            ///
            /// [`DecodeError`]($crate::DecodeError); for a filter with another hasher or of
            /// another variant, it names the type to use.
            pub fn from_bytes(bytes: &[u8]) -> Result<Self, $crate::DecodeError> {
                $crate::Decode::decode(bytes)
            }
        }
    };
}

/// Defines the methods that save filters to files and load them. For filters that are generic
/// in their inner filter, encoding and decoding need different bounds.
#[doc(hidden)]
#[macro_export]
#[cfg(feature = "std")]
macro_rules! inherent_files {
    ([$($encoded:tt)*] [$($decoded:tt)*] $filter:ty, by default $default:ty) => {
        impl<$($encoded)*> $filter {
            /// Saves the filter as a file, completely or not at all; the same as
            /// [`Encode::save`]($crate::Encode::save).
            ///
            /// # Errors
            ///
            /// Those of the file system; the old file is unchanged then.
            pub fn save(&self, path: impl AsRef<std::path::Path>) -> std::io::Result<()> {
                $crate::Encode::save(self, path)
            }
        }

        impl<$($decoded)*> $filter {
            /// Loads a filter from a file, with the hasher that it was created with; the same
            /// as [`Decode::load_with`]($crate::Decode::load_with).
            ///
            /// # Errors
            ///
            /// [`LoadError`]($crate::LoadError).
            pub fn load_with(
                path: impl AsRef<std::path::Path>,
                hasher: <Self as $crate::Decode>::Hasher,
            ) -> Result<Self, $crate::LoadError> {
                $crate::Decode::load_with(path, hasher)
            }
        }

        impl $default {
            /// Loads a filter with the default hasher from a file that [`save`](Self::save)
            /// wrote. For another hasher, use [`load_with`](Self::load_with).
            ///
            /// # Errors
            ///
            /// [`LoadError`]($crate::LoadError); for a filter with another hasher or of another
            /// variant, it names the type to use.
            pub fn load(path: impl AsRef<std::path::Path>) -> Result<Self, $crate::LoadError> {
                $crate::Decode::load(path)
            }
        }
    };
}
