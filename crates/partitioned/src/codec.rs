//! Encoding of the filter; its parameters in the header are s (the bits of a partition) and k.

use bouquet_bits::BitArray;
use bouquet_core::KeyHasher;
use bouquet_format::{Decode, DecodeError, Encode, Header, Reader, Stopped, Writer, variant};

use crate::{Geometry, PartitionedBloom};

pub(crate) fn geometry_of(header: &Header) -> Result<Geometry, DecodeError> {
    header.expect_variant(variant::PARTITIONED)?;
    header.expect_parameters(2)?;
    header.expect_no_keys()?;
    let hashes = header.parameter_u32(1, "hashes")?;
    // If the product exceeds `u64`, the saturated value is rejected as too large too.
    let size_bits = header.parameters()[0].saturating_mul(hashes.into());
    let geometry = Geometry::new(size_bits, hashes);
    let geometry = geometry.map_err(|error| header.invalid_spec(0, error))?;
    header.expect_slots(geometry.size_bits())?;
    Ok(geometry)
}

bouquet_format::inherent_bytes!([H: KeyHasher] PartitionedBloom<H>, by default PartitionedBloom);
#[cfg(feature = "std")]
bouquet_format::inherent_files!([H: KeyHasher] [H: KeyHasher] PartitionedBloom<H>, by default PartitionedBloom);
#[cfg(feature = "serde")]
bouquet_format::serde_traits!(
    [H: KeyHasher]
    [H: bouquet_core::SeededHasher]
    PartitionedBloom<H>
);

impl<H: KeyHasher> Encode for PartitionedBloom<H> {
    fn header(&self) -> Header {
        let geometry = self.geometry();
        Header::new(variant::PARTITIONED, self.hasher(), self.spec)
            .with_parameters(&[geometry.partition_bits(), geometry.hashes().into()])
            .with_slots(geometry.size_bits())
    }

    fn write_payload(&self, out: &mut Writer<'_>) -> Result<(), Stopped> {
        out.words(self.bits.words())
    }
}

impl<H: KeyHasher> Decode for PartitionedBloom<H> {
    type Hasher = H;

    fn from_record(
        header: &Header,
        payload: &mut Reader<'_>,
        hasher: &H,
    ) -> Result<Self, DecodeError> {
        let geometry = geometry_of(header)?;
        let size_bits = geometry.size_bits();
        let bits = BitArray::new(size_bits);
        let mut bits = bits.map_err(|error| header.out_of_memory(error.bytes))?;
        payload.words(size_bits, |i, word| bits.set_word(i, word))?;
        Ok(Self {
            geometry,
            hasher: hasher.clone(),
            bits,
            spec: header.spec(),
        })
    }
}
