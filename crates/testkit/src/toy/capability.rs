use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use bouquet_core::{
    ConcurrentInsert, Fold, FoldError, Incompatible, Inspect, Intersect, Key, KeyHash, KeyHasher,
    Parameter, Prehashed, Remove, Union, math,
};

use super::{Fault, Toy};

impl Remove for Toy {
    fn remove_hash(&mut self, hash: KeyHash) -> bool {
        match self.fault {
            Fault::RemoveHashDiffers => self.take_back(KeyHash::new(hash.probe, hash.place)),
            _ => self.take_back(hash),
        }
    }

    fn remove<K: Key + ?Sized>(&mut self, key: &K) -> bool {
        self.take_back(key.with_bytes(|key| self.hash_key(key)))
    }
}

impl Toy {
    fn take_back(&mut self, hash: KeyHash) -> bool {
        let present = self.holds(hash);
        if self.has(Fault::RemoveDoesNothing) || !(present || self.has(Fault::RemovesAbsent)) {
            return present;
        }
        let once = 1 + u8::from(self.has(Fault::RemovesTwice));
        for slot in self.geometry.slots_of(hash) {
            let counter = &self.counters[slot];
            let count = counter.load(Relaxed);
            // A counter at its maximum no longer has the exact count, so it is never decremented.
            if count < self.max || self.has(Fault::CountersUnstick) {
                counter.store(count.saturating_sub(once), Relaxed);
            }
        }
        present
    }

    fn check_same(&self, other: &Self) -> Result<(), Incompatible> {
        let seed = match self.fault {
            Fault::NamesWrongParameter => Parameter::Hashes,
            _ => Parameter::Seed,
        };
        let same_hasher = match self.fault {
            Fault::CombinesOtherSeeds => true,
            Fault::CombinesBySeed => self.hasher.seed() == other.hasher.seed(),
            _ => self.hasher == other.hasher,
        };
        let (ours, theirs) = (self.geometry, other.geometry);
        let any_size = self.has(Fault::CombinesOtherSizes);
        for (same, parameter, left, right) in [
            (
                ours.slots == theirs.slots || any_size,
                Parameter::SizeBits,
                self.size_bits(),
                other.size_bits(),
            ),
            (
                ours.hashes == theirs.hashes || any_size,
                Parameter::Hashes,
                ours.hashes.into(),
                theirs.hashes.into(),
            ),
            (same_hasher, seed, self.hasher.seed(), other.hasher.seed()),
        ] {
            if same {
                continue;
            }
            if self.has(Fault::ChangesOnError) {
                self.counters[0].store(self.max, Relaxed);
            }
            return Err(Incompatible::new(parameter, left, right));
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
            Fault::UnionTakesMax => self.combine(other, u8::max),
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

impl Fold for Toy {
    fn halved(&self) -> Result<Self, FoldError> {
        let slots = FoldError::half_of("slots", self.geometry.slots)?;
        let counts: Vec<u8> = self.counts().collect();
        let half = |i: usize| match self.fault {
            Fault::FoldsHalves => counts[i] + counts[i + slots as usize],
            Fault::FoldDropsSlots => counts[2 * i],
            _ => counts[2 * i] + counts[2 * i + 1],
        };
        let counters = (0..slots as usize).map(|i| AtomicU8::new(half(i).min(self.max)));
        let mut halved = self.clone();
        halved.geometry.slots = slots;
        halved.counters = counters.collect();
        Ok(halved)
    }

    fn fold_to(self, target_fpr: f64) -> Result<Self, FoldError> {
        let mut filter = self;
        let once = filter.has(Fault::FoldsOnce);
        while let Ok(half) = filter.halved() {
            let fits = half.estimated_fpr() <= target_fpr;
            if fits || filter.has(Fault::FoldsTooFar) {
                filter = half;
            }
            if once || !fits {
                break;
            }
        }
        Ok(filter)
    }
}

impl ConcurrentInsert for Toy {
    fn insert_hash_shared(&self, hash: KeyHash) -> bool {
        let takes_turns = !matches!(
            self.fault,
            Fault::TearsWords | Fault::TearsCounters | Fault::NewToMany | Fault::NewOnlyIfAlone
        );
        let _turn = takes_turns.then(|| self.turn.lock());
        self.insert_hash(hash) || self.has(Fault::SharedAlwaysNew)
    }
}

impl Inspect for Toy {
    fn capacity(&self) -> u64 {
        self.spec.capacity()
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
            Fault::ExpectsHigh => 1.04 * math::expected_fpr(slots, hashes, keys),
            _ => math::expected_fpr(slots, hashes, keys),
        }
    }

    fn estimated_fpr(&self) -> f64 {
        let (fill, probes) = (self.fill_ratio(), self.geometry.hashes);
        match self.fault {
            Fault::EstimatesOneProbeLess => math::fpr_given_fill(fill, (probes - 1).max(1)),
            Fault::EstimatesFprHigh => 1.037 * math::fpr_given_fill(fill, probes),
            _ => math::fpr_given_fill(fill, probes),
        }
    }

    fn estimated_keys(&self) -> f64 {
        let (slots, hashes) = (self.geometry.slots, self.geometry.hashes);
        match self.fault {
            Fault::EstimatesWithoutCollisions => {
                self.fill_ratio() * slots as f64 / f64::from(hashes)
            }
            Fault::EstimatesKeysHigh => {
                1.01 * math::estimated_keys(slots, hashes, self.fill_ratio())
            }
            Fault::EstimatesKeysFromHalf => {
                let half = slots as usize / 2;
                let filled = self.counts().take(half).filter(|&count| count > 0).count();
                math::estimated_keys(slots, hashes, filled as f64 / half as f64)
            }
            _ => math::estimated_keys(slots, hashes, self.fill_ratio()),
        }
    }
}
