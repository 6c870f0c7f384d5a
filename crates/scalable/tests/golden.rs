//! Files of the filter that are read for ever.

use bouquet_blocked::{BlockedBloom, Words64};
use bouquet_scalable::{Decode, Folded, Policy, ScalableBloom, Spec, Xxh3};
use bouquet_standard::StandardBloom;
use bouquet_testkit::{
    Verdict,
    golden::{fill, golden},
};

fn path(name: &str) -> String {
    format!("{}/tests/data/{name}.bouquet", env!("CARGO_MANIFEST_DIR"))
}

/// Stages of another hasher than the default one.
type OfXxh3 = ScalableBloom<StandardBloom<Xxh3>>;

#[test]
fn folded() -> Verdict {
    let spec = Spec::new(16, 0.01).unwrap();
    let mut filter: ScalableBloom = ScalableBloom::with_hasher(spec, Folded::with_seed(7)).unwrap();
    fill(&mut filter);
    golden(path("folded"), &filter, ScalableBloom::decode)
}

#[test]
fn standard() -> Verdict {
    let spec = Spec::new(16, 0.01).unwrap();
    let mut filter = OfXxh3::with_hasher(spec, Xxh3::with_seed(7)).unwrap();
    fill(&mut filter);
    golden(path("standard"), &filter, ScalableBloom::decode)
}

#[test]
fn capped() -> Verdict {
    let policy = Policy::new(Spec::new(16, 0.01).unwrap()).growth(3).unwrap();
    let policy = policy
        .tightening(0.5)
        .unwrap()
        .max_stages(4)
        .unwrap()
        .max_bytes(10_000);
    let mut filter = OfXxh3::with_policy(policy, Xxh3::default()).unwrap();
    fill(&mut filter);
    golden(path("capped"), &filter, ScalableBloom::decode)
}

#[test]
fn blocked() -> Verdict {
    let spec = Spec::new(50, 0.01).unwrap();
    let hasher = Xxh3::default();
    let mut filter =
        ScalableBloom::<BlockedBloom<Words64, Xxh3>>::with_hasher(spec, hasher).unwrap();
    fill(&mut filter);
    golden(path("blocked"), &filter, ScalableBloom::decode)
}
