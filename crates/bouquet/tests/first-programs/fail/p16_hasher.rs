//~ `StdHasher
use bouquet::{Spec, StandardBloom};
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut f = StandardBloom::with_hasher(Spec::new(1000, 0.01)?, ahash::RandomState::new())?;
    f.insert("a");
    assert!(f.contains("a"));
    Ok(())
}
