// The filters of two workers are united.
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

    // Filters that can be full can be united if there is room for the keys of both.
    let mut left = CuckooFilter::new(10, 0.01)?;
    let mut right = CuckooFilter::new(10, 0.01)?;
    left.insert("rose")?;
    right.insert("tulip")?;
    left.union_with(&right)?;
    assert!(left.contains("tulip") && left.remove("tulip") && !left.contains("tulip"));

    // Filters that grow: the FPR of the union is the sum of both, so each gets half of the target.
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
