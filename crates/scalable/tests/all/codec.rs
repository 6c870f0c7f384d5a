//! Runs the laws of encoding and decoding for this filter.

use bouquet_blocked::{BlockedBloom, BlockedView};
use bouquet_counting::{CountingBloom, CountingView};
use bouquet_scalable::{
    Folded, Policy, ScalableBloom, ScalableView, Spec, StandardBloom, StandardView, Xxh3Wide,
};

fn capped(spec: Spec) -> Policy {
    let policy = Policy::new(spec)
        .growth(3)
        .unwrap()
        .tightening(0.5)
        .unwrap();
    policy.max_stages(3).unwrap().max_bytes(10_000_000)
}

bouquet_testkit::codec_laws! {
    standard {
        make: |spec, seed| ScalableBloom::with_hasher(spec, Folded::with_seed(seed)).unwrap(),
        hasher: |seed| Folded::with_seed(seed),
        filter: ScalableBloom,
        view: ScalableView<'_>,
        laws: [encode_round_trip, canonical, hostile_bytes, view],
    }
    // A policy that sets all parameters.
    capped {
        make: |spec, seed| ScalableBloom::with_policy(capped(spec), Xxh3Wide::with_seed(seed)).unwrap(),
        hasher: |seed| Xxh3Wide::with_seed(seed),
        filter: ScalableBloom<StandardBloom<Xxh3Wide>>,
        view: ScalableView<'_, StandardView<'_, Xxh3Wide>>,
        laws: [encode_round_trip, canonical, hostile_bytes, view],
    }
    blocked {
        make: |spec, seed| ScalableBloom::with_hasher(spec, Folded::with_seed(seed)).unwrap(),
        hasher: |seed| Folded::with_seed(seed),
        filter: ScalableBloom<BlockedBloom>,
        view: ScalableView<'_, BlockedView<'_>>,
        laws: [encode_round_trip, canonical, hostile_bytes, view],
    }
    counting {
        make: |spec, seed| ScalableBloom::with_hasher(spec, Folded::with_seed(seed)).unwrap(),
        hasher: |seed| Folded::with_seed(seed),
        filter: ScalableBloom<CountingBloom>,
        view: ScalableView<'_, CountingView<'_>>,
        laws: [encode_round_trip, canonical, hostile_bytes, view],
    }
}
