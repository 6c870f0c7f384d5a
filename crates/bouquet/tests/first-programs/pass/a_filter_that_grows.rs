// A filter sized for ten keys that gets a thousand, and a filter that must not grow.
use bouquet::{Folded, Policy, ScalableBloom, Spec, scalable::Full};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut seen = ScalableBloom::new(10, 0.01)?;
    for id in 0..1_000u64 {
        seen.insert(&id);
    }
    seen.extend(1_000..2_000u64);
    assert!((0..2_000u64).all(|id| seen.contains(&id)));
    assert!(seen.stages().count() > 3);
    assert!(seen.estimated_fpr() <= 0.01);

    let policy = Policy::new(Spec::new(100, 0.01)?).max_stages(1)?;
    let mut capped: ScalableBloom = ScalableBloom::with_policy(policy, Folded::new())?;
    let full = (0..1_000u64).find_map(|id| capped.try_insert(&id).err());
    assert_eq!(full, Some(Full::Stages { max: 1 }));
    capped.extend(0..1_000u64);
    assert!((0..1_000u64).all(|id| capped.contains(&id)));
    assert!(capped.estimated_fpr() > 0.1);
    Ok(())
}
