// Every filter can be saved and loaded without importing a trait or writing a type argument.
use std::path::PathBuf;

use bouquet::{
    AtomicBloom, BlockedBloom, CountingBloom, CuckooFilter, PartitionedBloom, ScalableBloom,
    ShardedBloom, StandardBloom,
};

fn path(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("first-{name}-{}", std::process::id()))
}

macro_rules! saved_and_loaded {
    ($($filter:ident)*) => {$({
        let path = path(stringify!($filter));
        let filter = $filter::from_keys(["rose", "tulip"], 0.01)?;
        filter.save(&path)?;
        let again = $filter::load(&path)?;
        std::fs::remove_file(&path)?;
        assert!(again.contains("rose") && again.contains("tulip"));
        assert!(again.estimated_fpr() < 0.02);
        assert!(again.estimated_keys() > 1.0);
    })*};
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    saved_and_loaded!(
        AtomicBloom BlockedBloom CountingBloom CuckooFilter PartitionedBloom ScalableBloom
        ShardedBloom StandardBloom
    );
    Ok(())
}
