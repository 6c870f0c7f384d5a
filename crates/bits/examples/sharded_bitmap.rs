//! An exact set of integers that threads fill at once: the set consists of shards of atomic
//! words, and a shard is allocated when the first integer of its range is inserted.
//!
//! Ids are dense within a tenant, and the tenants' ranges are far apart: an array for the whole
//! range would take half a gigabyte, a hash set several bytes per id.

use std::{
    collections::HashSet,
    error::Error,
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    thread,
};

use bouquet_bits::{AtomicBitArray, OutOfMemory};

/// The number of bits in a shard, which takes 128 KiB.
const SHARD: u64 = 1 << 20;

/// A set of integers below 2^32.
#[derive(Debug)]
struct ShardedBitmap {
    shards: Box<[OnceLock<AtomicBitArray>]>,
}

impl ShardedBitmap {
    /// Creates an empty set, which takes about one pointer per shard.
    fn new() -> Self {
        let shards = (0..(1 << 32) / SHARD).map(|_| OnceLock::new());
        Self {
            shards: shards.collect(),
        }
    }

    /// Adds an integer; of all calls with the same integer, exactly one returns true.
    fn insert(&self, i: u32) -> Result<bool, OutOfMemory> {
        let (shard, bit) = place(i);
        let shard = &self.shards[shard];
        if let Some(bits) = shard.get() {
            return Ok(bits.set(bit));
        }
        // Several threads may allocate the same shard at once; the first one is kept.
        let fresh = AtomicBitArray::new(SHARD)?;
        Ok(shard.get_or_init(|| fresh).set(bit))
    }

    /// Returns whether the set contains the integer.
    fn contains(&self, i: u32) -> bool {
        let (shard, bit) = place(i);
        self.shards[shard].get().is_some_and(|bits| bits.test(bit))
    }

    fn made(&self) -> impl Iterator<Item = &AtomicBitArray> {
        self.shards.iter().filter_map(OnceLock::get)
    }

    /// The number of integers in the set.
    fn len(&self) -> u64 {
        self.made().map(AtomicBitArray::count_ones).sum()
    }

    /// Bytes of the allocated bits and of the array of shards.
    fn memory_bytes(&self) -> usize {
        let bits = self.made().map(AtomicBitArray::memory_bytes);
        bits.sum::<usize>() + size_of_val(&*self.shards)
    }
}

/// The shard of an integer, and the number of its bit in the shard.
const fn place(i: u32) -> (usize, u64) {
    ((i as u64 / SHARD) as usize, i as u64 % SHARD)
}

/// The ids that a thread inserts: 200,000 of each of three tenants. Every two threads insert
/// the same ids.
fn ids(thread: u32) -> impl Iterator<Item = u32> {
    let tenants = [0, 1_500_000_000, 4_294_000_000];
    tenants
        .into_iter()
        .flat_map(move |first| (0..200_000).map(move |id| first + id * 3 + thread / 2))
}

/// Inserts from four threads; fails if an integer is lost or added, or if two threads report it
/// as new. Returns the number of integers in the set and the bytes it takes.
pub fn run() -> Result<(u64, usize), Box<dyn Error>> {
    let seen = ShardedBitmap::new();
    let new = AtomicU64::new(0);
    thread::scope(|scope| -> Result<(), Box<dyn Error>> {
        let fill = |thread| {
            let (seen, new) = (&seen, &new);
            move || {
                ids(thread).try_for_each(|id| -> Result<(), OutOfMemory> {
                    new.fetch_add(seen.insert(id)?.into(), Relaxed);
                    Ok(())
                })
            }
        };
        let threads: Vec<_> = (0..4).map(|thread| scope.spawn(fill(thread))).collect();
        for thread in threads {
            thread.join().map_err(|_| "a thread panicked")??;
        }
        Ok(())
    })?;

    let exact: HashSet<u32> = (0..4).flat_map(ids).collect();
    let len = seen.len();
    if let Some(lost) = exact.iter().find(|id| !seen.contains(**id)) {
        return Err(format!("{lost} was lost").into());
    }
    if len != exact.len() as u64 || new.into_inner() != len {
        return Err(format!("{len} integers, and not {}", exact.len()).into());
    }
    Ok((len, seen.memory_bytes()))
}

fn main() -> Result<(), Box<dyn Error>> {
    let (ids, bytes) = run()?;
    println!("{ids} ids, each new to one thread, in {bytes} bytes");
    println!("one array for all u32: {} bytes", (1u64 << 32) / 8);
    println!("the ids alone, as a list: {} bytes", ids * 4);
    Ok(())
}
