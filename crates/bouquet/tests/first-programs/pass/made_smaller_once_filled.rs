use bouquet::{Fold, StandardBloom};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut filter = StandardBloom::from_parts(1 << 20, 7, bouquet::Folded::new())?;
    filter.extend(0..1_000u64);
    let small = filter.fold_to(0.01)?;
    assert!(small.size_bits() <= 1 << 14);
    assert!((0..1_000u64).all(|key| small.contains(&key)));
    Ok(())
}
