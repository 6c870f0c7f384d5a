//! What ours are compared with.

use std::{collections::hash_map::DefaultHasher, hash::Hash};

use cuckoofilter::CuckooFilter;

use super::{Entry, State, Subject, state};

pub fn cuckoofilter() -> Entry {
    let about = "The crate cuckoofilter 0.5 as it is: a cuckoo filter with one-byte fingerprints \
                 in buckets of four";
    let theory = "1 - (1 - 1/(2^8 - 1))^(2 * 4 * load), load = keys / slots (Fan et al. 2014, \
                  with the zero fingerprint reserved)";
    let release = "cuckoofilter 0.5.0";
    let entry = Entry::new("cuckoofilter", release, about, theory, |request| {
        let filter = CuckooFilter::with_capacity(request.capacity as usize);
        Ok(Cuckoo(filter))
    });
    Entry {
        role: "baseline",
        removes: true,
        fixed_size: Some("one-byte fingerprints, slots rounded up to a power of two"),
        ..entry
    }
}

/// It hashes with the standard library's `DefaultHasher`, which has fixed keys,
/// and picks what to evict by a random generator that cannot be seeded.
struct Cuckoo(CuckooFilter<DefaultHasher>);

impl Cuckoo {
    /// Bits of a fingerprint.
    const BITS: u64 = 8;
    const BUCKET: f64 = 4.0;

    fn slots(&self) -> u64 {
        // What it reports less the value itself is one byte a slot.
        (self.0.memory_usage() - size_of::<CuckooFilter<DefaultHasher>>()) as u64
    }
}

impl Subject for Cuckoo {
    fn insert(&mut self, key: &[u8]) -> bool {
        self.0.add(&Bytes(key)).is_ok()
    }

    fn contains(&self, key: &[u8]) -> bool {
        self.0.contains(&Bytes(key))
    }

    fn remove(&mut self, key: &[u8]) -> bool {
        self.0.delete(&Bytes(key))
    }

    fn state(&self, _keys: u64) -> State {
        let slots = self.slots();
        let load = self.0.len() as f64 / slots as f64;
        let fingerprints = f64::from((1u32 << Self::BITS) - 1);
        let expected = 1.0 - (1.0 - 1.0 / fingerprints).powf(2.0 * Self::BUCKET * load);
        let memory = self.0.memory_usage() as u64;
        State {
            fill_ratio: load,
            ..state(slots * Self::BITS, 0, memory, expected)
        }
    }
}

/// A key as the baseline takes it: its bytes and nothing else.
#[derive(Hash)]
struct Bytes<'a>(&'a [u8]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_baseline_s_slots_are_a_power_of_two() {
        for capacity in [1, 4, 1_000, 8_192, 10_000] {
            let cuckoo: Cuckoo = Cuckoo(CuckooFilter::with_capacity(capacity));
            assert_eq!(cuckoo.slots(), (capacity as u64).next_power_of_two().max(4));
        }
    }
}
