//! Bytes and files as methods of the type, as
//! `bouquet_core::inherent_statistics` does for its statistics.

/// [`Encode`](crate::Encode) and, of the filter with the default hasher,
/// [`Decode`](crate::Decode).
#[doc(hidden)]
#[macro_export]
macro_rules! inherent_bytes {
    ([$($generics:tt)*] $filter:ty, by default $default:ty) => {
        impl<$($generics)*> $filter {
            /// The bytes of the whole; see [`Encode::encode`]($crate::Encode::encode), which is
            /// the same.
            pub fn encode(&self) -> alloc::vec::Vec<u8> {
                $crate::Encode::encode(self)
            }
        }

        impl $default {
            /// The filter of these bytes, which [`encode`](Self::encode) gave, with the default
            /// hasher; of any other, [`Decode::decode`]($crate::Decode::decode).
            ///
            /// # Errors
            ///
            /// [`DecodeError`]($crate::DecodeError); of a filter with another hasher or of
            /// another variant it names the type to write.
            pub fn from_bytes(bytes: &[u8]) -> Result<Self, $crate::DecodeError> {
                $crate::Decode::decode(bytes)
            }
        }
    };
}

/// The same for files. Of what is generic in its inner filter, encoding and decoding ask
/// different things.
#[doc(hidden)]
#[macro_export]
#[cfg(feature = "std")]
macro_rules! inherent_files {
    ([$($encoded:tt)*] [$($decoded:tt)*] $filter:ty, by default $default:ty) => {
        impl<$($encoded)*> $filter {
            /// Saves it as a file, as a whole or not at all; see
            /// [`Encode::save`]($crate::Encode::save), which is the same.
            ///
            /// # Errors
            ///
            /// Those of the file system; the old file is unchanged then.
            pub fn save(&self, path: impl AsRef<std::path::Path>) -> std::io::Result<()> {
                $crate::Encode::save(self, path)
            }
        }

        impl<$($decoded)*> $filter {
            /// The filter in a file with the hasher that it was made with; see
            /// [`Decode::load_with`]($crate::Decode::load_with), which is the same.
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
            /// The filter in a file that [`save`](Self::save) wrote, with the default hasher;
            /// of any other, [`load_with`](Self::load_with).
            ///
            /// # Errors
            ///
            /// [`LoadError`]($crate::LoadError); of a filter with another hasher or of
            /// another variant it names the type to write.
            pub fn load(path: impl AsRef<std::path::Path>) -> Result<Self, $crate::LoadError> {
                $crate::Decode::load(path)
            }
        }
    };
}
