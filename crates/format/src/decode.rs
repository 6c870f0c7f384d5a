//! From bytes to a filter.

use bouquet_core::{KeyHasher, SeededHasher};

use crate::{DecodeError, Header, Limits, Reader, Source};

/// A filter that can be made from what [`Encode`](crate::Encode) wrote.
///
/// # For users
///
/// Everything is checked: both checksums, every number, and that nothing is set
/// where nothing can be. Accepted bytes encode to themselves. No
/// length in them is trusted: memory is allocated only if the bytes that fill
/// it are there.
///
/// A single allocation is never larger than those bytes and 64 KiB, with two
/// exceptions, both of filters that are made of others:
///
/// - A shard has 128 bytes of header in the file, and takes 128 bytes of memory
///   beside its slots, which suffice for a lock, sizes and a hasher of up to 24 bytes,
///   as all of this family's are. A larger hasher, or a filter of your own
///   inside, takes more than 128 bytes in each shard.
/// - Slots of more than 128 KiB take 56 bytes more, to begin on a cache line. With
///   over a thousand shards as large that is more than 64 KiB, and less than a
///   two-thousandth of the bytes.
///
/// Neither can be rejected: such filters can be made, and what was made can be
/// read again.
///
/// The checksums detect accidents. They do not prove where a file is from:
/// whoever can write it can make it any filter, one that contains nothing or
/// everything.
///
/// # Implementing
///
/// `from_record` accepts what `write_payload` can have written and nothing
/// else. The laws `canonical` and `hostile_bytes` of `bouquet-testkit` test it.
#[diagnostic::on_unimplemented(
    message = "no file is decoded as `{Self}`",
    note = "name a filter, such as `StandardBloom`; for borrowed or mapped bytes a view, such as `StandardView`"
)]
pub trait Decode: Sized {
    /// Its hash function.
    type Hasher: KeyHasher;

    /// The filter with this header, whose payload is read from `payload`. The header is
    /// of the type of hasher and of the seed or key of `hasher`.
    ///
    /// # Errors
    ///
    /// [`DecodeError`] for a header of another variant, and for anything that no
    /// such filter writes.
    fn from_record(
        header: &Header,
        payload: &mut Reader<'_>,
        hasher: &Self::Hasher,
    ) -> Result<Self, DecodeError>;

    /// The filter of these bytes, whose hasher needs its seed alone.
    ///
    /// # Errors
    ///
    /// [`DecodeError`].
    fn decode(bytes: &[u8]) -> Result<Self, DecodeError>
    where
        Self::Hasher: SeededHasher,
    {
        of_bytes(bytes, seeded)
    }

    /// The filter of these bytes with the hasher that it was made with: the only
    /// way if that has a secret key, and otherwise a check of its seed.
    ///
    /// # Errors
    ///
    /// [`DecodeError`]; [`Problem::Seed`](crate::Problem::Seed) for another seed
    /// or key.
    fn decode_with(bytes: &[u8], hasher: Self::Hasher) -> Result<Self, DecodeError> {
        of_bytes(bytes, |header| {
            header.expect_hasher(&hasher)?;
            Ok(hasher)
        })
    }

    /// The filter of these bytes, if it is within the limits: for bytes from outside, such as
    /// those of a request. For a hasher with a secret key see [`Limits::check`].
    ///
    /// # Errors
    ///
    /// [`DecodeError`]; [`Problem::OverLimit`](crate::Problem::OverLimit) before any memory
    /// is allocated.
    fn decode_with_limits(bytes: &[u8], limits: &Limits) -> Result<Self, DecodeError>
    where
        Self::Hasher: SeededHasher,
    {
        of_bytes(bytes, within(limits))
    }

    /// Decodes a filter from a reader, in `len` bytes: for a file its length.
    /// Needs the memory of the filter and a buffer. The reader is left right after
    /// them. Needs the feature `std`.
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

    /// Decodes a filter from a reader, in `len` bytes, if it is within the limits, of which
    /// `len` may be more: no more than its header is read then. Needs the feature `std`.
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

    /// Decodes a filter from a reader, in `len` bytes, with the hasher that it was made
    /// with; see [`decode_with`](Self::decode_with) and
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
    /// `placeholder` replaces the hasher that it was made with, which may be a user's own
    /// or whose key may be unavailable, and it is not compared with the file's.
    /// Everything else is checked. Needs the feature `std`.
    ///
    /// Size, fill and counts are correct. Written again, the filter has the
    /// placeholder's ID and seed.
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

    /// The filter in a file. Needs the feature `std`.
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

    /// The filter in a file, if it is within the limits; see
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

    /// The filter in a file with the hasher that it was made with; see
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

/// The hasher that a header names by its seed.
pub(crate) fn seeded<H: SeededHasher>(header: &Header) -> Result<H, DecodeError> {
    header.expect_hasher_type::<H>()?;
    let hasher = H::from_seed(header.seed());
    header.expect_hasher(&hasher)?;
    Ok(hasher)
}

/// The same of a header that is within the limits.
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
