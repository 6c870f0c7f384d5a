//! The encoding of the filter. Its parameters are the parts, the segments of a part, the slots of a
//! segment and the width of a fingerprint.

use bouquet_bits::ByteArray;
use bouquet_core::KeyHasher;
use bouquet_format::{Decode, DecodeError, Encode, Header, Reader, Stopped, Writer, variant};

use crate::{
    Fingerprint, FuseFilter, Geometry,
    build::ATTEMPTS,
    table::{attempts_at, bytes_of},
};

/// Reads the geometry from a header.
pub(crate) fn geometry_of<F: Fingerprint>(header: &Header) -> Result<Geometry, DecodeError> {
    header.expect_variant(variant::FUSE)?;
    header.expect_parameters(4)?;
    let [parts, segments, segment_length, width, _] = header.parameters();
    if width != F::BITS.into() {
        let rule = "must be that of the type: 8 for u8, 12 for Bits12, 16 for u16, 32 for u32";
        return Err(header.invalid_parameter(3, "fingerprint_bits", rule));
    }
    let rule = "parts and the slots of a segment must be powers of two, of at most 2^10 and 2^18, \
                with 3 segments or more";
    let names = ["parts", "segments", "segment_length"];
    let geometry = Geometry::stored::<F>(parts, segments, segment_length)
        .map_err(|size| header.invalid_parameter(size, names[size], rule))?;
    header.expect_slots(8 * bytes_of(geometry))?;
    let most = header.spec().capacity().min(geometry.slots());
    if header.keys() > most || (header.keys() == 0) != (parts == 0) {
        return Err(
            header.invalid_keys("must be at least 1 and at most the capacity and the slots")
        );
    }
    Ok(geometry)
}

/// Checks the numbers of attempts.
pub(crate) fn check(header: &Header, geometry: Geometry, bytes: &[u8]) -> Result<(), DecodeError> {
    let first = attempts_at(geometry);
    let attempts = &bytes[first..first + geometry.parts() as usize];
    match attempts.iter().position(|attempt| *attempt >= ATTEMPTS) {
        Some(part) => {
            let rule = "the attempt of a part must be below 100";
            Err(header.invalid_slots((first + part) as u64, rule))
        }
        None => Ok(()),
    }
}

bouquet_format::inherent_bytes!([F: Fingerprint, H: KeyHasher] FuseFilter<F, H>, by default FuseFilter);
#[cfg(feature = "std")]
bouquet_format::inherent_files!([F: Fingerprint, H: KeyHasher] [F: Fingerprint, H: KeyHasher] FuseFilter<F, H>, by default FuseFilter);
#[cfg(feature = "serde")]
bouquet_format::serde_traits!(
    [F: Fingerprint, H: KeyHasher]
    [F: Fingerprint, H: bouquet_core::SeededHasher]
    FuseFilter<F, H>
);

impl<F: Fingerprint, H: KeyHasher> Encode for FuseFilter<F, H> {
    fn header(&self) -> Header {
        let geometry = self.geometry();
        let sizes = [
            geometry.parts(),
            geometry.segments(),
            geometry.segment_length(),
            F::BITS.into(),
        ];
        Header::new(variant::FUSE, self.hasher(), self.spec)
            .with_parameters(&sizes)
            .with_keys(self.keys)
            .with_slots(8 * bytes_of(geometry))
    }

    fn write_payload(&self, out: &mut Writer<'_>) -> Result<(), Stopped> {
        let word = |bytes: &[u8]| {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(word)
        };
        out.words_of(self.array.bytes().chunks(8).map(word))
    }
}

impl<F: Fingerprint, H: KeyHasher> Decode for FuseFilter<F, H> {
    type Hasher = H;

    fn from_record(
        header: &Header,
        payload: &mut Reader<'_>,
        hasher: &H,
    ) -> Result<Self, DecodeError> {
        let geometry = geometry_of::<F>(header)?;
        let bytes = bytes_of(geometry);
        let array = ByteArray::new(usize::try_from(bytes).unwrap_or(usize::MAX));
        let mut array = array.map_err(|error| header.out_of_memory(error.bytes))?;
        let to = array.bytes_mut();
        payload.words(8 * bytes, |i, word| {
            let to = &mut to[8 * i..];
            let count = to.len().min(8);
            to[..count].copy_from_slice(&word.to_le_bytes()[..count]);
        })?;
        check(header, geometry, array.bytes())?;
        Ok(Self::of(
            geometry,
            array,
            header.keys(),
            header.spec(),
            hasher.clone(),
        ))
    }
}
