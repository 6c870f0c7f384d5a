//! Stored files of this filter that every release must be able to read.

use bouquet_counting::{CounterBits, CountingBloom, Decode, Folded, Spec, SpecError, Xxh3};

/// A filter with some counters at their maximum.
fn often() -> Result<CountingBloom<Xxh3>, SpecError> {
    let mut filter = CountingBloom::with_hasher(Spec::new(100, 0.01)?, Xxh3::with_seed(7))?;
    filter.extend(["key 0"; 20]);
    Ok(filter)
}

bouquet_testkit::golden! {
    CountingBloom:
    folded => CountingBloom::with_hasher(Spec::new(100, 0.01).unwrap(), Folded::with_seed(7)),
    four_bits => often(),
    eight_bits => CountingBloom::from_parts(1_021, 3, CounterBits::Eight, Xxh3::default()),
}

#[test]
fn a_file_of_another_hasher_names_the_type_to_write() {
    let stored = include_bytes!("data/four_bits.bouquet");
    let error = CountingBloom::<Folded>::decode(stored).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("use the type `CountingBloom<Xxh3>`"),
        "{error}"
    );
}

#[test]
fn a_file_of_another_variant_names_both() {
    let stored = include_bytes!("data/four_bits.bouquet");
    let error = bouquet_standard::StandardBloom::<Xxh3>::decode(stored).unwrap_err();
    let named = "the file holds a `CountingBloom`, not a `StandardBloom` or an \
                 `AtomicBloom`: use the type `CountingBloom<Xxh3>`";
    assert_eq!(error.to_string(), named);
}
