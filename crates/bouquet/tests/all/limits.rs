//! Tests untrusted filters: each variant, with every layout, counter width and inner filter, is
//! decoded within the given limits and rejected beyond them, from bytes, from a reader and from a
//! file.

use std::{error::Error, fmt::Debug, fs};

use bouquet::{
    AtomicBloom, BlockedBloom, CountingBloom, CuckooFilter, Decode, Encode, Limits, Line,
    LoadError, PartitionedBloom, ScalableBloom, SeededHasher, ShardedBloom, Spec, StandardBloom,
    Words32, Words64, Xxh3, Xxh3Wide,
};

type Done = Result<(), Box<dyn Error>>;

/// Decodes with a limit of exactly the bytes that the filter needs, and of one byte less.
fn keeps_within<F>(name: &str, filter: F) -> Done
where
    F: Decode<Hasher: SeededHasher> + Encode + PartialEq + Debug,
{
    let bytes = filter.encode();
    let size = bytes.len() as u64;
    let [all, less] = [size, size - 1].map(|most| Limits::new().max_bytes(most));
    let path = std::env::temp_dir().join(format!("bouquet-limits-{name}-{}", std::process::id()));
    fs::write(&path, &bytes)?;
    let read = |limits| F::decode_from_with_limits(&*bytes, size, limits);
    let loaded = |limits| F::load_with_limits(&path, limits);

    assert_eq!(F::decode_with_limits(&bytes, &all)?, filter, "{name}");
    assert_eq!(read(&all)?, filter, "{name}");
    assert_eq!(loaded(&all)?, filter, "{name}");
    let over = F::decode_with_limits(&bytes, &less).err();
    let words = over.as_ref().map(ToString::to_string).unwrap_or_default();
    let wanted = format!("the filter has {size} bytes, and {} are allowed", size - 1);
    assert!(words.starts_with(&wanted), "{name}: {words:?}");
    for other in [read(&less), loaded(&less)] {
        assert!(
            matches!(&other, Err(LoadError::Decode(error)) if Some(error) == over.as_ref()),
            "{name}: {other:?}"
        );
    }
    fs::remove_file(&path)?;
    Ok(())
}

#[test]
fn every_variant_is_decoded_within_the_limits_alone() -> Done {
    macro_rules! each {
        ($make:ident: $($Filter:ty),+ $(,)?) => {$({
            let name = stringify!($Filter).replace([' ', '<', '>', ',', ':'], "");
            let hasher = <$Filter as Decode>::Hasher::from_seed(7);
            #[allow(unused_mut, reason = "some take a key by a shared reference")]
            let mut filter = <$Filter>::$make(Spec::new(1_000, 0.01)?, hasher)?;
            for key in 0..500_u64 {
                let _ = filter.insert(&key);
            }
            keeps_within(&name, filter)?;
        })+};
    }
    each!(
        with_layout:
        BlockedBloom<Line>,
        BlockedBloom<Words32>,
        BlockedBloom<Words64, Xxh3>,
    );
    each!(
        with_hasher:
        StandardBloom,
        StandardBloom<Xxh3>,
        StandardBloom<Xxh3Wide>,
        BlockedBloom,
        CountingBloom,
        PartitionedBloom,
        CuckooFilter,
        AtomicBloom,
        ShardedBloom,
        ShardedBloom<BlockedBloom>,
        ShardedBloom<CountingBloom>,
        ScalableBloom,
        ScalableBloom<PartitionedBloom>,
        ScalableBloom<CountingBloom>,
    );
    Ok(())
}
