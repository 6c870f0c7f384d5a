//! The crate fastbloom: a classic filter, plain and over atomic words.

use anyhow::Result;
use bouquet_core::math::{expected_fpr, fpr_given_fill};
use fastbloom::{AtomicBloomFilter, BloomFilter};

use super::{
    Ask, CLASSIC, Contender, Hashing, Size, State, Store, Subject, boxed, concrete, concrete_mut,
    from_bincode, peer, reload, to_bincode, wide_seed,
};
use crate::registry::Entry;

const RELEASE: &str = "fastbloom 0.17.0";

pub fn plain() -> Contender {
    let about = "The crate fastbloom: one bit array. SipHash-1-3, its default, with the run's \
                 seed (given none it draws one for each filter); many give it foldhash or ahash \
                 for speed";
    let peer = peer("fastbloom", RELEASE, about, CLASSIC, |ask| {
        boxed(Plain(build_plain(ask)))
    });
    Contender {
        entry: Entry {
            reproducible_by_seed: true,
            ..peer.entry
        },
        hashing: Hashing::Seeded,
        unite: Some(|left, right| {
            let right = concrete::<Plain>(right)?;
            concrete_mut::<Plain>(left)?.0.union(&right.0);
            Ok(())
        }),
        reload: Some(reload::<Plain>),
        ..peer
    }
}

pub fn atomic() -> Contender {
    let about = "The crate fastbloom: one array of atomic words, filled by many threads. Hashed \
                 as fastbloom is";
    let peer = peer("fastbloom-atomic", RELEASE, about, CLASSIC, |ask| {
        boxed(Atomic(build_atomic(ask)))
    });
    Contender {
        entry: Entry {
            reproducible_by_seed: true,
            concurrent: true,
            ..peer.entry
        },
        hashing: Hashing::Seeded,
        unite: Some(|left, right| {
            let right = concrete::<Atomic>(right)?;
            concrete_mut::<Atomic>(left)?.0.union(&right.0);
            Ok(())
        }),
        reload: Some(reload::<Atomic>),
        ..peer
    }
}

fn seed(ask: &Ask) -> u128 {
    u128::from_le_bytes(wide_seed(ask.seed))
}

fn size_bits(ask: &Ask, bits_per_key: f64) -> usize {
    (ask.capacity as f64 * bits_per_key).round() as usize
}

fn build_plain(ask: &Ask) -> BloomFilter {
    let (seed, keys) = (seed(ask), ask.capacity as usize);
    match ask.size {
        Size::TargetFpr(fpr) => BloomFilter::with_false_pos(fpr)
            .seed(&seed)
            .expected_items(keys),
        Size::BitsPerKey(bits) => BloomFilter::with_num_bits(size_bits(ask, bits))
            .seed(&seed)
            .expected_items(keys),
    }
}

fn build_atomic(ask: &Ask) -> AtomicBloomFilter {
    let (seed, keys) = (seed(ask), ask.capacity as usize);
    match ask.size {
        Size::TargetFpr(fpr) => AtomicBloomFilter::with_false_pos(fpr)
            .seed(&seed)
            .expected_items(keys),
        Size::BitsPerKey(bits) => AtomicBloomFilter::with_num_bits(size_bits(ask, bits))
            .seed(&seed)
            .expected_items(keys),
    }
}

/// Both tell m, k and their words.
fn told<F>(bits: usize, hashes: u32, words: impl Iterator<Item = u64>, keys: u64) -> State {
    let ones: u64 = words.map(|word| u64::from(word.count_ones())).sum();
    let fill = ones as f64 / bits as f64;
    State {
        fill_ratio: fill,
        fpr_given_bits: Some(fpr_given_fill(fill, hashes)),
        ..super::state(
            bits as u64,
            hashes,
            (bits / 8 + size_of::<F>()) as u64,
            expected_fpr(bits as u64, hashes, keys),
        )
    }
}

struct Plain(BloomFilter);

impl Subject for Plain {
    fn insert(&mut self, key: &[u8]) -> bool {
        self.0.insert(key);
        true
    }

    fn contains(&self, key: &[u8]) -> bool {
        self.0.contains(key)
    }

    fn remove(&mut self, _key: &[u8]) -> bool {
        false
    }

    fn state(&self, keys: u64) -> State {
        let (bits, hashes) = (self.0.num_bits(), self.0.num_hashes());
        told::<Self>(bits, hashes, self.0.iter(), keys)
    }
}

impl Store for Plain {
    fn write(&self) -> Result<Vec<u8>> {
        to_bincode(&self.0)
    }

    fn read(bytes: Vec<u8>) -> Result<Self> {
        from_bincode(&bytes).map(Self)
    }
}

struct Atomic(AtomicBloomFilter);

impl Subject for Atomic {
    fn insert(&mut self, key: &[u8]) -> bool {
        self.0.insert(key);
        true
    }

    fn contains(&self, key: &[u8]) -> bool {
        self.0.contains(key)
    }

    fn remove(&mut self, _key: &[u8]) -> bool {
        false
    }

    fn state(&self, keys: u64) -> State {
        let (bits, hashes) = (self.0.num_bits(), self.0.num_hashes());
        told::<Self>(bits, hashes, self.0.iter(), keys)
    }
}

impl Store for Atomic {
    fn write(&self) -> Result<Vec<u8>> {
        to_bincode(&self.0)
    }

    fn read(bytes: Vec<u8>) -> Result<Self> {
        from_bincode(&bytes).map(Self)
    }
}
