use bouquet::{CuckooFilter, cuckoo::Full};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut filter = CuckooFilter::new(1_000, 0.01)?;
    let mut taken = 0u64;
    let full = loop {
        match filter.insert(&taken) {
            Ok(_) => taken += 1,
            Err(full) => break full,
        }
    };
    assert!(matches!(full, Full::Slots { .. }), "{full}");
    assert!(taken >= 1_000);
    assert!((0..taken).all(|key| filter.contains(&key)));
    assert!(filter.remove(&0u64));
    Ok(())
}
