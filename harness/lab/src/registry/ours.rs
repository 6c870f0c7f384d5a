//! Our own filters.

mod groups;
mod native;
mod stages;

use anyhow::Result;
use bouquet_blocked::{BlockedBloom, Layout, Line, Words32, Words64};
use bouquet_core::{KeyHash, KeyHasher, Locate, Spec};
use bouquet_counting::{CounterBits, CountingBloom};
use bouquet_cuckoo::{CuckooFilter, FingerprintBits};
use bouquet_hash::Xxh3;
use bouquet_partitioned::PartitionedBloom;
use bouquet_scalable::ScalableBloom;
use bouquet_sharded::{AtomicBloom, ShardedBloom, ShardedGeometry};
use bouquet_standard::StandardBloom;

use self::{native::Native, stages::Stages};
use super::{Ask, Entry, Size, Subject};
use crate::schemes::{Located, Locator, Pairs, Part};

/// Shards of the sharded filter: at some thousand keys each has a thousand, and
/// two threads seldom meet.
const SHARDS: u32 = 8;

/// What most of ours have in common.
fn ours(
    name: &'static str,
    about: &'static str,
    theory: &'static str,
    build: fn(&Ask) -> Result<Box<dyn Subject>>,
) -> Entry {
    Entry {
        name,
        about,
        role: "ours",
        promises_no_false_negatives: true,
        reproducible_by_seed: true,
        removes: false,
        grows: false,
        concurrent: false,
        theory,
        scheme: "",
        fixed_size: None,
        least_bits_per_key: 0.0,
        build,
        locate: None,
    }
}

fn boxed<F: Native + 'static>(filter: F) -> Result<Box<dyn Subject>> {
    Ok(Box::new(filter))
}

fn located<G>(geometry: G, parts: Vec<Part>, seed: u64) -> Result<Box<dyn Locator>>
where
    G: Locate<Hash = KeyHash> + 'static,
{
    let hasher = Xxh3::with_seed(seed);
    let hash = move |key: &[u8]| hasher.hash(key);
    Ok(Box::new(Located::of_parts(geometry, hash, parts)))
}

/// Of a filter that is all one place.
fn located_whole<G>(geometry: G, seed: u64) -> Result<Box<dyn Locator>>
where
    G: Locate<Hash = KeyHash> + 'static,
{
    let parts = vec![Part::slot(geometry.probes(), geometry.slots())];
    located(geometry, parts, seed)
}

const CLASSIC: &str = "exact, by recurrence over the probed slots (Bose et al. 2008; Christensen, \
                       Roginsky and Jimeno 2010)";

pub fn standard() -> Entry {
    use bouquet_standard::Geometry;
    let about = "The classic Bloom filter: one bit array, k probes";
    Entry {
        scheme: "default",
        locate: Some(|slots, probes, seed| located_whole(Geometry::new(slots, probes)?, seed)),
        ..ours("standard", about, CLASSIC, |ask| {
            let hasher = Xxh3::with_seed(ask.seed);
            boxed(match ask.size {
                Size::TargetFpr(fpr) => {
                    StandardBloom::with_hasher(Spec::new(ask.capacity, fpr)?, hasher)?
                }
                Size::BitsPerKey(bits) => {
                    let geometry = Geometry::with_bits_per_key(ask.capacity, bits)?;
                    StandardBloom::from_parts(geometry.size_bits(), geometry.hashes(), hasher)?
                }
            })
        })
    }
}

pub fn counting() -> Entry {
    use bouquet_counting::Geometry;
    let about = "Counters of 4 bits instead of bits: keys can be removed";
    Entry {
        removes: true,
        locate: Some(|slots, probes, seed| {
            located_whole(Geometry::new(slots, probes, CounterBits::Four)?, seed)
        }),
        ..ours("counting", about, CLASSIC, |ask| {
            let hasher = Xxh3::with_seed(ask.seed);
            boxed(match ask.size {
                Size::TargetFpr(fpr) => {
                    CountingBloom::with_hasher(Spec::new(ask.capacity, fpr)?, hasher)?
                }
                Size::BitsPerKey(bits) => {
                    let four = CounterBits::Four;
                    let geometry = Geometry::with_bits_per_key(ask.capacity, bits, four)?;
                    let (slots, hashes) = (geometry.counters(), geometry.hashes());
                    CountingBloom::from_parts(slots, hashes, four, hasher)?
                }
            })
        })
    }
}

pub fn partitioned() -> Entry {
    use bouquet_partitioned::Geometry;
    let about = "k partitions of m/k bits, one probe in each";
    let theory = "(1 - (1 - 1/s)^n)^k, s = m/k, exact";
    Entry {
        locate: Some(|slots, probes, seed| {
            let geometry = Geometry::new(slots, probes)?;
            let bits = geometry.partition_bits();
            let slot = Part::new("slot in its partition", 0..probes, 1, bits);
            located(geometry, vec![slot], seed)
        }),
        ..ours("partitioned", about, theory, |ask| {
            let hasher = Xxh3::with_seed(ask.seed);
            boxed(match ask.size {
                Size::TargetFpr(fpr) => {
                    PartitionedBloom::with_hasher(Spec::new(ask.capacity, fpr)?, hasher)?
                }
                Size::BitsPerKey(bits) => {
                    let geometry = Geometry::with_bits_per_key(ask.capacity, bits)?;
                    PartitionedBloom::from_parts(geometry.size_bits(), geometry.hashes(), hasher)?
                }
            })
        })
    }
}

const BLOCKED: &str = "Poisson mixture over the keys of a block (Putze, Sanders and Singler 2007)";

pub fn blocked() -> Entry {
    let about = "All probes of a key in one block of 512 bits: one bit in each of eight 64-bit \
                 words";
    Entry {
        locate: Some(|slots, _, seed| {
            blocked_locator(slots, Words64, ("bit in its word", 64), seed)
        }),
        ..ours("blocked", about, BLOCKED, build_blocked::<Words64>)
    }
}

pub fn blocked_words32() -> Entry {
    let about = "Blocks of 256 bits: one bit in each of eight 32-bit words (the split block of \
                 Parquet)";
    Entry {
        locate: Some(|slots, _, seed| {
            blocked_locator(slots, Words32, ("bit in its word", 32), seed)
        }),
        ..ours("blocked-words32", about, BLOCKED, build_blocked::<Words32>)
    }
}

pub fn blocked_line() -> Entry {
    let about = "Blocks of 512 bits, k probes anywhere in the block";
    Entry {
        locate: Some(|slots, probes, seed| {
            blocked_locator(slots, Line::new(probes)?, ("bit in its block", 512), seed)
        }),
        ..ours("blocked-line", about, BLOCKED, build_blocked::<Line>)
    }
}

fn blocked_locator<L: Layout + 'static>(
    slots: u64,
    layout: L,
    (bit, bits): (&'static str, u64),
    seed: u64,
) -> Result<Box<dyn Locator>> {
    let geometry = bouquet_blocked::Geometry::new(slots / L::BLOCK_BITS, layout)?;
    let parts = vec![
        Part::new("block", 0..1, L::BLOCK_BITS, geometry.blocks()),
        Part::new(bit, 0..geometry.hashes(), 1, bits),
    ];
    located(geometry, parts, seed)
}

fn build_blocked<L: Layout + 'static>(ask: &Ask) -> Result<Box<dyn Subject>> {
    let hasher = Xxh3::with_seed(ask.seed);
    boxed(match ask.size {
        Size::TargetFpr(fpr) => {
            BlockedBloom::<L, _>::with_layout(Spec::new(ask.capacity, fpr)?, hasher)?
        }
        Size::BitsPerKey(bits) => {
            let geometry = bouquet_blocked::Geometry::<L>::with_bits_per_key(ask.capacity, bits)?;
            BlockedBloom::from_parts(geometry.blocks(), geometry.layout(), hasher)?
        }
    })
}

pub fn scalable() -> Entry {
    let about = "Stages of the standard filter, each for twice the keys of the one before and with 0.8 of its FPR";
    let theory = "1 - prod(1 - p_i) over the stages (Almeida et al. 2007), each exact";
    Entry {
        grows: true,
        locate: Some(|slots, probes, seed| {
            let stages = Stages::new(slots, probes)?;
            let parts = stages.parts();
            located(stages, parts, seed)
        }),
        ..ours("scalable", about, theory, |ask| match ask.size {
            Size::TargetFpr(fpr) => boxed(<ScalableBloom>::with_hasher(
                Spec::new(ask.capacity, fpr)?,
                Xxh3::with_seed(ask.seed),
            )?),
            Size::BitsPerKey(_) => {
                anyhow::bail!("scalable has no number of bits per key: it grows to a target FPR")
            }
        })
    }
}

pub fn sharded() -> Entry {
    use bouquet_standard::Geometry;
    let about = "Eight standard filters behind locks, each key in the one that its hash picks";
    let theory = "the mean of the classic exact form over the keys that a shard gets by chance";
    Entry {
        concurrent: true,
        locate: Some(|slots, probes, seed| {
            let shard = Geometry::new(slots / u64::from(SHARDS), probes)?;
            let parts = vec![
                Part::new("shard", 0..1, shard.size_bits(), SHARDS.into()),
                Part::new("slot in its shard", 0..probes, 1, shard.size_bits()),
            ];
            located(ShardedGeometry::new(SHARDS, shard)?, parts, seed)
        }),
        ..ours("sharded", about, theory, |ask| {
            let hasher = Xxh3::with_seed(ask.seed);
            boxed(match ask.size {
                Size::TargetFpr(fpr) => {
                    let spec = Spec::new(ask.capacity, fpr)?;
                    <ShardedBloom>::with_shards(spec, SHARDS, hasher)?
                }
                Size::BitsPerKey(bits) => {
                    let own = ask.capacity.div_ceil(SHARDS.into());
                    let shard = Geometry::with_bits_per_key(own, bits)?;
                    ShardedBloom::from_parts(SHARDS, shard.size_bits(), shard.hashes(), hasher)?
                }
            })
        })
    }
}

pub fn atomic() -> Entry {
    use bouquet_standard::Geometry;
    let about = "The classic Bloom filter over atomic words: many threads insert without a lock";
    Entry {
        concurrent: true,
        locate: Some(|slots, probes, seed| located_whole(Geometry::new(slots, probes)?, seed)),
        ..ours("atomic", about, CLASSIC, |ask| {
            let hasher = Xxh3::with_seed(ask.seed);
            boxed(match ask.size {
                Size::TargetFpr(fpr) => {
                    AtomicBloom::with_hasher(Spec::new(ask.capacity, fpr)?, hasher)?
                }
                Size::BitsPerKey(bits) => {
                    let geometry = Geometry::with_bits_per_key(ask.capacity, bits)?;
                    AtomicBloom::from_parts(geometry.size_bits(), geometry.hashes(), hasher)?
                }
            })
        })
    }
}

pub fn cuckoo() -> Entry {
    use bouquet_cuckoo::Geometry;
    let about = "Fingerprints in buckets of four (Fan et al. 2014): keys can be removed, and it \
                 refuses when it is full";
    let theory = "exact: a stranger meets the fingerprints of two buckets, of 2^f - 1 each";
    Entry {
        removes: true,
        // Of the narrowest fingerprint, with room to fill the table.
        least_bits_per_key: 8.5,
        locate: Some(|slots, _, seed| {
            let geometry = Geometry::new(slots, FingerprintBits::Sixteen)?;
            let bucket = Part::new("bucket", 0..2, 1, geometry.buckets()).pairs(Pairs::Unclaimed);
            located(geometry, vec![bucket], seed)
        }),
        ..ours("cuckoo", about, theory, |ask| {
            let hasher = Xxh3::with_seed(ask.seed);
            boxed(match ask.size {
                Size::TargetFpr(fpr) => {
                    CuckooFilter::with_hasher(Spec::new(ask.capacity, fpr)?, hasher)?
                }
                Size::BitsPerKey(bits) => {
                    let geometry = Geometry::with_bits_per_key(ask.capacity, bits)?;
                    let (buckets, width) = (geometry.buckets(), geometry.fingerprint_bits());
                    CuckooFilter::from_parts(buckets, width, hasher)?
                }
            })
        })
    }
}
