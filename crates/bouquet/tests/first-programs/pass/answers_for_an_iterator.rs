use bouquet::{BlockedBloom, FilterExt};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let known = BlockedBloom::from_keys(0..1_000u64, 1e-6)?;
    let answers: Vec<bool> = known.contains_iter([5u64, 5_000, 999]).collect();
    assert_eq!(answers, [true, false, true]);
    let count = known
        .contains_iter(500..1_500u64)
        .filter(|known| *known)
        .count();
    assert_eq!(count, 500);
    Ok(())
}
