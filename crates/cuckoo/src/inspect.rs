//! Statistics of the current contents.

use bouquet_core::{Inspect, KeyHasher, math::with_hash_floor};

use crate::{CuckooFilter, CuckooView, Geometry, math::BUCKET_SLOTS, room::Entry};

bouquet_core::inherent_statistics!([H: KeyHasher] CuckooFilter<H>);

impl<H: KeyHasher> Inspect for CuckooFilter<H> {
    fn capacity(&self) -> u64 {
        self.capacity()
    }

    fn size_bits(&self) -> u64 {
        self.size_bits()
    }

    fn hashes(&self) -> u32 {
        self.hashes()
    }

    /// The share of the slots that are used. Needs no pass over the slots.
    fn fill_ratio(&self) -> f64 {
        load(self.geometry, self.victim, self.keys)
    }

    fn memory_bytes(&self) -> usize {
        size_of::<Self>() + self.table.memory_bytes()
    }

    /// Keys for which there are neither slots nor the place beside them are not counted, because
    /// they would be rejected.
    fn expected_fpr(&self, keys: u64) -> f64 {
        expected_fpr::<H>(self.geometry, keys)
    }

    /// Exact: the share of all pairs of a fingerprint and a first bucket for which the answer is
    /// `true`. Reads all slots, and for each of them the other bucket of its fingerprint.
    fn estimated_fpr(&self) -> f64 {
        fpr(self.geometry, self.victim, |i| self.table.bucket(i))
    }

    /// The exact number of keys, including copies. Needs no pass over the slots.
    fn estimated_keys(&self) -> f64 {
        self.keys as f64
    }
}

bouquet_core::inspect_view! {
    /// The number of keys is that of the header. Only [`verify`](crate::View::verify) compares it
    /// with the slots.
    [H: KeyHasher] CuckooView<'_, H>;

    /// The share of the slots that are used. Needs no pass over the slots.
    fn fill_ratio(&self) -> f64 {
        load(self.geometry, self.victim, self.record.header.keys())
    }

    /// Like that of the filter: keys for which there are neither slots nor the place beside them
    /// are not counted.
    fn expected_fpr(&self, keys: u64) -> f64 {
        expected_fpr::<H>(self.geometry, keys)
    }

    /// Exact, like that of the filter. The other bucket of each fingerprint can be anywhere in the
    /// bytes.
    fn estimated_fpr(&self) -> f64 {
        let fpr = || fpr(self.geometry, self.victim, |i| self.bucket(i));
        self.record.pass(fpr)
    }

    /// The exact number of keys, including copies. Needs no pass over the slots.
    fn estimated_keys(&self) -> f64 {
        self.record.header.keys() as f64
    }
}

/// The share of the slots that are used.
fn load(geometry: Geometry, victim: Option<Entry>, keys: u64) -> f64 {
    // A forged header may claim 0 keys although there is a victim.
    let in_slots = keys.saturating_sub(u64::from(victim.is_some()));
    in_slots as f64 / (geometry.buckets() * BUCKET_SLOTS) as f64
}

fn expected_fpr<H: KeyHasher>(geometry: Geometry, keys: u64) -> f64 {
    let stored = keys.min(geometry.buckets() * BUCKET_SLOTS + 1);
    with_hash_floor(geometry.expected_fpr(stored), stored, H::HASH_BITS)
}

/// The share of all pairs of a fingerprint and a first bucket for which the answer is `true`.
fn fpr(geometry: Geometry, victim: Option<Entry>, bucket: impl Fn(u64) -> [u32; 4]) -> f64 {
    let holds = |i, fingerprint| bucket(i).contains(&fingerprint);
    let all = 0..geometry.buckets();
    let in_slots: u64 = all.map(|i| places_of_bucket(geometry, i, &bucket)).sum();
    let lone_victim = victim.filter(|victim| {
        !holds(victim.bucket, victim.fingerprint)
            && !holds(victim.partner(geometry), victim.fingerprint)
    });
    let places = in_slots + lone_victim.map_or(0, |victim| u64::from(victim.buckets(geometry)));
    let fingerprints = f64::from(geometry.fingerprint_bits().max());
    places as f64 / (fingerprints * geometry.buckets() as f64)
}

/// The number of these pairs due to the fingerprints of one bucket: for each different fingerprint
/// the pair with this bucket, and the pair with its other bucket unless that bucket contains the
/// fingerprint too, because then it counts its own pairs.
fn places_of_bucket(geometry: Geometry, i: u64, bucket: impl Fn(u64) -> [u32; 4]) -> u64 {
    let slots = bucket(i);
    let different = |slot: &usize| slots[*slot] != 0 && !slots[..*slot].contains(&slots[*slot]);
    let places = (0..slots.len()).filter(different).map(|slot| {
        let partner = geometry.partner(i, slots[slot]);
        match bucket(partner).contains(&slots[slot]) {
            true => 1,
            false => 2,
        }
    });
    places.sum()
}
