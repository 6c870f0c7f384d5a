//! Filters that remove, as an attacker sees them.

use bouquet_catalogue::{Variant as _, counting::Counting, cuckoo::Cuckoo};
use bouquet_core::{Inspect, KeyHasher, Remove, TryInsert};
use bouquet_counting::CountingBloom;
use bouquet_cuckoo::CuckooFilter;
use bouquet_stats::witness::{Array, Form};

/// A filter that removes keys.
pub trait Removing: TryInsert + Remove + Inspect {
    const NAME: &'static str;
    /// What a key must meet to take from the victim.
    type Aim;

    /// What it is in plain numbers.
    fn form(&self) -> Form;
    fn aim(&self, victim: &[u8]) -> Self::Aim;
    /// Whether the filter would take a removal of the key, and from the victim.
    fn hits(&self, key: &[u8], aim: &Self::Aim) -> bool;
}

impl<H: KeyHasher> Removing for CountingBloom<H> {
    const NAME: &'static str = Counting::FACTS.name;
    /// The victim's slot with the lowest counter.
    type Aim = u64;

    fn form(&self) -> Form {
        Form::Array(Array::whole(self.counters().len(), self.hashes()))
    }

    fn aim(&self, victim: &[u8]) -> u64 {
        let slots = self.locations(victim);
        // A key has at least one slot.
        slots
            .min_by_key(|slot| self.counters().get(*slot))
            .unwrap_or(0)
    }

    fn hits(&self, key: &[u8], aim: &u64) -> bool {
        self.contains(key) && self.locations(key).any(|slot| slot == *aim)
    }
}

impl<H: KeyHasher> Removing for CuckooFilter<H> {
    const NAME: &'static str = Cuckoo::FACTS.name;
    /// The victim's fingerprint and its buckets, the lower first.
    type Aim = (u32, [u64; 2]);

    fn form(&self) -> Form {
        Form::Fingerprints {
            buckets: self.geometry().buckets(),
            bucket_slots: 4,
            values: (1 << self.fingerprint_bits().bits()) - 1,
        }
    }

    fn aim(&self, victim: &[u8]) -> (u32, [u64; 2]) {
        let hash = self.hash(victim);
        let mut buckets = self.geometry().buckets_of(hash);
        buckets.sort_unstable();
        (self.geometry().fingerprint(hash), buckets)
    }

    fn hits(&self, key: &[u8], aim: &(u32, [u64; 2])) -> bool {
        self.geometry().fingerprint(self.hash(key)) == aim.0 && self.aim(key) == *aim
    }
}
