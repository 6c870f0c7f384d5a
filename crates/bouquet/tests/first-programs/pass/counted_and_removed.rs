use bouquet::CountingBloom;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut online = CountingBloom::new(1_000, 1e-6)?;
    online.insert("alice");
    online.insert("alice");
    online.insert("bob");
    assert_eq!(online.estimated_count("alice"), 2);
    assert!(online.remove("alice"));
    assert!(online.contains("alice"));
    assert!(online.remove("alice"));
    assert!(!online.contains("alice") && online.contains("bob"));
    assert!(!online.remove("carol"));
    Ok(())
}
