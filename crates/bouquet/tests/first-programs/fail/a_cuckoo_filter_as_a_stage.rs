//~ `CuckooFilter` cannot be a stage or a shard of another filter
//~ `StandardBloom`, `BlockedBloom`, `PartitionedBloom` and `CountingBloom` can

use bouquet::{CuckooFilter, Folded, ScalableBloom, Spec};

fn main() {
    let spec = Spec::new(10, 0.01).unwrap();
    ScalableBloom::<CuckooFilter>::with_hasher(spec, Folded::default()).unwrap();
}
