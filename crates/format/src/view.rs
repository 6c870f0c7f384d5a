//! Filters that answer from borrowed bytes.

use bouquet_core::{Filter, Inner, Inspect, KeyHash, KeyHasher, Prehashed, SeededHasher};

use crate::{DecodeError, Document, Header, Record, decode::seeded};

/// A filter that answers from the bytes that [`Encode`](crate::Encode) wrote, in
/// place: from a mapped file, a database's page, a section of an executable. The
/// bytes need not be aligned, and nothing is copied.
///
/// # For users
///
/// Opening reads the headers alone and compares the length, so that it costs the
/// same whatever the size; of a filter made of others, stages or shards, it reads
/// the header of each.
///
/// **What opening does not detect**: damage to the slots. A bit that was cleared is
/// a false negative, one that was set a few false positives. For a file whose origin
/// is not certain, call [`verify`](Self::verify) once, which reads all of it; or
/// decode it, which does so too. Damage there makes wrong answers and
/// nothing worse: no view panics or reads elsewhere, whatever the bytes.
///
/// The views of this family have the statistics of their filters
/// ([`Inspect`]) without decoding them: those that depend on the contents cost a pass over
/// the bytes, and none allocates anything.
///
/// # Implementing
///
/// `of` checks every number in the header, as `Decode` does, and `check` everything
/// that `Decode` checks in the payload besides the checksum.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no view of a file",
    note = "name a view, such as `StandardView`; a filter of its own memory is decoded: `StandardBloom::load`, `StandardBloom::from_bytes`"
)]
pub trait View<'a>: Filter + Sized {
    /// Its hash function.
    type Hasher: KeyHasher;

    /// The view of a record, whose header is of the type of hasher and of the
    /// seed or key of `hasher`.
    ///
    /// # Errors
    ///
    /// [`DecodeError`] for a header of another variant, and for one that no such
    /// filter writes.
    fn of(record: Record<'a>, hasher: &Self::Hasher) -> Result<Self, DecodeError>;

    /// Checks that the slots are such as the filter writes. Costs a look at the last
    /// of them, or a pass over all.
    ///
    /// # Errors
    ///
    /// [`DecodeError`].
    fn check(&self) -> Result<(), DecodeError>;

    /// The filter in these bytes, whose hasher needs its seed alone.
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

    /// The filter in these bytes with the hasher that it was made with: the only
    /// way if that has a secret key, and otherwise a check of its seed.
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

    /// Checks everything: what opening checks, the checksum of all bytes, and
    /// the slots. Reads all of it, and allocates nothing of that size.
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

    /// [`verify`](Self::verify) with the hasher that it was made with.
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

/// The view of a filter that others can be made of, of a stage or a shard.
///
/// The view of the whole needs its theory, which is that of its filter.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no view of a stage or a shard with statistics",
    note = "`StandardView`, `BlockedView`, `PartitionedView` and `CountingView` are"
)]
pub trait InnerView<'a>: View<'a> + Prehashed<Hash = KeyHash> + Inspect {
    /// The filter that it is a view of.
    type Filter: Inner<Hasher = <Self as View<'a>>::Hasher>;

    /// Its sizes and slot arithmetic.
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
