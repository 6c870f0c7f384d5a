// Integers of different types but with the same value are the same key.
use bouquet::StandardBloom;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut ids = StandardBloom::new(1_000, 1e-6)?;
    ids.insert(&42);
    assert!(ids.contains(&42u64) && ids.contains(&42u8) && ids.contains(&42usize));
    for id in 100..200u32 {
        ids.insert(&id);
    }
    assert!((100..200i64).all(|id| ids.contains(&id)));
    assert!(!ids.contains(&99));
    Ok(())
}
