use bouquet::BlockedBloom;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut filter = BlockedBloom::new(10_000, 1e-6)?;
    let keys: Vec<u64> = (0..10_000).collect();
    let new = filter.insert_batch(&keys);
    assert!(new > 9_990, "{new}");
    let mut found = vec![false; keys.len()];
    filter.contains_batch(&keys, &mut found);
    assert!(found.iter().all(|found| *found));
    Ok(())
}
