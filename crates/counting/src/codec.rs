//! Encoding of the filter; its parameters in the header are m, k and the counter width.

use bouquet_bits::{CounterArray, CounterBits};
use bouquet_core::KeyHasher;
use bouquet_format::{Decode, DecodeError, Encode, Header, Reader, Stopped, Writer, variant};

use crate::{CountingBloom, Geometry};

pub(crate) fn geometry_of(header: &Header) -> Result<Geometry, DecodeError> {
    header.expect_variant(variant::COUNTING)?;
    header.expect_parameters(3)?;
    header.expect_no_keys()?;
    let [counters, _, width, ..] = header.parameters();
    let hashes = header.parameter_u32(1, "hashes")?;
    let counter_bits = match width {
        4 => CounterBits::Four,
        8 => CounterBits::Eight,
        _ => return Err(header.invalid_parameter(2, "counter_bits", "must be 4 or 8")),
    };
    let geometry = Geometry::new(counters, hashes, counter_bits);
    let geometry = geometry.map_err(|error| header.invalid_spec(0, error))?;
    header.expect_slots(geometry.size_bits())?;
    Ok(geometry)
}

bouquet_format::inherent_bytes!([H: KeyHasher] CountingBloom<H>, by default CountingBloom);
#[cfg(feature = "std")]
bouquet_format::inherent_files!([H: KeyHasher] [H: KeyHasher] CountingBloom<H>, by default CountingBloom);
#[cfg(feature = "serde")]
bouquet_format::serde_traits!(
    [H: KeyHasher]
    [H: bouquet_core::SeededHasher]
    CountingBloom<H>
);

impl<H: KeyHasher> Encode for CountingBloom<H> {
    fn header(&self) -> Header {
        let geometry = self.geometry();
        Header::new(variant::COUNTING, self.hasher(), self.spec)
            .with_parameters(&[
                geometry.counters(),
                geometry.hashes().into(),
                geometry.counter_bits().bits().into(),
            ])
            .with_slots(geometry.size_bits())
    }

    fn write_payload(&self, out: &mut Writer<'_>) -> Result<(), Stopped> {
        out.words(self.counters.words())
    }
}

impl<H: KeyHasher> Decode for CountingBloom<H> {
    type Hasher = H;

    fn from_record(
        header: &Header,
        payload: &mut Reader<'_>,
        hasher: &H,
    ) -> Result<Self, DecodeError> {
        let geometry = geometry_of(header)?;
        let counters = CounterArray::new(geometry.counters(), geometry.counter_bits());
        let mut counters = counters.map_err(|error| header.out_of_memory(error.bytes))?;
        payload.words(geometry.size_bits(), |i, word| counters.set_word(i, word))?;
        Ok(Self {
            geometry,
            hasher: hasher.clone(),
            counters,
            spec: header.spec(),
        })
    }
}
