//! Decodes filters from bytes.

use bouquet_core::{KeyHasher, SeededHasher};

use crate::{DecodeError, Header, Limits, Reader, Source};

/// A filter that can be decoded from the bytes that [`Encode`](crate::Encode) wrote.
///
/// # For users
///
/// Everything is checked: both checksums, every number, and that unused bits are not set.
/// Encoding an accepted filter gives the same bytes again. No length in the bytes is trusted:
/// memory is allocated only if the bytes that fill it exist.
///
/// A single allocation is never larger than the given bytes plus 64 KiB, with two exceptions,
/// both for filters that consist of other filters:
///
/// - A shard has a header of 128 bytes in the file, and takes 128 bytes of memory besides its
///   slots. They suffice for a lock, the sizes and a hasher of up to 24 bytes, as all hashers
///   of this family are. With a larger hasher, or with a filter type of your own inside, a
///   shard takes more than 128 bytes.
/// - Slots of more than 128 KiB take 56 additional bytes, to begin at a cache line. With over a
///   thousand shards of that size this is more than 64 KiB, but less than a two-thousandth of
///   the bytes.
///
/// Such filters are not rejected: they can be created and encoded, so they must be decodable.
///
/// The checksums detect accidental damage. They do not prove the origin of a file: whoever can
/// write it can replace it by any other filter, even one that contains nothing or everything.
///
/// # Implementing
///
/// `from_record` accepts only what `write_payload` can have written. The laws `canonical` and
/// `hostile_bytes` of `bouquet-testkit` test it.
#[diagnostic::on_unimplemented(
    message = "no file is decoded as `{Self}`",
    note = "name a filter, such as `StandardBloom`; for borrowed or mapped bytes a view, such as `StandardView`"
)]
pub trait Decode: Sized {
    /// The filter's hash function.
    type Hasher: KeyHasher;

    /// Creates the filter of this header, and reads its payload from `payload`. The caller has
    /// checked that the type and the seed (or key) of `hasher` match the header, unless it
    /// decodes for inspection.
    ///
    /// # Errors
    ///
    /// [`DecodeError`] for a header of another variant, and for anything that no such filter
    /// writes.
    fn from_record(
        header: &Header,
        payload: &mut Reader<'_>,
        hasher: &Self::Hasher,
    ) -> Result<Self, DecodeError>;

    /// Decodes a filter from its bytes. Its hasher must need only a seed, which is in the
    /// bytes.
    ///
    /// # Errors
    ///
    /// [`DecodeError`] if the bytes are not such a filter.
    fn decode(bytes: &[u8]) -> Result<Self, DecodeError>
    where
        Self::Hasher: SeededHasher,
    {
        of_bytes(bytes, seeded)
    }

    /// Decodes a filter from its bytes, with the hasher that it was created with. For a hasher
    /// with a secret key this is the only method; for others it checks the seed.
    ///
    /// # Errors
    ///
    /// [`DecodeError`]; with [`Problem::Seed`](crate::Problem::Seed) if the seed or key
    /// differs.
    fn decode_with(bytes: &[u8], hasher: Self::Hasher) -> Result<Self, DecodeError> {
        of_bytes(bytes, |header| {
            header.expect_hasher(&hasher)?;
            Ok(hasher)
        })
    }

    /// Decodes a filter from its bytes if it is within the limits: for bytes from an untrusted
    /// source, such as a request. For a hasher with a secret key see [`Limits::check`].
    ///
    /// # Errors
    ///
    /// [`DecodeError`]; with [`Problem::OverLimit`](crate::Problem::OverLimit), before any
    /// memory is allocated, if the filter exceeds the limits.
    fn decode_with_limits(bytes: &[u8], limits: &Limits) -> Result<Self, DecodeError>
    where
        Self::Hasher: SeededHasher,
    {
        of_bytes(bytes, within(limits))
    }

    /// Decodes a filter from the next `len` bytes of a reader; for a file, `len` is its length.
    /// Needs the memory of the filter and a buffer. Afterwards the reader is positioned right
    /// after these bytes. Needs the feature `std`.
    ///
    /// # Errors
    ///
    /// [`LoadError`](crate::LoadError).
    #[cfg(feature = "std")]
    fn decode_from(reader: impl std::io::Read, len: u64) -> Result<Self, crate::LoadError>
    where
        Self::Hasher: SeededHasher,
    {
        crate::file::decode_from(reader, len, seeded)
    }

    /// Decodes a filter from the next `len` bytes of a reader if it is within the limits. If it
    /// exceeds them, only its header is read. Needs the feature `std`.
    ///
    /// # Errors
    ///
    /// [`LoadError`](crate::LoadError).
    #[cfg(feature = "std")]
    fn decode_from_with_limits(
        reader: impl std::io::Read,
        len: u64,
        limits: &Limits,
    ) -> Result<Self, crate::LoadError>
    where
        Self::Hasher: SeededHasher,
    {
        crate::file::decode_from(reader, len, within(limits))
    }

    /// Decodes a filter from the next `len` bytes of a reader, with the hasher that it was
    /// created with; see [`decode_with`](Self::decode_with) and
    /// [`decode_from`](Self::decode_from). Needs the feature `std`.
    ///
    /// # Errors
    ///
    /// [`LoadError`](crate::LoadError).
    #[cfg(feature = "std")]
    fn decode_from_with(
        reader: impl std::io::Read,
        len: u64,
        hasher: Self::Hasher,
    ) -> Result<Self, crate::LoadError> {
        crate::file::decode_from(reader, len, |header| {
            header.expect_hasher(&hasher)?;
            Ok(hasher)
        })
    }

    /// Decodes a filter from a reader for inspection only: lookups are meaningless.
    /// `placeholder` replaces the original hasher, whose type or secret key may be unavailable,
    /// and is not compared with the file. Everything else is checked. Needs the feature `std`.
    ///
    /// The size, the fill ratio and the counts are correct. If the filter is encoded again, it
    /// has the ID and the seed of the placeholder.
    ///
    /// # Errors
    ///
    /// [`LoadError`](crate::LoadError).
    #[cfg(feature = "std")]
    fn decode_for_inspection(
        reader: impl std::io::Read,
        len: u64,
        placeholder: Self::Hasher,
    ) -> Result<Self, crate::LoadError> {
        crate::file::decode_from(reader, len, |_| Ok(placeholder))
    }

    /// Loads a filter from a file. Needs the feature `std`.
    ///
    /// # Errors
    ///
    /// [`LoadError`](crate::LoadError).
    #[cfg(feature = "std")]
    fn load(path: impl AsRef<std::path::Path>) -> Result<Self, crate::LoadError>
    where
        Self::Hasher: SeededHasher,
    {
        crate::file::load(path.as_ref(), seeded)
    }

    /// Loads a filter from a file if it is within the limits; see
    /// [`decode_with_limits`](Self::decode_with_limits). Needs the feature `std`.
    ///
    /// # Errors
    ///
    /// [`LoadError`](crate::LoadError).
    #[cfg(feature = "std")]
    fn load_with_limits(
        path: impl AsRef<std::path::Path>,
        limits: &Limits,
    ) -> Result<Self, crate::LoadError>
    where
        Self::Hasher: SeededHasher,
    {
        crate::file::load(path.as_ref(), within(limits))
    }

    /// Loads a filter from a file, with the hasher that it was created with; see
    /// [`decode_with`](Self::decode_with). Needs the feature `std`.
    ///
    /// # Errors
    ///
    /// [`LoadError`](crate::LoadError).
    #[cfg(feature = "std")]
    fn load_with(
        path: impl AsRef<std::path::Path>,
        hasher: Self::Hasher,
    ) -> Result<Self, crate::LoadError> {
        crate::file::load(path.as_ref(), |header| {
            header.expect_hasher(&hasher)?;
            Ok(hasher)
        })
    }
}

/// Creates the hasher of a header from the seed in it.
pub(crate) fn seeded<H: SeededHasher>(header: &Header) -> Result<H, DecodeError> {
    header.expect_hasher_type::<H>()?;
    let hasher = H::from_seed(header.seed());
    header.expect_hasher(&hasher)?;
    Ok(hasher)
}

/// Like `seeded`, but first checks that the header is within the limits.
fn within<H: SeededHasher>(limits: &Limits) -> impl FnOnce(&Header) -> Result<H, DecodeError> {
    |header| {
        limits.check(header)?;
        seeded(header)
    }
}

fn of_bytes<F: Decode>(
    bytes: &[u8],
    hasher: impl FnOnce(&Header) -> Result<F::Hasher, DecodeError>,
) -> Result<F, DecodeError> {
    #[cfg(feature = "mmap")]
    let _ahead = crate::mapped::ReadAhead::over(bytes);
    decode_from(&mut &*bytes, bytes.len() as u64, hasher)
}

pub(crate) fn decode_from<F: Decode>(
    source: &mut dyn Source,
    len: u64,
    hasher: impl FnOnce(&Header) -> Result<F::Hasher, DecodeError>,
) -> Result<F, DecodeError> {
    let (mut reader, header) = Reader::new(source, len)?;
    let filter = hasher(&header)
        .and_then(|hasher| F::from_record(&header, &mut reader, &hasher))
        .map_err(|error| error.naming_parts(&header, || reader.first_part()))?;
    reader.finish()?;
    Ok(filter)
}
