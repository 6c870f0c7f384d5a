//! The encoding of the filter: its parts are the shards in order, which all have the same geometry.

use bouquet_core::Inner;
use bouquet_format::{
    Decode, DecodeError, Encode, HEADER_BYTES, Header, LINE_BYTES, Reader, Stopped, Writer, variant,
};

use super::{ShardedBloom, shard::Shard};
use crate::{ShardedGeometry, geometry::check_size, lock::RwLock};

/// The number of shards that a header states.
pub(crate) fn shards_of(header: &Header) -> Result<u32, DecodeError> {
    header.expect_variant(variant::SHARDED)?;
    header.expect_parameters(0)?;
    header.expect_no_keys()?;
    let shards = header.expect_parts(HEADER_BYTES + LINE_BYTES)?;
    u32::try_from(shards).map_err(|_| header.invalid_parts("must be below 2^32"))
}

bouquet_format::inherent_bytes!([F: Inner + Encode] ShardedBloom<F>, by default ShardedBloom);
bouquet_format::inherent_files!(
    [F: Inner + Encode]
    [F: Inner + Decode<Hasher = <F as Inner>::Hasher>]
    ShardedBloom<F>, by default ShardedBloom
);
#[cfg(feature = "serde")]
bouquet_format::serde_traits!(
    [F: Inner + Encode]
    [F: Inner<Hasher: bouquet_core::SeededHasher> + Decode<Hasher = <F as Inner>::Hasher>]
    ShardedBloom<F>
);

/// Writes one shard after the other, each under its lock. The result contains every key whose
/// insert returned before.
impl<F: Inner + Encode> Encode for ShardedBloom<F> {
    fn header(&self) -> Header {
        let shards = u64::from(self.geometry.shards());
        // All shards have the same geometry, and there is at least one shard.
        let shard = self.shards.first().map(|shard| shard.read().header());
        let bytes = shard.map_or(0, |header| header.record_bytes());
        Header::new(variant::SHARDED, &self.hasher, self.spec)
            .with_parts(shards, shards.saturating_mul(bytes))
    }

    fn write_payload(&self, out: &mut Writer<'_>) -> Result<(), Stopped> {
        let mut shards = self.shards.iter();
        shards.try_for_each(|shard| out.part(&*shard.read()))
    }
}

impl<F> Decode for ShardedBloom<F>
where
    F: Inner + Decode<Hasher = <F as Inner>::Hasher>,
{
    type Hasher = <F as Inner>::Hasher;

    fn from_record(
        header: &Header,
        payload: &mut Reader<'_>,
        hasher: &<F as Inner>::Hasher,
    ) -> Result<Self, DecodeError> {
        let count = shards_of(header)?;
        let mut shards: Vec<Shard<F>> = Vec::new();
        let bytes = u64::from(count) * size_of::<Shard<F>>() as u64;
        let reserved = shards.try_reserve_exact(count as usize);
        reserved.map_err(|_| header.out_of_memory(bytes))?;
        let mut first = None;
        payload.parts(header, |part, payload| {
            let (like, _) = first.get_or_insert((*part, None::<F::Geometry>));
            part.expect_same(like)?;
            let shard = F::from_record(part, payload, hasher)?;
            first = Some((*like, Some(shard.geometry())));
            shards.push(Shard(RwLock::new(shard)));
            Ok(())
        })?;
        let Some((_, Some(shard))) = first else {
            return Err(header.invalid_parts("must be at least 1"));
        };
        let geometry = ShardedGeometry::new(count, shard);
        let geometry = geometry.and_then(|all| check_size::<F>(count, shard).map(|()| all));
        Ok(Self {
            geometry: geometry.map_err(|error| header.invalid_spec(0, error))?,
            hasher: hasher.clone(),
            shards: shards.into(),
            spec: header.spec(),
        })
    }
}
