use bouquet::StandardBloom;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut filter = StandardBloom::new(10_000, 0.01)?;
    assert_eq!(filter.estimated_keys(), 0.0);
    assert_eq!(filter.estimated_fpr(), 0.0);
    filter.extend(0..10_000u32);
    let (keys, fpr) = (filter.estimated_keys(), filter.estimated_fpr());
    assert!((9_500.0..10_500.0).contains(&keys), "{keys}");
    assert!((0.008..0.012).contains(&fpr), "{fpr}");

    filter.extend(10_000..30_000u32);
    assert!(filter.is_over_capacity() && filter.keys_left() == 0);
    Ok(())
}
