// Any `BuildHasher` can be used for filters that are not stored.
use std::hash::RandomState;

use bouquet::{Spec, StandardBloom, StdHasher};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let hasher = StdHasher::new(RandomState::new());
    let spec = Spec::new(10_000, 0.01)?;
    let mut seen = StandardBloom::with_hasher(spec, hasher.clone())?;
    seen.extend(0..10_000u64);
    assert!((0..10_000u64).all(|key| seen.contains(&key)));
    let wrong = (10_000..110_000u64)
        .filter(|key| seen.contains(key))
        .count();
    assert!(wrong < 2_000, "{wrong}");

    let mut more = StandardBloom::with_hasher(spec, hasher)?;
    more.insert("rose");
    seen.union_with(&more)?;
    assert!(seen.contains("rose"));
    let other = StandardBloom::with_hasher(spec, StdHasher::new(RandomState::new()))?;
    assert!(seen.union_with(&other).is_err());
    Ok(())
}
