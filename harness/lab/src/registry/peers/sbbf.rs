//! The crate sbbf-rs-safe: a split block filter. It is the safe face of sbbf-rs
//! 0.2.8, which builds on stable Rust too, but whose own interface is unsafe
//! functions over a buffer of the caller's.

use anyhow::Result;
use bouquet_blocked::{BlockedBloom, Words32};
use bouquet_core::Spec;
use bouquet_hash::Folded;
use bouquet_stats::witness::Array;
use sbbf_rs_safe::Filter;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{Entry, Request, Size, State, Subject};

/// Words of a block: each has a bit of a key.
const WORDS: u32 = 8;

pub fn contender() -> Entry {
    let about = "The crate sbbf-rs-safe: Parquet's split block filter. It takes hashes, not keys: \
                 xxh3 with the run's seed here. It takes whole bits per key, not an FPR: the \
                 fewest that keep the target by theory";
    let theory = "Poisson mixture over the keys of a block (Putze, Sanders and Singler 2007)";
    let mut peer = Entry::new("sbbf-rs", "sbbf-rs-safe 0.3.2", about, theory, |request| {
        let filter = Filter::new(bits_per_key(request)?, request.capacity as usize);
        Ok(Peer {
            filter,
            seed: request.seed,
        })
    });
    peer.reproducible_by_seed = true;
    peer
}

/// Blocks of eight words of 32 bits, with a bit of a key in each.
fn blocks(size_bits: u64) -> Array {
    Array {
        groups: (size_bits / 256).max(1),
        ranges: WORDS,
        slots: 32,
        throws: 1,
    }
}

pub fn bits_per_key(request: &Request) -> Result<usize> {
    let bits = match request.size {
        Size::BitsPerKey(bits) => bits.round(),
        Size::TargetFpr(fpr) => {
            let spec = Spec::new(request.capacity, fpr)?;
            let fewest = BlockedBloom::<Words32>::with_layout(spec, Folded::default())?;
            (fewest.size_bits() as f64 / request.capacity as f64).ceil()
        }
    };
    Ok(bits.max(1.0) as usize)
}

struct Peer {
    filter: Filter,
    seed: u64,
}

impl Peer {
    fn hash(&self, key: &[u8]) -> u64 {
        xxh3_64_with_seed(key, self.seed)
    }
}

impl Subject for Peer {
    fn insert(&mut self, key: &[u8]) -> bool {
        self.filter.insert_hash(self.hash(key));
        true
    }

    fn contains(&self, key: &[u8]) -> bool {
        self.filter.contains_hash(self.hash(key))
    }

    fn state(&self, keys: u64) -> State {
        let bytes = self.filter.as_bytes();
        let bits = bytes.len() as u64 * 8;
        let ones: u64 = bytes.iter().map(|byte| u64::from(byte.count_ones())).sum();
        // It allocates whole lines, and each block is half a line.
        let memory = bytes.len().next_multiple_of(64) + size_of::<Self>();
        let expected = blocks(bits).fpr(keys).mean;
        State {
            fill_ratio: ones as f64 / bits as f64,
            ..super::state(bits, WORDS, memory as u64, expected)
        }
    }
}
