use bouquet::StandardBloom;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut filter = StandardBloom::new(100, 0.01)?;
    let empty = filter.clone();
    filter.insert("rose");
    assert_ne!(filter, empty);
    filter.clear();
    assert_eq!(filter, empty);
    assert!(!filter.contains("rose"));
    assert!(format!("{filter:?}").starts_with("StandardBloom"));
    Ok(())
}
