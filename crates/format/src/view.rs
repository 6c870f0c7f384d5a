//! Filters that answer queries from borrowed bytes.

use bouquet_core::{Filter, Inner, Inspect, KeyHash, KeyHasher, Prehashed, SeededHasher};

use crate::{DecodeError, Document, Header, Record, decode::seeded};

/// A filter that answers queries directly from the bytes that [`Encode`](crate::Encode) wrote:
/// from a mapped file, a database's page, or a section of an executable. The bytes need not be
/// aligned, and nothing is copied.
///
/// # For users
///
/// Opening reads only the headers and compares the length, so its cost does not depend on the
/// size; for a filter that consists of stages or shards, it reads the header of each.
///
/// **What opening does not detect** is damage to the slots. A cleared bit causes false
/// negatives, a bit that was set causes a few false positives. For a file whose origin is not
/// certain, call [`verify`](Self::verify) once, which reads all of it; or decode it, which does
/// the same checks. Damage causes wrong answers and nothing worse: no view panics or reads
/// outside its bytes, whatever the bytes are.
///
/// The views of this family have the statistics of their filters ([`Inspect`]) without
/// decoding: those that depend on the contents cost a pass over the bytes, and none allocates
/// memory.
///
/// # Implementing
///
/// `of` checks every number in the header, as `Decode` does, and `check` checks everything in
/// the payload that `Decode` checks, except the checksum.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no view of a file",
    note = "name a view, such as `StandardView`; a filter of its own memory is decoded: `StandardBloom::load`, `StandardBloom::from_bytes`"
)]
pub trait View<'a>: Filter + Sized {
    /// The filter's hash function.
    type Hasher: KeyHasher;

    /// Creates the view of a record. The caller has checked that the type and the seed (or key)
    /// of `hasher` match the record's header.
    ///
    /// # Errors
    ///
    /// [`DecodeError`] for a header of another variant, and for a header that no such filter
    /// writes.
    fn of(record: Record<'a>, hasher: &Self::Hasher) -> Result<Self, DecodeError>;

    /// Checks that the slots are as the filter writes them. Depending on the filter, this reads
    /// only the last slots or all of them.
    ///
    /// # Errors
    ///
    /// [`DecodeError`].
    fn check(&self) -> Result<(), DecodeError>;

    /// Opens the filter in these bytes. Its hasher must need only a seed, which is in the
    /// bytes.
    ///
    /// # Errors
    ///
    /// [`DecodeError`].
    fn open(bytes: &'a [u8]) -> Result<Self, DecodeError>
    where
        Self::Hasher: SeededHasher,
    {
        view(bytes, seeded)
    }

    /// Opens the filter in these bytes, with the hasher that it was created with. For a hasher
    /// with a secret key this is the only method; for others it checks the seed.
    ///
    /// # Errors
    ///
    /// [`DecodeError`].
    fn open_with(bytes: &'a [u8], hasher: Self::Hasher) -> Result<Self, DecodeError> {
        view(bytes, |header| {
            header.expect_hasher(&hasher)?;
            Ok(hasher)
        })
    }

    /// Checks everything: what opening checks, the checksum of all bytes, and the slots. Reads
    /// all bytes, but allocates no memory for them.
    ///
    /// # Errors
    ///
    /// [`DecodeError`].
    fn verify(bytes: &'a [u8]) -> Result<(), DecodeError>
    where
        Self::Hasher: SeededHasher,
    {
        let view = Self::open(bytes)?;
        #[cfg(feature = "mmap")]
        let _ahead = crate::mapped::ReadAhead::over(bytes);
        Document::open(bytes)?.verify()?;
        view.check()
    }

    /// Same as [`verify`](Self::verify), with the hasher that the filter was created with.
    ///
    /// # Errors
    ///
    /// [`DecodeError`].
    fn verify_with(bytes: &'a [u8], hasher: Self::Hasher) -> Result<(), DecodeError> {
        let view = Self::open_with(bytes, hasher)?;
        #[cfg(feature = "mmap")]
        let _ahead = crate::mapped::ReadAhead::over(bytes);
        Document::open(bytes)?.verify()?;
        view.check()
    }
}

/// The view of a filter that can be a stage or a shard of another filter.
///
/// The view of the whole filter uses it to compute the theory's values, which are those of the
/// viewed filter.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no view of a stage or a shard with statistics",
    note = "`StandardView`, `BlockedView`, `PartitionedView` and `CountingView` are"
)]
pub trait InnerView<'a>: View<'a> + Prehashed<Hash = KeyHash> + Inspect {
    /// The filter type that this is a view of.
    type Filter: Inner<Hasher = <Self as View<'a>>::Hasher>;

    /// The sizes and slot arithmetic of the filter.
    fn geometry(&self) -> <Self::Filter as Inner>::Geometry;
}

fn view<'a, V: View<'a>>(
    bytes: &'a [u8],
    hasher: impl FnOnce(&Header) -> Result<V::Hasher, DecodeError>,
) -> Result<V, DecodeError> {
    let record = Document::open(bytes)?.record;
    hasher(&record.header)
        .and_then(|hasher| V::of(record, &hasher))
        .map_err(|error| error.naming_parts(&record.header, || record.first_part()))
}
