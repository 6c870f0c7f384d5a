//! The encoding of the filter: that of a standard filter with the same bits.

use bouquet_bits::AtomicBitArray;
use bouquet_core::KeyHasher;
use bouquet_format::{Decode, DecodeError, Encode, Header, Reader, Stopped, Writer, variant};
use bouquet_standard::Geometry;

use super::AtomicBloom;

bouquet_format::inherent_bytes!([H: KeyHasher] AtomicBloom<H>, by default AtomicBloom);
bouquet_format::inherent_files!([H: KeyHasher] [H: KeyHasher] AtomicBloom<H>, by default AtomicBloom);
#[cfg(feature = "serde")]
bouquet_format::serde_traits!(
    [H: KeyHasher]
    [H: bouquet_core::SeededHasher]
    AtomicBloom<H>
);

/// The bytes are those of a [`StandardBloom`](crate::StandardBloom) with the same bits: each type
/// can decode what the other has written, and a [`StandardView`](crate::StandardView) opens both.
impl<H: KeyHasher> Encode for AtomicBloom<H> {
    fn header(&self) -> Header {
        let header = Header::new(variant::STANDARD, &self.hasher, self.spec);
        self.geometry.to_header(header)
    }

    fn write_payload(&self, out: &mut Writer<'_>) -> Result<(), Stopped> {
        out.words_of(self.bits.words())
    }
}

impl<H: KeyHasher> Decode for AtomicBloom<H> {
    type Hasher = H;

    fn from_record(
        header: &Header,
        payload: &mut Reader<'_>,
        hasher: &H,
    ) -> Result<Self, DecodeError> {
        let geometry = Geometry::from_header(header)?;
        let size_bits = geometry.size_bits();
        let bits = AtomicBitArray::new(size_bits);
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
