//! Regenerates the seed corpus of the fuzz targets; seeds are small, since they are committed.
//!
//!     cargo run --example corpus

use std::{error::Error, fs, path::Path};

use bouquet_aging::AgingBloom;
use bouquet_blocked::{BlockedBloom, Line, Words32};
use bouquet_core::Spec;
use bouquet_counting::{CounterBits, CountingBloom};
use bouquet_cuckoo::CuckooFilter;
use bouquet_format::Encode;
use bouquet_fuse::{Bits12, Builder, FuseFilter};
use bouquet_hash::{Folded, SipKeyed, Xxh3, Xxh3Wide};
use bouquet_interop::{
    GoBloom, GoZeroBloom, GuavaBloom, ParquetBloom, RedisBloom, RedissonBloom, guava,
};
use bouquet_partitioned::PartitionedBloom;
use bouquet_scalable::{Policy, ScalableBloom};
use bouquet_sharded::{AtomicBloom, ShardedBloom};
use bouquet_standard::StandardBloom;

type Seeds = Vec<(&'static str, Vec<u8>)>;
type Made<T> = Result<T, Box<dyn Error>>;

/// The position of the byte that says which parts of a file must not be repaired.
const HOW: usize = 127;
/// A sequence of operations on a filter that includes every kind.
const OPERATIONS: &[u8] = &[
    0, 8, 9, 16, 3, 4, 7, 15, 23, 31, 5, 2, 10, 17, 24, 25, 32, 40, 48, 56, 64, 3, 4, 6, 0, 1, 4,
];

fn main() -> Made<()> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for (variant, files) in of_files_alone()? {
        write(&corpus, &format!("decode_{variant}"), files)?;
    }
    let of_ours = ours()?;
    for (variant, filters) in &of_ours {
        let decoded = filters.iter().map(|(name, bytes)| (*name, bytes.clone()));
        write(&corpus, &format!("decode_{variant}"), decoded.collect())?;
        let used = filters
            .iter()
            .map(|(name, bytes)| (*name, [bytes, OPERATIONS].concat()));
        write(&corpus, &format!("operate_{variant}"), used.collect())?;
    }
    let firsts = of_ours
        .iter()
        .map(|(name, filters)| (*name, filters[0].1.clone()));
    write(&corpus, "decode_header", firsts.collect())?;
    for (target, seeds) in foreign()? {
        write(&corpus, target, seeds)?;
    }
    Ok(())
}

fn write(corpus: &Path, target: &str, seeds: Seeds) -> Made<()> {
    let folder = corpus.join(target);
    fs::create_dir_all(&folder)?;
    for (name, bytes) in seeds {
        fs::write(folder.join(name), bytes)?;
    }
    Ok(())
}

/// A file for a seed; the byte at [`HOW`] allows all repairs.
fn seed(filter: &impl Encode) -> Vec<u8> {
    let mut bytes = Encode::encode(filter);
    bytes[HOW] = 0;
    bytes
}

fn ours() -> Made<Vec<(&'static str, Seeds)>> {
    let keys = 0..5_u64;
    let spec = Spec::new(5, 0.1)?;
    let mut by_xxh3 = StandardBloom::with_hasher(spec, Xxh3::with_seed(1))?;
    let mut by_wide = StandardBloom::with_hasher(spec, Xxh3Wide::with_seed(1))?;
    let mut by_key = StandardBloom::with_hasher(spec, SipKeyed::with_key([7; 16]))?;
    keys.clone().for_each(|key| {
        by_xxh3.insert(&key);
        by_wide.insert(&key);
        by_key.insert(&key);
    });
    let bits = CountingBloom::with_counter_bits(spec, CounterBits::Eight, Folded::default())?;
    let layouts = (
        BlockedBloom::<Words32>::with_layout(spec, Folded::default())?,
        BlockedBloom::<Line>::with_layout(spec, Folded::default())?,
    );
    let mut grown = ScalableBloom::new(2, 0.1)?;
    grown.extend(0..20_u64);
    let capped = Policy::new(spec)
        .growth(3)?
        .tightening(0.5)?
        .max_stages(3)?
        .max_bytes(4096);
    let capped: ScalableBloom = ScalableBloom::with_policy(capped, Folded::default())?;
    let of_blocks: ScalableBloom<BlockedBloom> =
        ScalableBloom::with_hasher(spec, Folded::default())?;
    let shards: ShardedBloom<BlockedBloom> = ShardedBloom::with_shards(spec, 2, Folded::default())?;
    let counted: ShardedBloom<CountingBloom> =
        ShardedBloom::with_shards(spec, 2, Folded::default())?;
    let mut full = CuckooFilter::new(4, 0.1)?;
    while !full.is_full() && full.insert(&full.keys()).is_ok() {}
    Ok(vec![
        (
            "standard",
            vec![
                (
                    "folded",
                    seed(&StandardBloom::from_keys(keys.clone(), 0.1)?),
                ),
                ("xxh3", seed(&by_xxh3)),
                ("wide", seed(&by_wide)),
                ("keyed", seed(&by_key)),
            ],
        ),
        (
            "atomic",
            vec![("atomic", seed(&AtomicBloom::from_keys(keys.clone(), 0.1)?))],
        ),
        (
            "counting",
            vec![
                (
                    "four_bits",
                    seed(&CountingBloom::from_keys(keys.clone(), 0.1)?),
                ),
                ("eight_bits", seed(&bits)),
            ],
        ),
        (
            "partitioned",
            vec![(
                "folded",
                seed(&PartitionedBloom::from_keys(keys.clone(), 0.1)?),
            )],
        ),
        (
            "blocked",
            vec![
                (
                    "words64",
                    seed(&<BlockedBloom>::from_keys(keys.clone(), 0.1)?),
                ),
                ("words32", seed(&layouts.0)),
                ("line", seed(&layouts.1)),
            ],
        ),
        (
            "scalable",
            vec![
                ("grown", seed(&grown)),
                ("capped", seed(&capped)),
                ("of_blocks", seed(&of_blocks)),
            ],
        ),
        (
            "sharded",
            vec![
                (
                    "two",
                    seed(&<ShardedBloom>::with_shards(spec, 2, Folded::default())?),
                ),
                ("of_blocks", seed(&shards)),
                ("of_counters", seed(&counted)),
            ],
        ),
        (
            "cuckoo",
            vec![
                ("some", seed(&CuckooFilter::from_keys(keys, 0.1)?)),
                ("full", seed(&full)),
            ],
        ),
    ])
}

/// Filters of whose operations there is no target.
fn of_files_alone() -> Made<Vec<(&'static str, Seeds)>> {
    let twelve: FuseFilter<Bits12> = Builder::new(Folded::new()).from_keys(0..5_u64)?;
    let fuse = vec![
        ("none", seed(&FuseFilter::from_keys([0_u64; 0])?)),
        ("some", seed(&FuseFilter::from_keys(0..5_u64)?)),
        ("twelve_bits", seed(&twelve)),
    ];
    let mut counted = AgingBloom::new(3, 0.3)?;
    let mut timed = AgingBloom::lasting(5, 3, 0.3)?;
    timed.advance(7);
    for key in 0..5_u64 {
        counted.insert(&key);
        timed.insert(&key);
    }
    let aging = vec![("counted", seed(&counted)), ("timed", seed(&timed))];
    Ok(vec![("fuse", fuse), ("aging", aging)])
}

fn foreign() -> Made<Vec<(&'static str, Seeds)>> {
    let mut go = GoBloom::with_estimates(5, 0.1)?;
    let mut guava = GuavaBloom::create(guava::Release::V33, 5, 0.1)?;
    let mut parquet = ParquetBloom::with_capacity(5, 0.1)?;
    let mut redis = RedisBloom::reserve(0.1, 2, Some(2))?;
    let mut redisson = RedissonBloom::with_estimates(5, 0.1)?;
    let mut go_zero = GoZeroBloom::new(100)?;
    for key in 0..5_u64 {
        go.insert(&key.to_le_bytes());
        guava.insert(&key.to_le_bytes());
        parquet.insert(&key);
        redis.insert(&key)?;
        redisson.insert(&key);
        go_zero.insert(&key.to_le_bytes());
    }
    let chunks = redis.chunks().flat_map(|(at, bytes)| {
        let len = (bytes.len() as u16).to_le_bytes();
        [vec![at as u8, len[0], len[1]], bytes].concat()
    });
    let [low, high] = (redisson.size_bits() as u16).to_le_bytes();
    let of_redisson = [
        vec![redisson.hashes() as u8, low, high],
        redisson.to_bytes(),
    ]
    .concat();
    Ok(vec![
        ("bits_and_blooms", vec![("five", go.to_bytes())]),
        (
            "bits_and_blooms_json",
            vec![("five", go.to_json().into_bytes())],
        ),
        ("guava", vec![("five", guava.to_bytes())]),
        ("parquet", vec![("five", parquet.to_bytes())]),
        ("redisbloom", vec![("grown", redis.to_bytes())]),
        ("redisbloom_chunks", vec![("grown", chunks.collect())]),
        ("redisson", vec![("five", of_redisson)]),
        (
            "go_zero",
            vec![("five", [vec![100, 0], go_zero.to_bytes()].concat())],
        ),
    ])
}
