//! Files of the filter that are read for ever.

use bouquet_standard::{Decode, Folded, Spec, StandardBloom, Xxh3, Xxh3Wide};
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
    let mut filter = StandardBloom::with_hasher(spec, Folded::with_seed(7)).unwrap();
    fill(&mut filter);
    golden(path("folded"), &filter, StandardBloom::decode)
}

#[test]
fn xxh3() -> Verdict {
    let spec = Spec::new(100, 0.01).unwrap();
    let mut filter = StandardBloom::with_hasher(spec, Xxh3::with_seed(7)).unwrap();
    fill(&mut filter);
    golden(path("xxh3"), &filter, StandardBloom::decode)
}

/// The file says what it is; the error says what to write.
#[test]
fn a_file_of_another_hasher_names_the_type_to_write() {
    let stored = std::fs::read(path("xxh3")).unwrap();
    let error = StandardBloom::<Folded>::decode(&stored)
        .unwrap_err()
        .to_string();
    assert!(error.contains("hasher is Xxh3, and Folded"), "{error}");
    assert!(error.contains("`StandardBloom<Xxh3>`"), "{error}");
    assert!(StandardBloom::<Xxh3>::decode(&stored).is_ok());
}

#[test]
fn an_odd_number_of_bits() -> Verdict {
    let mut filter = StandardBloom::from_parts(1_021, 3, Xxh3::default()).unwrap();
    fill(&mut filter);
    golden(path("odd_bits"), &filter, StandardBloom::decode)
}

#[test]
fn xxh3_wide() -> Verdict {
    let spec = Spec::new(100, 1e-20).unwrap();
    let mut filter = StandardBloom::with_hasher(spec, Xxh3Wide::with_seed(7)).unwrap();
    fill(&mut filter);
    golden(path("xxh3_wide"), &filter, StandardBloom::decode)
}

#[cfg(feature = "siphash")]
#[test]
fn sip_keyed() -> Verdict {
    use bouquet_standard::SipKeyed;
    use bouquet_testkit::golden::GOLDEN_SECRET;
    let hasher = SipKeyed::with_key(GOLDEN_SECRET);
    let spec = Spec::new(100, 0.01).unwrap();
    let mut filter = StandardBloom::with_hasher(spec, hasher).unwrap();
    fill(&mut filter);
    golden(path("sip_keyed"), &filter, |bytes| {
        StandardBloom::decode_with(bytes, hasher)
    })
}
