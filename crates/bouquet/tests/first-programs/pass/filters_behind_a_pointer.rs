// The kind of filter is chosen at run time.
use bouquet::{BlockedBloom, Filter, FilterExt, Insert, KeyHash, StandardBloom};

type AnyFilter = dyn Insert<Hash = KeyHash>;

fn make(fast: bool) -> Result<Box<AnyFilter>, bouquet::SpecError> {
    Ok(match fast {
        true => Box::new(BlockedBloom::new(100, 1e-6)?),
        false => Box::new(StandardBloom::new(100, 1e-6)?),
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for fast in [true, false] {
        let mut seen = make(fast)?;
        assert!(seen.insert_key("rose") && !seen.insert_key("rose"));
        assert!(seen.contains_key("rose") && !seen.contains_key(&42));
        let asked: &dyn Filter = &*seen;
        assert!(asked.contains_bytes(b"rose"));
    }
    Ok(())
}
