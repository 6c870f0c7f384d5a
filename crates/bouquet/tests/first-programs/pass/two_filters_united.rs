// Two workers, one filter in the end.
use bouquet::StandardBloom;

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
    Ok(())
}
