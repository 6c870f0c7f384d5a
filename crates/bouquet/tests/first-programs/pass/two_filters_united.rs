// Two workers, one filter in the end.
use bouquet::{CuckooFilter, ScalableBloom, StandardBloom};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut left = StandardBloom::new(1_000, 0.01)?;
    let mut right = StandardBloom::new(1_000, 0.01)?;
    left.insert("rose");
    right.insert("tulip");
    left.union_with(&right)?;
    assert!(left.contains("rose") && left.contains("tulip"));

    let other_size = StandardBloom::new(2_000, 0.01)?;
    let error = left.union_with(&other_size).unwrap_err();
    assert!(error.to_string().contains("size_bits"), "{error}");

    // Of filters that can be full: if there is room for both.
    let mut left = CuckooFilter::new(10, 0.01)?;
    let mut right = CuckooFilter::new(10, 0.01)?;
    left.insert("rose")?;
    right.insert("tulip")?;
    left.union_with(&right)?;
    assert!(left.contains("tulip") && left.remove("tulip") && !left.contains("tulip"));

    // Of filters that grow: the FPR is that of both together, so take half for each.
    let mut left = ScalableBloom::new(100, 0.005)?;
    let mut right = ScalableBloom::new(100, 0.005)?;
    left.extend(0..5_000);
    right.extend(5_000..20_000);
    left.union_with(&right)?;
    assert!((0..20_000).all(|key| left.contains(&key)));
    assert!(left.estimated_fpr() < 0.01);
    let error = left
        .union_with(&ScalableBloom::new(100, 0.01)?)
        .unwrap_err();
    assert!(error.to_string().contains("target FPR"), "{error}");
    Ok(())
}
