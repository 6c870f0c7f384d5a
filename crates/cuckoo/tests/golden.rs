//! Files of the filter that are read for ever.

use bouquet_cuckoo::{CuckooFilter, Decode, FingerprintBits, Folded, Spec, Xxh3};
use bouquet_testkit::{
    Verdict,
    golden::{fill, golden},
};

fn path(name: &str) -> String {
    format!("{}/tests/data/{name}.bouquet", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn folded() -> Verdict {
    let spec = Spec::new(100, 0.01).unwrap();
    let mut filter = CuckooFilter::with_hasher(spec, Folded::with_seed(7)).unwrap();
    fill(&mut filter);
    golden(path("folded"), &filter, CuckooFilter::decode)
}

#[test]
fn by_spec() -> Verdict {
    let spec = Spec::new(100, 0.01).unwrap();
    let mut filter = CuckooFilter::with_hasher(spec, Xxh3::with_seed(7)).unwrap();
    fill(&mut filter);
    golden(path("by_spec"), &filter, CuckooFilter::decode)
}

#[test]
fn ten_bits() -> Verdict {
    let ten = FingerprintBits::Ten;
    let mut filter = CuckooFilter::from_parts(29, ten, Xxh3::default()).unwrap();
    fill(&mut filter);
    golden(path("ten_bits"), &filter, CuckooFilter::decode)
}

#[test]
fn beside_the_slots() -> Verdict {
    let width = FingerprintBits::TwentyFour;
    let mut filter = CuckooFilter::from_parts(26, width, Xxh3::default()).unwrap();
    fill(&mut filter);
    // Until one key has no slot.
    for key in 0..1_000u32 {
        if !filter.is_full() {
            let _ = filter.insert(&key.to_le_bytes());
        }
    }
    assert!(filter.is_full());
    golden(path("beside_the_slots"), &filter, CuckooFilter::decode)
}
