//! Files of the filter that are read for ever.

use bouquet_counting::{CounterBits, CountingBloom, Decode, Folded, Spec, Xxh3};
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
    let mut filter = CountingBloom::with_hasher(spec, Folded::with_seed(7)).unwrap();
    fill(&mut filter);
    golden(path("folded"), &filter, CountingBloom::decode)
}

#[test]
fn four_bits() -> Verdict {
    let spec = Spec::new(100, 0.01).unwrap();
    let mut filter = CountingBloom::with_hasher(spec, Xxh3::with_seed(7)).unwrap();
    // Some to their maximum.
    (0..20).for_each(|_| {
        filter.insert("key 0");
    });
    fill(&mut filter);
    golden(path("four_bits"), &filter, CountingBloom::decode)
}

#[test]
fn eight_bits() -> Verdict {
    let width = CounterBits::Eight;
    let mut filter = CountingBloom::from_parts(1_021, 3, width, Xxh3::default()).unwrap();
    fill(&mut filter);
    golden(path("eight_bits"), &filter, CountingBloom::decode)
}
