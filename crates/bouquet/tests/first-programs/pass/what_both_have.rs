use bouquet::{BlockedBloom, CountingBloom, PartitionedBloom};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut left = BlockedBloom::new(1_000, 1e-4)?;
    let mut right = left.clone();
    left.extend(["rose", "tulip"]);
    right.extend(["tulip", "daisy"]);
    left.intersect_with(&right)?;
    assert!(left.contains("tulip") && !left.contains("rose"));

    let mut slots = PartitionedBloom::from_keys(["rose"], 1e-4)?;
    slots.intersect_with(&slots.clone())?;
    assert!(slots.contains("rose"));

    let mut counts = CountingBloom::new(1_000, 1e-4)?;
    let mut more = counts.clone();
    counts.insert("rose");
    more.insert("rose");
    counts.union_with(&more)?;
    assert_eq!(counts.estimated_count("rose"), 2);
    Ok(())
}
