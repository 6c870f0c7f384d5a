//~ call to unsafe function `Mapped::open`
use bouquet::{Mapped, StandardBloom};
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut f = StandardBloom::new(100, 0.01)?; f.insert("a");
    f.save("seen.bloom")?;
    let m = Mapped::open("seen.bloom")?;
    let v = StandardBloom::from_bytes(&m)?;
    assert!(v.contains("a"));
    Ok(())
}
