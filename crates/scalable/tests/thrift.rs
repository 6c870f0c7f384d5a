//! Tests the cost of operations: they hash each key once and allocate no memory.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use bouquet_scalable::{ScalableBloom, Spec, StandardBloom};
use bouquet_testkit::thrift::CountingHasher;

type Scalable = ScalableBloom<StandardBloom<CountingHasher>>;

/// A filter that has just begun its fifth stage.
fn five_stages(spec: Spec, hasher: CountingHasher) -> Scalable {
    let first = Spec::new(spec.capacity() / 31, spec.target_fpr()).unwrap();
    let mut filter = Scalable::with_hasher(first, hasher).unwrap();
    let mut key = u64::MAX;
    while filter.stages().count() < 5 {
        filter.insert(&key);
        key -= 1;
    }
    filter
}

bouquet_testkit::thrift! {
    "one stage": |spec, hasher| Scalable::with_hasher(spec, hasher).unwrap(),
    "five stages": |spec, hasher| five_stages(spec, hasher),
}
