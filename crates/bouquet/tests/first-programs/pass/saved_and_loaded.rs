// Saves a filter to a file and loads it.
use bouquet::StandardBloom;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::temp_dir().join(format!("first-saved-{}", std::process::id()));
    let mut seen = StandardBloom::new(1_000, 0.01)?;
    seen.insert("https://example.org/");
    seen.save(&path)?;

    let again = StandardBloom::load(&path)?;
    std::fs::remove_file(&path)?;
    assert!(again.contains("https://example.org/"));
    assert_eq!(again, seen);
    Ok(())
}
