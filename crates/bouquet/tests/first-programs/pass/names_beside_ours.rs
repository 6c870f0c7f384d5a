// Everything of ours, everything of std's collections, and types with our traits' names.
use std::collections::*;

use bouquet::*;

#[derive(Debug)]
struct Filter(StandardBloom);

type Result<T> = std::result::Result<T, SpecError>;

fn filter() -> Result<Filter> {
    let mut bloom = StandardBloom::new(10, 0.01)?;
    bloom.insert("rose");
    Ok(Filter(bloom))
}

fn main() -> Result<()> {
    let filter = filter()?;
    assert!(filter.0.contains("rose"));
    let mut exact: HashSet<&str> = HashSet::new();
    assert!(exact.insert("rose") && exact.contains("rose"));
    let mut scalable = ScalableBloom::new(10, 0.01)?;
    assert!(scalable.try_insert("rose").is_ok_and(|new| new));
    let sharded = ShardedBloom::new(10, 0.01)?;
    assert_eq!(sharded.insert_batch(&["rose", "tulip"]), 2);
    assert!(sharded.contains("tulip"));
    assert!(sharded.estimated_fpr() < 0.1);
    Ok(())
}
