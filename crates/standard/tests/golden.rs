//! Stored files of this filter that every release must be able to read.

use bouquet_standard::{Decode, Folded, Spec, StandardBloom, Xxh3, Xxh3Wide};

bouquet_testkit::golden! {
    StandardBloom:
    folded => StandardBloom::with_hasher(Spec::new(100, 0.01).unwrap(), Folded::with_seed(7)),
    xxh3 => StandardBloom::with_hasher(Spec::new(100, 0.01).unwrap(), Xxh3::with_seed(7)),
    odd_bits => StandardBloom::from_parts(1_021, 3, Xxh3::default()),
    xxh3_wide => StandardBloom::with_hasher(Spec::new(100, 1e-20).unwrap(), Xxh3Wide::with_seed(7)),
}

/// The file states its type, and the error names the type to use.
#[test]
fn a_file_of_another_hasher_names_the_type_to_write() {
    let stored = include_bytes!("data/xxh3.bouquet");
    let error = StandardBloom::<Folded>::decode(stored)
        .unwrap_err()
        .to_string();
    assert!(error.contains("hasher is Xxh3, not Folded"), "{error}");
    assert!(error.contains("`StandardBloom<Xxh3>`"), "{error}");
    assert!(StandardBloom::<Xxh3>::decode(stored).is_ok());
}

#[cfg(feature = "siphash")]
#[test]
fn sip_keyed() -> bouquet_testkit::Verdict {
    use bouquet_standard::SipKeyed;
    use bouquet_testkit::golden::{GOLDEN_SECRET, fill, golden};

    let hasher = SipKeyed::with_key(GOLDEN_SECRET);
    let spec = Spec::new(100, 0.01).unwrap();
    let mut filter = StandardBloom::with_hasher(spec, hasher).unwrap();
    fill(&mut filter);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/sip_keyed.bouquet");
    golden(path, &filter, |bytes| {
        StandardBloom::decode_with(bytes, hasher)
    })
}

/// The secret key is not in the file, and the error states how to supply it.
#[test]
fn a_file_of_a_keyed_hasher_asks_for_the_key() {
    let stored = include_bytes!("data/sip_keyed.bouquet");
    let error = <StandardBloom>::decode(stored).unwrap_err().to_string();
    assert!(error.contains("`StandardBloom<SipKeyed>`"), "{error}");
    let advice = "supply the hasher with its secret key, which is not in the file (load_with";
    assert!(error.contains(advice), "{error}");
}
