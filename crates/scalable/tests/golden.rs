//! Stored files of this filter that every release must be able to read.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use bouquet_blocked::{BlockedBloom, Words64};
use bouquet_scalable::{
    Decode, Folded, Policy, PolicyError, ScalableBloom, ScalableView, SharedScalable, Spec, View,
    Xxh3,
};
use bouquet_standard::StandardBloom;

/// A filter whose stages use another hasher than the default one.
type OfXxh3 = ScalableBloom<StandardBloom<Xxh3>>;

fn spec(capacity: u64) -> Spec {
    Spec::new(capacity, 0.01).unwrap()
}

fn small() -> Result<Policy, PolicyError> {
    let policy = Policy::new(spec(16)).growth(3)?.tightening(0.5)?;
    Ok(policy.max_stages(4)?.max_bytes(10_000))
}

bouquet_testkit::golden! {
    ScalableBloom:
    folded => ScalableBloom::<StandardBloom>::with_hasher(spec(16), Folded::with_seed(7)),
    standard => OfXxh3::with_hasher(spec(16), Xxh3::with_seed(7)),
    capped => small().and_then(|policy| OfXxh3::with_policy(policy, Xxh3::default())),
    blocked => ScalableBloom::<BlockedBloom<Words64, Xxh3>>::with_hasher(spec(50), Xxh3::default()),
}

bouquet_testkit::golden! {
    SharedScalable: shared => {
        SharedScalable::<StandardBloom<Xxh3>>::with_shards(spec(16), 2, Xxh3::with_seed(7))
    }
}

/// The type of a stage's filter is stated in the filter's own header.
#[test]
fn a_file_of_other_stages_names_the_type_to_write() {
    let of_xxh3 = include_bytes!("data/standard.bouquet");
    let of_blocks = include_bytes!("data/blocked.bouquet");
    let decoded = |bytes: &[u8]| <ScalableBloom>::decode(bytes).unwrap_err().to_string();
    let opened = |bytes| <ScalableView<'_>>::open(bytes).unwrap_err().to_string();
    for error in [decoded(of_xxh3), opened(of_xxh3)] {
        assert!(
            error.contains("`ScalableBloom<StandardBloom<Xxh3>>`"),
            "{error}"
        );
    }
    let named = "use the type `ScalableBloom<BlockedBloom<Words64, Xxh3>>`";
    let kind = OfXxh3::decode(of_blocks).unwrap_err().to_string();
    assert!(
        kind.contains("a `ScalableBloom` of `BlockedBloom`, not of `StandardBloom`"),
        "{kind}"
    );
    for error in [decoded(of_blocks), opened(of_blocks), kind] {
        assert!(error.contains(named), "{error}");
    }
}
