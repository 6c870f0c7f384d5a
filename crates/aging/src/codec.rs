//! The encoding of the filter. Its parameters are k and l in one number, the bits of a slice, the
//! newest slice, the span, and the time that was given last; the number of keys is that of the
//! insertions of the newest generation.

use bouquet_bits::BitArray;
use bouquet_core::KeyHasher;
use bouquet_format::{Decode, DecodeError, Encode, Header, Reader, Stopped, Writer, variant};

use crate::{AgingBloom, Geometry, age::Age};

/// Reads the age from a header.
fn age_of(header: &Header) -> Result<Age, DecodeError> {
    header.expect_variant(variant::AGING)?;
    let [sizes, slice_bits, newest, span, now] = header.parameters();
    let (hashes, generations) = (sizes as u32, (sizes >> 32) as u32);
    let capacity = header.spec().capacity();
    let geometry = Geometry::stored(capacity, hashes, generations, slice_bits);
    let rule = "must be k + 2^32 l, at most 96 together, with slices of whole words";
    let geometry = geometry.ok_or(header.invalid_parameter(0, "slices", rule))?;
    header.expect_slots(geometry.size_bits())?;
    if newest >= geometry.slices().into() {
        return Err(header.invalid_parameter(2, "the newest slice", "must be one of the slices"));
    }
    if span == 0 && now != 0 {
        return Err(header.invalid_parameter(4, "the time", "must be 0 without a span"));
    }
    if span == 0 && header.keys() > geometry.generation_keys() {
        return Err(header.invalid_keys("must be at most those of a generation"));
    }
    Ok(Age {
        geometry,
        newest: newest as u32,
        inserted: header.keys(),
        span,
        now,
    })
}

bouquet_format::inherent_bytes!([H: KeyHasher] AgingBloom<H>, by default AgingBloom);
#[cfg(feature = "std")]
bouquet_format::inherent_files!([H: KeyHasher] [H: KeyHasher] AgingBloom<H>, by default AgingBloom);
#[cfg(feature = "serde")]
bouquet_format::serde_traits!(
    [H: KeyHasher]
    [H: bouquet_core::SeededHasher]
    AgingBloom<H>
);

impl<H: KeyHasher> Encode for AgingBloom<H> {
    fn header(&self) -> Header {
        let (geometry, age) = (self.geometry(), self.age);
        let sizes = u64::from(geometry.hashes()) | u64::from(geometry.generations()) << 32;
        let newest = age.newest.into();
        Header::new(variant::AGING, self.hasher(), self.spec)
            .with_parameters(&[sizes, geometry.slice_bits(), newest, age.span, age.now])
            .with_keys(age.inserted)
            .with_slots(geometry.size_bits())
    }

    fn write_payload(&self, out: &mut Writer<'_>) -> Result<(), Stopped> {
        out.words(self.bits.words())
    }
}

impl<H: KeyHasher> Decode for AgingBloom<H> {
    type Hasher = H;

    fn from_record(
        header: &Header,
        payload: &mut Reader<'_>,
        hasher: &H,
    ) -> Result<Self, DecodeError> {
        let age = age_of(header)?;
        let size_bits = age.geometry.size_bits();
        let bits = BitArray::new(size_bits);
        let mut bits = bits.map_err(|error| header.out_of_memory(error.bytes))?;
        payload.words(size_bits, |i, word| bits.set_word(i, word))?;
        Ok(Self {
            age,
            hasher: hasher.clone(),
            bits,
            spec: header.spec(),
        })
    }
}
