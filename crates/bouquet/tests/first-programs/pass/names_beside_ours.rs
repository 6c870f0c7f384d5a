// Imports everything from this crate and from std's collections, and defines types with the names
// of this crate's traits.
use std::collections::*;

use bouquet::*;

#[derive(Debug)]
struct Filter(StandardBloom);

// The type is defined here, the derive macro is this crate's: both are called `Key`.
#[derive(Key)]
struct Key(u64);

#[derive(Key)]
enum View {
    List,
    Chart(u8),
}

type Result<T> = std::result::Result<T, SpecError>;

fn filter() -> Result<Filter> {
    let mut bloom = StandardBloom::new(10, 0.01)?;
    bloom.insert("rose");
    bloom.insert(&Key(42));
    Ok(Filter(bloom))
}

fn main() -> Result<()> {
    let filter = filter()?;
    assert!(filter.0.contains("rose") && filter.0.contains(&Key(42)));
    assert!(filter.0.contains(&42));
    let mut views = BlockedBloom::new(10, 1e-6)?;
    assert!(views.insert(&View::List) && views.insert(&View::Chart(1)));
    let mut exact: HashSet<&str> = HashSet::new();
    assert!(exact.insert("rose") && exact.contains("rose"));
    let mut last: BTreeMap<u64, &str> = BTreeMap::new();
    assert!(last.insert(1, "rose").is_none());
    let mut scalable = ScalableBloom::new(10, 0.01)?;
    assert!(scalable.try_insert("rose").is_ok_and(|new| new));
    let sharded = ShardedBloom::new(10, 0.01)?;
    assert_eq!(sharded.insert_batch(&["rose", "tulip"]), 2);
    assert!(sharded.contains("tulip"));
    assert!(sharded.estimated_fpr() < 0.1);
    Ok(())
}
