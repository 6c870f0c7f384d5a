//! Files of the filter that are read for ever.

use bouquet_blocked::{BlockedBloom, Decode, Folded, Line, Spec, Words32, Xxh3};
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
    let mut filter = BlockedBloom::with_hasher(spec, Folded::with_seed(7)).unwrap();
    fill(&mut filter);
    golden(path("folded"), &filter, BlockedBloom::decode)
}

#[test]
fn words64() -> Verdict {
    let spec = Spec::new(100, 0.01).unwrap();
    let mut filter = BlockedBloom::with_hasher(spec, Xxh3::with_seed(7)).unwrap();
    fill(&mut filter);
    golden(path("words64"), &filter, BlockedBloom::decode)
}

#[test]
fn words32() -> Verdict {
    let mut filter = BlockedBloom::from_parts(5, Words32, Xxh3::default()).unwrap();
    fill(&mut filter);
    golden(path("words32"), &filter, BlockedBloom::decode)
}

#[test]
fn line() -> Verdict {
    let line = Line::new(11).unwrap();
    let mut filter = BlockedBloom::from_parts(4, line, Xxh3::default()).unwrap();
    fill(&mut filter);
    golden(path("line"), &filter, BlockedBloom::decode)
}
