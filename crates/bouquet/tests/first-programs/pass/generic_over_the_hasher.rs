use bouquet::{KeyHasher, Spec, StandardBloom, Xxh3};

struct Cache<H: KeyHasher> {
    known: StandardBloom<H>,
}

impl<H: KeyHasher> Cache<H> {
    fn new(hasher: H) -> Result<Self, bouquet::SpecError> {
        let known = StandardBloom::with_hasher(Spec::new(1_000, 1e-6)?, hasher)?;
        Ok(Self { known })
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut cache = Cache::new(Xxh3::with_seed(7))?;
    cache.known.insert("rose");
    assert!(cache.known.contains("rose"));
    assert_eq!(cache.known.hasher(), &Xxh3::with_seed(7));
    Ok(())
}
