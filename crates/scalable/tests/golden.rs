//! Files of the filter that are read for ever.

use bouquet_blocked::BlockedBloom;
use bouquet_scalable::{Decode, Policy, ScalableBloom, Spec, Xxh3};
use bouquet_testkit::{
    Verdict,
    golden::{fill, golden},
};

fn path(name: &str) -> String {
    format!("{}/tests/data/{name}.bouquet", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn standard() -> Verdict {
    let spec = Spec::new(16, 0.01).unwrap();
    let mut filter: ScalableBloom = ScalableBloom::with_hasher(spec, Xxh3::with_seed(7)).unwrap();
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
    let mut filter: ScalableBloom = ScalableBloom::with_policy(policy, Xxh3::default()).unwrap();
    fill(&mut filter);
    golden(path("capped"), &filter, ScalableBloom::decode)
}

#[test]
fn blocked() -> Verdict {
    let spec = Spec::new(50, 0.01).unwrap();
    let hasher = Xxh3::default();
    let mut filter = ScalableBloom::<BlockedBloom>::with_hasher(spec, hasher).unwrap();
    fill(&mut filter);
    golden(path("blocked"), &filter, ScalableBloom::decode)
}
