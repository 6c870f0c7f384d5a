use bouquet_cuckoo::{CuckooFilter, FingerprintBits, Geometry, math};

use crate::prelude::*;

pub struct Cuckoo;

catalogue_filter! {
    [H: Hasher] CuckooFilter<H>: insert, insert_batch,
    !"cuckoo filters cannot be united as files: there may be no room for the fingerprints of both; build \
      one of the keys of both";

    /// Keys that may already be present are skipped, because each copy of a key takes a slot.
    const REPEATS: bool = false;
    const REJECTS: bool = true;

    fn counted_keys(&self) -> Option<u64> {
        Some(self.keys())
    }

    /// Independent of the target FPR, which is not exceeded before the filter is full.
    fn keys_left(&self, _: f64) -> Option<u64> {
        Some(self.keys_left())
    }
}

fn outline(geometry: Geometry) -> Outline {
    let (buckets, width) = (geometry.buckets(), geometry.fingerprint_bits().bits());
    Outline::new(geometry.size_bits() as f64, move |keys| {
        let fpr = math::expected_fpr(buckets, width, keys);
        (keys <= math::capacity_of(buckets)).then(|| with_hash_floor(fpr, keys, HASH_BITS))
    })
}

impl FilterInfo for Cuckoo {
    const FACTS: Facts = Facts {
        name: "cuckoo",
        about: "Fingerprints in buckets of four (Fan et al. 2014): keys can be removed, and it \
                returns an error when full",
        about_file: Some("Fingerprints in buckets: full when it is full"),
        theory: "exact: a non-member meets the fingerprints of two buckets, of 2^f - 1 each",
        reference: None,
        removes: true,
        rejects: true,
        unites: Unites::IfRoom,
        relocates: true,
        // Fingerprints of 8 bits, the shortest, at the highest possible fill ratio.
        least_bits_per_key: 8.5,
        family: Family::Fingerprints,
        style: Style::new("slate", "star", "dashed"),
        rationale: "it holds a fingerprint of each key, which can be removed",
        simplicity_rank: 120,
        in_shards: Some(InShards {
            name: "cuckoo-in-shards",
            rationale: "threads fill it and remove from it, a lock a shard, and a key is a fingerprint",
            simplicity_rank: 125,
        }),
        snippet: Snippet::new("cuckoo", "CuckooFilter<H>"),
        ..PLAIN
    };
    const SIZING: SizingFn = |_, spec| {
        let geometry = Geometry::from_spec(&spec.for_bits::<Folded>()?)?;
        Ok(outline(geometry))
    };
    const BY_SIZE: Option<BySize> = Some(BySize {
        unit: 1,
        only_hashes: Some(0),
        outline: |capacity, bits, _| {
            let per_key = bits as f64 / capacity as f64;
            Ok(outline(Geometry::with_bits_per_key(capacity, per_key)?))
        },
    });

    const GEOMETRY: Option<Geometries> = Some(|slots, _, _| {
        let geometry = Geometry::new(slots, FingerprintBits::Sixteen)?;
        let bucket = Part::new("bucket", 0..2, 1, geometry.buckets()).pairs(Pairs::Unclaimed);
        Ok((Box::new(geometry), vec![bucket]))
    });

    type Filter<H: Hasher> = CuckooFilter<H>;

    fn make<H: Hasher>(spec: Spec, hasher: H) -> Result<CuckooFilter<H>> {
        Ok(CuckooFilter::with_hasher(spec, hasher)?)
    }

    fn load<H: Hasher, L: Load<Hasher = H>>(_: Option<&Header>, load: &L) -> Result<L::Loaded> {
        load.load::<CuckooFilter<H>>()
    }

    fn stored(header: &Header) -> Option<Shape> {
        let [buckets, width, ..] = header.parameters();
        (header.variant() == id::CUCKOO).then(|| Shape {
            size_bits: buckets.saturating_mul(width).saturating_mul(4),
            hashes: None,
            made_of: Some(("buckets", buckets)),
            slot_bits: Some(width),
        })
    }

    fn evaluated<H: Hasher>(request: &Request, hasher: H) -> Result<CuckooFilter<H>> {
        let Size::BitsPerKey(bits) = request.size else {
            return Self::make(request.spec()?, hasher);
        };
        let of = Geometry::with_bits_per_key(request.capacity, bits)?;
        Ok(CuckooFilter::from_parts(
            of.buckets(),
            of.fingerprint_bits(),
            hasher,
        )?)
    }

    fn form<H: Hasher>(filter: &CuckooFilter<H>, _: u64) -> Option<Form> {
        let width = filter.fingerprint_bits().bits();
        let bucket_slots = 4;
        Some(Form::Fingerprints {
            buckets: filter.size_bits() / (bucket_slots * u64::from(width)),
            bucket_slots,
            // The value 0 marks an empty slot.
            values: (1 << width) - 1,
        })
    }

    fn remove<H: Hasher>(filter: &mut CuckooFilter<H>, key: &[u8]) -> bool {
        filter.remove(key)
    }
}
