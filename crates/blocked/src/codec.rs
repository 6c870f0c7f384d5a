//! Encoding of the filter; its parameters in the header are the number of blocks, the number of
//! their layout, and k.

use bouquet_bits::BitArray;
use bouquet_core::KeyHasher;
use bouquet_format::{Decode, DecodeError, Encode, Header, Reader, Stopped, Writer, variant};

use crate::{BlockedBloom, Geometry, Layout, block::Array};

pub(crate) fn geometry_of<L: Layout>(header: &Header) -> Result<Geometry<L>, DecodeError> {
    header.expect_variant(variant::BLOCKED)?;
    header.expect_parameters(3)?;
    header.expect_no_keys()?;
    let [blocks, ..] = header.parameters();
    header.expect_layout(L::ID, L::NAME)?;
    let hashes = header.parameter_u32(2, "hashes")?;
    if !L::HASHES.contains(&hashes) {
        return Err(header.invalid_parameter(2, "hashes", "must be one that the layout can have"));
    }
    let geometry = Geometry::new(blocks, L::with_hashes(hashes));
    let geometry = geometry.map_err(|error| header.invalid_spec(0, error))?;
    header.expect_slots(geometry.size_bits())?;
    Ok(geometry)
}

bouquet_format::inherent_bytes!([L: Layout, H: KeyHasher] BlockedBloom<L, H>, by default BlockedBloom);
#[cfg(feature = "std")]
bouquet_format::inherent_files!([L: Layout, H: KeyHasher] [L: Layout, H: KeyHasher] BlockedBloom<L, H>, by default BlockedBloom);
#[cfg(feature = "serde")]
bouquet_format::serde_traits!(
    [L: Layout, H: KeyHasher]
    [L: Layout, H: bouquet_core::SeededHasher]
    BlockedBloom<L, H>
);

impl<L: Layout, H: KeyHasher> Encode for BlockedBloom<L, H> {
    fn header(&self) -> Header {
        let geometry = self.geometry();
        Header::new(variant::BLOCKED, &self.hasher, self.spec)
            .with_parameters(&[geometry.blocks(), L::ID, geometry.hashes().into()])
            .with_slots(geometry.size_bits())
    }

    fn write_payload(&self, out: &mut Writer<'_>) -> Result<(), Stopped> {
        out.words(self.bits().words())
    }
}

impl<L: Layout, H: KeyHasher> Decode for BlockedBloom<L, H> {
    type Hasher = H;

    fn from_record(
        header: &Header,
        payload: &mut Reader<'_>,
        hasher: &H,
    ) -> Result<Self, DecodeError> {
        let geometry = geometry_of(header)?;
        let size_bits = geometry.size_bits();
        let bits = BitArray::in_lines(size_bits);
        let mut bits = bits.map_err(|error| header.out_of_memory(error.bytes))?;
        payload.words(size_bits, |i, word| bits.set_word(i, word))?;
        let bits = Array::new(bits, geometry);
        Ok(Self::of(bits, header.spec(), hasher.clone()))
    }
}
