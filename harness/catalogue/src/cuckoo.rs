use std::rc::Rc;

use anyhow::{Result, bail};
use bouquet_core::{KeyHasher, Remove, Spec, math::with_hash_floor};
use bouquet_cuckoo::{CuckooFilter, FingerprintBits, Geometry, math};
use bouquet_format::{Header, variant::CUCKOO};
use bouquet_hash::Xxh3;

use crate::{
    Colour, Facts, Family, File, Fpr, HASH_BITS, Hasher, Judged, Look, Marker, Pairs, Part, Shape,
    Snippet, Stroke, Variant,
    facts::{PLAIN, SNIPPET},
    methods,
};

pub struct Cuckoo;

methods!([H: KeyHasher] CuckooFilter<H>, may_refuse);

impl<H: KeyHasher + 'static> File for CuckooFilter<H> {
    /// It has room for eight copies of a key, and each takes a slot.
    const REPEATS: bool = false;

    fn union(&mut self, _: &Self) -> Result<()> {
        bail!(
            "cuckoo filters cannot be united: there may be no room for the fingerprints of both; \
             build one of the keys of both"
        )
    }

    fn fold(self, _: f64) -> Result<Self> {
        bail!("a cuckoo filter cannot be halved: its buckets have no room for those of others")
    }

    fn counted_keys(&self) -> Option<u64> {
        Some(self.keys())
    }

    /// It keeps any FPR that it is sized for until it is full.
    fn keys_left(&self, _: f64) -> Option<u64> {
        Some(self.keys_left())
    }
}

impl Variant for Cuckoo {
    const FACTS: Facts = Facts {
        name: "cuckoo",
        about: "Fingerprints in buckets of four (Fan et al. 2014): keys can be removed, and it \
                refuses when it is full",
        about_file: Some("Fingerprints in buckets: full when it is full"),
        theory: "exact: a stranger meets the fingerprints of two buckets, of 2^f - 1 each",
        removes: true,
        unites: false,
        // Of the narrowest fingerprint, with room to fill the table.
        least_bits_per_key: 8.5,
        family: Family::Fingerprints,
        look: Look {
            colour: Colour {
                place: 70,
                class: "cuckoo",
                day: 0x555555,
                night: 0xb4b4b4,
            },
            marker: Marker::Star,
            stroke: Stroke::Dashed,
        },
        virtue: "it holds a fingerprint of each key, which can be removed",
        plainness: 120,
        snippet: Snippet {
            package: "cuckoo",
            filter: "CuckooFilter",
            full: "CuckooFilter<H>",
            refuses: true,
            ..SNIPPET
        },
        ..PLAIN
    };

    type Filter<H: Hasher> = CuckooFilter<H>;

    fn make<H: Hasher>(spec: Spec, hasher: H) -> Result<Self::Filter<H>> {
        Ok(CuckooFilter::with_hasher(spec, hasher)?)
    }

    fn paper(_: u64, spec: &Spec) -> Result<(f64, Fpr)> {
        let geometry = Geometry::from_spec(&spec.for_bits::<Xxh3>()?)?;
        let (buckets, width) = (geometry.buckets(), geometry.fingerprint_bits().bits());
        let fpr = move |keys| {
            let fpr = math::expected_fpr(buckets, width, keys);
            (keys <= math::capacity_of(buckets)).then(|| with_hash_floor(fpr, keys, HASH_BITS))
        };
        Ok((geometry.size_bits() as f64, Rc::new(fpr)))
    }
}

/// Its load is a count, not a chance.
impl Judged for Cuckoo {
    type Geometry = Geometry;

    fn geometry(slots: u64, _: u32) -> Result<(Geometry, Vec<Part>)> {
        let geometry = Geometry::new(slots, FingerprintBits::Sixteen)?;
        let bucket = Part::new("bucket", 0..2, 1, geometry.buckets()).pairs(Pairs::Unclaimed);
        Ok((geometry, vec![bucket]))
    }

    fn stored(header: &Header) -> Option<Shape> {
        let [buckets, width, ..] = header.parameters();
        (header.variant() == CUCKOO).then(|| Shape {
            size_bits: 4 * buckets * width,
            hashes: None,
            made_of: Some(("buckets", buckets)),
            slot_bits: Some(width),
        })
    }

    fn with_bits_per_key<H: Hasher>(
        capacity: u64,
        bits: f64,
        hasher: H,
    ) -> Result<Self::Filter<H>> {
        let geometry = Geometry::with_bits_per_key(capacity, bits)?;
        let (buckets, width) = (geometry.buckets(), geometry.fingerprint_bits());
        Ok(CuckooFilter::from_parts(buckets, width, hasher)?)
    }

    fn remove(filter: &mut Self::Filter<Xxh3>, key: &[u8]) -> bool {
        Remove::remove(filter, key)
    }
}
