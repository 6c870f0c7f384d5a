// Filters of several kinds as trait objects in one list.
use bouquet::{CuckooFilter, Filter, StandardBloom};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let filters: Vec<Box<dyn Filter>> = vec![
        Box::new(StandardBloom::from_keys(["rose"], 1e-6)?),
        Box::new(CuckooFilter::from_keys(["tulip"], 1e-6)?),
    ];
    let has = |key: &str| filters.iter().any(|filter| filter.contains_bytes(key.as_bytes()));
    assert!(has("rose") && has("tulip") && !has("daisy"));
    assert!(filters[0].contains_bytes(b"rose"));
    Ok(())
}
