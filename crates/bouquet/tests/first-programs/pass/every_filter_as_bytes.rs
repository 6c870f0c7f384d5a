// Every filter as bytes, for a database, a cache or a message.
use bouquet::{
    AtomicBloom, BlockedBloom, CountingBloom, CuckooFilter, PartitionedBloom, ScalableBloom,
    ShardedBloom, StandardBloom,
};

macro_rules! through_bytes {
    ($($filter:ident)*) => {$({
        let filter = $filter::from_keys(1..=100u64, 0.01)?;
        let bytes: Vec<u8> = filter.encode();
        let again = $filter::from_bytes(&bytes)?;
        assert_eq!(again, filter);
        assert!((1..=100u64).all(|key| again.contains(&key)));
        assert!($filter::from_bytes(&bytes[..bytes.len() - 1]).is_err());
        assert!($filter::from_bytes(b"not a filter").is_err());
    })*};
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    through_bytes!(
        AtomicBloom BlockedBloom CountingBloom CuckooFilter PartitionedBloom ScalableBloom
        ShardedBloom StandardBloom
    );
    Ok(())
}
