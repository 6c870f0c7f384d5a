//! The encoding of the filter. Its parameters are the number of buckets, the width of a
//! fingerprint, and the fingerprint and the bucket of the entry beside the slots, or 0 if there is
//! none.

use bouquet_core::KeyHasher;
use bouquet_format::{Decode, DecodeError, Encode, Header, Reader, Stopped, Writer, variant};

use crate::{CuckooFilter, FingerprintBits, Geometry, room::Entry, table::Table};

/// Reads the geometry and the entry beside the slots from a header.
pub(crate) fn geometry_of(header: &Header) -> Result<(Geometry, Option<Entry>), DecodeError> {
    header.expect_variant(variant::CUCKOO)?;
    header.expect_parameters(4)?;
    let [buckets, width, _, bucket, _] = header.parameters();
    let mut widths = FingerprintBits::ALL.into_iter();
    let width = widths.find(|known| u64::from(known.bits()) == width);
    let rule = "must be a supported width: 8, 10, 12, 14, 16, 24 or 32";
    let width = width.ok_or(header.invalid_parameter(1, "fingerprint_bits", rule))?;
    let geometry = Geometry::new(buckets, width);
    let geometry = geometry.map_err(|error| header.invalid_spec(0, error))?;
    header.expect_slots(geometry.size_bits())?;
    let fingerprint = header.parameter_u32(2, "the fingerprint beside the slots")?;
    if fingerprint > width.max() {
        let rule = "must fit the width";
        return Err(header.invalid_parameter(2, "the fingerprint beside the slots", rule));
    }
    if bucket >= if fingerprint == 0 { 1 } else { buckets } {
        let rule = "must be a bucket, and 0 if there is no fingerprint";
        return Err(header.invalid_parameter(3, "the bucket beside the slots", rule));
    }
    let victim = (fingerprint != 0).then_some(Entry {
        fingerprint,
        bucket,
    });
    Ok((geometry, victim))
}

/// Checks that the slots agree with the header: with the number of keys, and with the entry beside
/// the slots.
pub(crate) fn check(
    header: &Header,
    geometry: Geometry,
    victim: Option<Entry>,
    bucket: impl Fn(u64) -> [u32; 4],
) -> Result<(), DecodeError> {
    let count = |slots: [u32; 4]| slots.iter().filter(|slot| **slot != 0).count() as u64;
    let buckets = 0..geometry.buckets();
    let in_slots: u64 = buckets.map(|i| count(bucket(i))).sum();
    if in_slots + u64::from(victim.is_some()) != header.keys() {
        return Err(header.invalid_keys("must be the number of fingerprints"));
    }
    let full = |entry: Entry| {
        let partner = geometry.partner(entry.bucket, entry.fingerprint);
        count(bucket(entry.bucket)) == 4 && count(bucket(partner)) == 4
    };
    if victim.is_some_and(|victim| !full(victim)) {
        let rule = "must have had no room in its two buckets";
        return Err(header.invalid_parameter(2, "the fingerprint beside the slots", rule));
    }
    Ok(())
}

bouquet_format::inherent_bytes!([H: KeyHasher] CuckooFilter<H>, by default CuckooFilter);
#[cfg(feature = "std")]
bouquet_format::inherent_files!([H: KeyHasher] [H: KeyHasher] CuckooFilter<H>, by default CuckooFilter);
#[cfg(feature = "serde")]
bouquet_format::serde_traits!(
    [H: KeyHasher]
    [H: bouquet_core::SeededHasher]
    CuckooFilter<H>
);

impl<H: KeyHasher> Encode for CuckooFilter<H> {
    fn header(&self) -> Header {
        let geometry = self.geometry;
        let [fingerprint, bucket] = self
            .victim
            .map_or([0, 0], |victim| [victim.fingerprint.into(), victim.bucket]);
        let width = geometry.fingerprint_bits().bits();
        Header::new(variant::CUCKOO, self.hasher(), self.spec)
            .with_parameters(&[geometry.buckets(), width.into(), fingerprint, bucket])
            .with_keys(self.keys)
            .with_slots(geometry.size_bits())
    }

    fn write_payload(&self, out: &mut Writer<'_>) -> Result<(), Stopped> {
        let used = self.geometry.size_bits().div_ceil(64);
        out.words(&self.table.words()[..used as usize])
    }
}

impl<H: KeyHasher> Decode for CuckooFilter<H> {
    type Hasher = H;

    fn from_record(
        header: &Header,
        payload: &mut Reader<'_>,
        hasher: &H,
    ) -> Result<Self, DecodeError> {
        let (geometry, victim) = geometry_of(header)?;
        let table = Table::new(geometry.buckets(), geometry.fingerprint_bits());
        let mut table = table.map_err(|error| header.out_of_memory(error.bytes))?;
        payload.words(geometry.size_bits(), |i, word| table.set_word(i, word))?;
        check(header, geometry, victim, |i| table.bucket(i))?;
        Ok(Self {
            geometry,
            hasher: hasher.clone(),
            table,
            victim,
            keys: header.keys(),
            spec: header.spec(),
        })
    }
}
