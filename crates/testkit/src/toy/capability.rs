use std::sync::atomic::Ordering::Relaxed;

use bouquet_core::{
    ConcurrentInsert, Incompatible, Inspect, Intersect, KeyHash, KeyHasher, Parameter, Remove,
    Union, math,
};

use super::{Fault, Toy};

impl Remove for Toy {
    fn remove_hash(&mut self, hash: KeyHash) -> bool {
        let held = self.holds(hash);
        if self.has(Fault::RemoveDoesNothing) || !(held || self.has(Fault::RemovesAbsent)) {
            return held;
        }
        for slot in self.geometry.slots_of(hash) {
            let counter = &self.counters[slot];
            let count = counter.load(Relaxed);
            // At its maximum a counter no longer knows its count: it stays.
            if count < self.max || self.has(Fault::CountersUnstick) {
                counter.store(count.saturating_sub(1), Relaxed);
            }
        }
        held
    }
}

impl Toy {
    fn check_same(&self, other: &Self) -> Result<(), Incompatible> {
        let seed = match self.fault {
            Fault::NamesWrongParameter => Parameter::Hashes,
            _ => Parameter::Seed,
        };
        let same_seed = self.has(Fault::CombinesOtherSeeds);
        for (parameter, left, right) in [
            (Parameter::SizeBits, self.size_bits(), other.size_bits()),
            (
                Parameter::Hashes,
                self.hashes().into(),
                other.hashes().into(),
            ),
            (
                seed,
                self.hasher.seed(),
                if same_seed {
                    self.hasher.seed()
                } else {
                    other.hasher.seed()
                },
            ),
        ] {
            if left != right {
                if self.has(Fault::ChangesOnRefusal) {
                    self.counters[0].store(self.max, Relaxed);
                }
                return Err(Incompatible {
                    parameter,
                    left,
                    right,
                });
            }
        }
        Ok(())
    }

    fn combine(&mut self, other: &Self, combined: impl Fn(u8, u8) -> u8) {
        for (counter, theirs) in self.counters.iter().zip(other.counts()) {
            counter.store(combined(counter.load(Relaxed), theirs), Relaxed);
        }
    }
}

impl Union for Toy {
    fn union_with(&mut self, other: &Self) -> Result<(), Incompatible> {
        self.check_same(other)?;
        let max = self.max;
        match self.fault {
            Fault::UnionIsIntersection => self.combine(other, u8::min),
            _ => self.combine(other, |ours, theirs| (ours + theirs).min(max)),
        }
        Ok(())
    }
}

impl Intersect for Toy {
    fn intersect_with(&mut self, other: &Self) -> Result<(), Incompatible> {
        self.check_same(other)?;
        match self.fault {
            Fault::IntersectionIsUnion => self.combine(other, u8::max),
            Fault::IntersectionKeepsAll => {}
            _ => self.combine(other, u8::min),
        }
        Ok(())
    }
}

impl ConcurrentInsert for Toy {
    fn insert_hash_shared(&self, hash: KeyHash) -> bool {
        self.insert_hash(hash) || self.has(Fault::SharedAlwaysNew)
    }
}

impl Inspect for Toy {
    fn capacity(&self) -> u64 {
        self.capacity
    }

    fn size_bits(&self) -> u64 {
        8 * self.geometry.slots
    }

    fn hashes(&self) -> u32 {
        self.geometry.hashes
    }

    fn fill_ratio(&self) -> f64 {
        self.counts().filter(|&count| count > 0).count() as f64 / self.geometry.slots as f64
    }

    fn memory_bytes(&self) -> usize {
        match self.fault {
            Fault::ForgetsMemory => size_of::<Self>(),
            _ => size_of::<Self>() + self.counters.len(),
        }
    }

    fn expected_fpr(&self, keys: u64) -> f64 {
        let (slots, hashes) = (self.geometry.slots, self.geometry.hashes);
        match self.fault {
            Fault::ExpectsTextbook => math::textbook_fpr(slots as f64, hashes, keys as f64),
            _ => math::expected_fpr(slots, hashes, keys),
        }
    }

    fn estimated_fpr(&self) -> f64 {
        let forgotten = u32::from(self.has(Fault::EstimatesOneProbeLess));
        match self.geometry.hashes - forgotten {
            0 => self.fill_ratio(),
            probes => math::fpr_given_fill(self.fill_ratio(), probes),
        }
    }

    fn estimated_keys(&self) -> f64 {
        let (slots, hashes) = (self.geometry.slots, self.geometry.hashes);
        match self.fault {
            Fault::EstimatesWithoutCollisions => {
                self.fill_ratio() * slots as f64 / f64::from(hashes)
            }
            _ => math::estimated_keys(slots, hashes, self.fill_ratio()),
        }
    }
}
