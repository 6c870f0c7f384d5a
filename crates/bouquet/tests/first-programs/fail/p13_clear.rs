//~ trait `WriteEstimatedKeys` which provides
use bouquet::StandardBloom;
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut a = StandardBloom::new(1000, 0.01)?;
    assert!(a.is_empty());
    a.insert("x");
    println!("{} keys", a.len());
    a.clear();
    assert!(a.is_empty() && !a.contains("x"));
    Ok(())
}
