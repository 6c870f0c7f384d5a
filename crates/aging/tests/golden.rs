//! Golden files of the filter that must always remain readable.

use bouquet_aging::{AgingBloom, Decode, Folded, Spec, Xxh3};
use bouquet_testkit::{Verdict, golden::fill};

bouquet_testkit::golden! {
    AgingBloom:
    by_insertions => AgingBloom::with_hasher(Spec::new(100, 0.01).unwrap(), Folded::with_seed(7)),
    by_xxh3 => AgingBloom::with_hasher(Spec::new(300, 0.001).unwrap(), Xxh3::with_seed(7)),
}

#[test]
fn by_a_clock() -> Verdict {
    let mut filter = AgingBloom::lasting(60, 200, 0.01).unwrap();
    filter.advance(1_000);
    filter.insert("older");
    filter.advance(1_010);
    fill(&mut filter);
    filter.advance(1_030);
    bouquet_testkit::golden!(@file AgingBloom, by_a_clock, filter)
}
