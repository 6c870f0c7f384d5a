//! Encoding of the filter; its parameters in the header are m and k.

use bouquet_bits::BitArray;
use bouquet_core::KeyHasher;
use bouquet_format::{Decode, DecodeError, Encode, Header, Reader, Stopped, Writer, variant};

use crate::{Geometry, StandardBloom};

impl Geometry {
    /// Reads the geometry of a stored filter from its header.
    ///
    /// # Errors
    ///
    /// [`DecodeError`] if the header is not that of a filter with such a geometry.
    pub fn from_header(header: &Header) -> Result<Self, DecodeError> {
        header.expect_variant(variant::STANDARD)?;
        header.expect_parameters(2)?;
        header.expect_no_keys()?;
        let hashes = header.parameter_u32(1, "hashes")?;
        let geometry = Self::new(header.parameters()[0], hashes);
        let geometry = geometry.map_err(|error| header.invalid_spec(0, error))?;
        header.expect_slots(geometry.size_bits())?;
        Ok(geometry)
    }

    /// Returns the header with the parameters and payload size of this geometry.
    pub fn to_header(&self, header: Header) -> Header {
        let (size_bits, hashes) = (self.size_bits(), self.hashes());
        header
            .with_parameters(&[size_bits, hashes.into()])
            .with_slots(size_bits)
    }
}

bouquet_format::inherent_bytes!([H: KeyHasher] StandardBloom<H>, by default StandardBloom);
#[cfg(feature = "std")]
bouquet_format::inherent_files!([H: KeyHasher] [H: KeyHasher] StandardBloom<H>, by default StandardBloom);
#[cfg(feature = "serde")]
bouquet_format::serde_traits!(
    [H: KeyHasher]
    [H: bouquet_core::SeededHasher]
    StandardBloom<H>
);

impl<H: KeyHasher> Encode for StandardBloom<H> {
    fn header(&self) -> Header {
        let header = Header::new(variant::STANDARD, &self.hasher, self.spec);
        self.geometry.to_header(header)
    }

    fn write_payload(&self, out: &mut Writer<'_>) -> Result<(), Stopped> {
        out.words(self.bits.words())
    }
}

impl<H: KeyHasher> Decode for StandardBloom<H> {
    type Hasher = H;

    fn from_record(
        header: &Header,
        payload: &mut Reader<'_>,
        hasher: &H,
    ) -> Result<Self, DecodeError> {
        let geometry = Geometry::from_header(header)?;
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
