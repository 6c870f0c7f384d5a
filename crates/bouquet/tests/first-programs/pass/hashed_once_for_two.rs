use bouquet::{BlockedBloom, StandardBloom};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut recent = StandardBloom::new(1_000, 1e-6)?;
    let mut old = BlockedBloom::new(1_000, 1e-6)?;
    let hash = recent.hash("rose");
    assert!(recent.insert_hash(hash) && old.insert_hash(hash));
    assert!(recent.contains("rose") && old.contains("rose"));
    Ok(())
}
