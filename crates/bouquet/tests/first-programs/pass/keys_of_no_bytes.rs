// Empty text and empty arrays are keys too, and one key.
use bouquet::StandardBloom;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut seen = StandardBloom::new(100, 1e-6)?;
    assert!(!seen.contains(""));
    assert!(seen.insert(""));
    assert!(seen.contains(&[0u8; 0]));
    assert!(!seen.insert(&Vec::<u8>::new()));
    assert!(!seen.contains(" "));
    Ok(())
}
