//! Reads files of filters that consist of other filters, such as shards.

use anyhow::Result;
use bouquet_blocked::{BlockedBloom, Line, Words32, Words64};
use bouquet_core::{Inner, Union};
use bouquet_counting::CountingBloom;
use bouquet_format::{Decode, Encode, HEADER_BYTES, Header, variant};
use bouquet_partitioned::PartitionedBloom;
use bouquet_standard::StandardBloom;

use crate::{CatalogueFilter, Hasher, Load};

/// A filter that can be the inner filter of others, such as a shard.
pub trait Nested:
    Inner<Hasher: Hasher, Geometry: Send + Sync>
    + Union
    + Encode
    + Decode<Hasher = <Self as Inner>::Hasher>
    + CatalogueFilter
{
}

impl<F> Nested for F where
    F: Inner<Hasher: Hasher, Geometry: Send + Sync>
        + Union
        + Encode
        + Decode<Hasher = <F as Inner>::Hasher>
        + CatalogueFilter
{
}

/// A filter that consists of other filters.
pub trait Nest {
    fn load<F: Nested, L: Load<Hasher = <F as Inner>::Hasher>>(load: &L) -> Result<L::Loaded>;
}

/// Reads a filter that consists of other filters. `inner` is the header of the first inner filter
/// and determines the type of the inner filters.
pub fn load<N: Nest, H: Hasher, L: Load<Hasher = H>>(
    inner: Option<&Header>,
    load: &L,
) -> Result<L::Loaded> {
    match inner.map(|inner| (inner.variant(), inner.parameters()[1])) {
        Some((variant::COUNTING, _)) => N::load::<CountingBloom<H>, L>(load),
        Some((variant::PARTITIONED, _)) => N::load::<PartitionedBloom<H>, L>(load),
        Some((variant::BLOCKED, 2)) => N::load::<BlockedBloom<Words32, H>, L>(load),
        Some((variant::BLOCKED, 3)) => N::load::<BlockedBloom<Line, H>, L>(load),
        Some((variant::BLOCKED, _)) => N::load::<BlockedBloom<Words64, H>, L>(load),
        _ => N::load::<StandardBloom<H>, L>(load),
    }
}

/// The header of the first inner filter. It is read from the beginning of the encoding, because the
/// shards themselves are not accessible.
pub fn first_part(filter: &impl Encode) -> Option<Header> {
    let mut start = [0; 2 * HEADER_BYTES as usize];
    // The buffer has room for two headers only. Writing fails when it is full, as intended.
    let _ = filter.encode_to(&mut start[..]);
    let (headers, _) = start.as_chunks();
    Header::from_bytes(headers.get(1)?, HEADER_BYTES).ok()
}
