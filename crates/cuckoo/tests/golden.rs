//! Golden files of the filter that must always remain readable.

use bouquet_cuckoo::{CuckooFilter, Decode, FingerprintBits, Folded, Spec, Xxh3};
use bouquet_testkit::{Verdict, golden::fill};

bouquet_testkit::golden! {
    CuckooFilter:
    folded => CuckooFilter::with_hasher(Spec::new(100, 0.01).unwrap(), Folded::with_seed(7)),
    by_spec => CuckooFilter::with_hasher(Spec::new(100, 0.01).unwrap(), Xxh3::with_seed(7)),
    ten_bits => CuckooFilter::from_parts(29, FingerprintBits::Ten, Xxh3::default()),
}

#[test]
fn beside_the_slots() -> Verdict {
    let width = FingerprintBits::TwentyFour;
    let mut filter = CuckooFilter::from_parts(26, width, Xxh3::default()).unwrap();
    fill(&mut filter);
    // Inserts keys until one of them has no slot.
    for key in 0..1_000u32 {
        if !filter.is_full() {
            let _ = filter.insert(&key.to_le_bytes());
        }
    }
    assert!(filter.is_full());
    bouquet_testkit::golden!(@file CuckooFilter, beside_the_slots, filter)
}

#[test]
fn a_file_of_another_hasher_names_the_type_to_write() {
    let stored = include_bytes!("data/by_spec.bouquet");
    let error = CuckooFilter::<Folded>::decode(stored).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("use the type `CuckooFilter<Xxh3>`"),
        "{error}"
    );
}
