//! What people use today for keys that expire, beside the filter `aging`. Time is counted in
//! insertions: a window has as many as the capacity.

use std::hash::{Hash, RandomState};

use anyhow::Result;
use bouquet_core::{Inspect as _, Key, Spec};
use bouquet_hash::Folded;
use bouquet_standard::StandardBloom;
use cuckoo_clock::{
    CuckooFilter,
    config::{CuckooConfiguration, TtlConfig},
};

use super::{Entry, Insertable, Peer, Request, State, Target, peer, state};
use crate::Family::{Fingerprints, Spread};

pub fn peers() -> [Entry; 2] {
    let about = "Two standard filters in rotation: the older is cleared when the newer has a window's \
                 insertions. Between one window and two are remembered";
    let theory = "1 - (1 - p)(1 - q) of the FPRs of both";
    let words = ["rotation", "by hand", about];
    let rotation = peer(words, Spread, theory, Rotation::new, Rotation::new);
    let about = "The crate cuckoo-clock: fingerprints in buckets of eight behind locks, each with the \
                 time that it has left, in 30 steps a window. SipHash with a random key";
    let theory = "1 - (1 - 2^-f)^(16 load), load = keys / slots (Fan et al. 2014)";
    let words = ["cuckoo-clock", "cuckoo-clock 0.2.7", about];
    let mut clock = peer(words, Fingerprints, theory, Clock::new, Clock::new);
    clock.reproducible_by_seed = false;
    [rotation, clock].map(|mut entry| {
        entry.facts.forgets = true;
        entry
    })
}

struct Rotation {
    newer: StandardBloom,
    older: StandardBloom,
    inserted: u64,
}

impl Rotation {
    fn new(request: &Request) -> Result<Self> {
        // Both together have the target FPR when both are full.
        let each = 1.0 - (1.0 - request.target_fpr()?).sqrt();
        let spec = Spec::new(request.capacity, each)?;
        let newer = StandardBloom::with_hasher(spec, Folded::with_seed(request.seed))?;
        let older = newer.clone();
        Ok(Self {
            newer,
            older,
            inserted: 0,
        })
    }
}

impl<K: Key + ?Sized> Insertable<K> for Rotation {
    #[inline(always)]
    fn insert(&mut self, key: &K) -> bool {
        if self.inserted == self.newer.capacity() {
            std::mem::swap(&mut self.newer, &mut self.older);
            self.newer.clear();
            self.inserted = 0;
        }
        self.inserted += 1;
        self.newer.insert(key) && !self.older.contains(key)
    }

    #[inline(always)]
    fn contains(&self, key: &K) -> bool {
        self.newer.contains(key) || self.older.contains(key)
    }
}

impl Peer for Rotation {
    fn state(&self, (window, _): Target, keys: u64) -> State {
        let newer = if keys <= window {
            keys
        } else {
            (keys - 1) % window + 1
        };
        let older = (keys - newer).min(window);
        let [p, q] = [newer, older].map(|keys| self.newer.expected_fpr(keys));
        let bits = self.newer.size_bits() + self.older.size_bits();
        let memory = (self.newer.memory_bytes() + self.older.memory_bytes()) as u64;
        state(
            bits,
            self.newer.hashes(),
            memory,
            1.0 - (1.0 - p) * (1.0 - q),
        )
    }
}

/// The steps of a window; a key is remembered for as many, and the one in which it came.
const STEPS: u32 = 30;
/// The bits in which the crate counts them.
const STEP_BITS: usize = 5;
/// The size of the crate's example.
const BUCKET: f64 = 8.0;

struct Clock {
    filter: CuckooFilter<RandomState>,
    slots: f64,
    bits: usize,
    a_step: u64,
    inserted: u64,
}

impl Clock {
    fn new(request: &Request) -> Result<Self> {
        let target = request.target_fpr()?;
        // A slot takes whole bytes.
        let reaches = |bits: &usize| 2.0 * BUCKET / (*bits as f64).exp2() <= target;
        let bits = (8..=32)
            .step_by(8)
            .map(|slot| slot - STEP_BITS)
            .find(reaches)
            .unwrap_or(27);
        // Keys of the window and of the step in which they came, in slots of which 19 in 20 can be full.
        let most = request.capacity as f64 * (1.0 + 1.0 / f64::from(STEPS)) / 0.95;
        let configuration = CuckooConfiguration::builder(most.ceil() as usize)
            .fingerprint_bits(bits.try_into()?)
            .bucket_size((BUCKET as usize).try_into()?)
            .with_ttl(TtlConfig {
                ttl: (STEPS + 1).try_into()?,
                ttl_bits: STEP_BITS.try_into()?,
            })
            .build()?;
        let buckets = (most.ceil() / BUCKET).ceil() as u64;
        Ok(Self {
            filter: CuckooFilter::new_random(configuration),
            slots: buckets.next_power_of_two() as f64 * BUCKET,
            bits,
            a_step: request.capacity.div_ceil(STEPS.into()),
            inserted: 0,
        })
    }
}

impl<K: Hash + ?Sized> Insertable<K> for Clock {
    const REJECTS: bool = true;

    /// `false` if a key was evicted, which is then lost.
    #[inline(always)]
    fn insert(&mut self, key: &K) -> bool {
        self.inserted += 1;
        if self.inserted.is_multiple_of(self.a_step) {
            self.filter.scan_and_update_ttl();
        }
        self.filter.insert(key).is_none()
    }

    #[inline(always)]
    fn contains(&self, key: &K) -> bool {
        self.filter.contains(key)
    }
}

impl Peer for Clock {
    fn state(&self, _: Target, _: u64) -> State {
        let load = self.filter.get_item_count() as f64 / self.slots;
        let miss = 1.0 - (-(self.bits as f64)).exp2();
        let bits = (self.slots * (self.bits + STEP_BITS) as f64) as u64;
        let memory = self.filter.get_memory_usage() as u64;
        State {
            fill_ratio: load,
            ..state(bits, 0, memory, 1.0 - miss.powf(2.0 * BUCKET * load))
        }
    }
}
