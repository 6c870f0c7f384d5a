//~ trait `WriteUnionWith` which provides
use bouquet::StandardBloom;
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut a = StandardBloom::new(1000, 0.01)?;
    let mut b = StandardBloom::new(1000, 0.01)?;
    a.insert("x"); b.insert("y");
    a.union(&b);
    assert!(a.contains("y"));
    Ok(())
}
