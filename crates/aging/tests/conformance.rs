//! The laws that apply to the filter while nothing is old enough to be forgotten: the filters are
//! made for ten times the capacity that a law asks for, at its FPR. `tests/all` has the laws of the
//! window. `repeats` does not apply, because an insert makes a key the newest.

use bouquet_aging::{AgingBloom, Folded, Spec, Xxh3Wide};

#[allow(clippy::unwrap_used, reason = "a helper of tests")]
fn roomy(spec: Spec) -> Spec {
    Spec::new(10 * spec.capacity(), spec.target_fpr()).unwrap()
}

bouquet_testkit::laws! {
    folded {
        make: |spec, seed| AgingBloom::with_hasher(roomy(spec), Folded::with_seed(seed)).unwrap(),
        laws: [
            members, answers, empty, keys, inherent, determinism, clone, clear, debug,
            send_sync, extend,
        ],
    }
    xxh3_wide {
        make: |spec, seed| AgingBloom::with_hasher(roomy(spec), Xxh3Wide::with_seed(seed)).unwrap(),
        laws: [members, answers, inherent],
    }
}

bouquet_testkit::codec_laws! {
    stored {
        make: |spec, seed| AgingBloom::with_hasher(roomy(spec), Folded::with_seed(seed)).unwrap(),
        hasher: |seed| Folded::with_seed(seed),
        filter: AgingBloom,
        laws: [encode_round_trip, canonical, hostile_bytes],
    }
}
