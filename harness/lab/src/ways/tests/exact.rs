//! A filter that holds exactly what it takes, with a fault in one way.

use std::collections::HashSet;

use anyhow::{Result, bail};
use bouquet_core::{Filter, KeyHash, Prehashed};

use crate::registry::{BatchInserted, OfKeys, State, Subject, Viewed};

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Fault {
    None,
    SingleCallsAlone,
    AcceptsOneInEight,
    MissesOneIn512,
    LeavesTheLastAnswer,
    DropsTheLastOfABatch,
    MiscountsNew,
    ExtendsNothing,
    DropsOneIn512ByHash,
    DropsTheLastOfABatchByHash,
    MissesOneIn512ByHash,
    AcceptsOneInEightByHashInBatches,
    MissesOneIn512InParts,
    DropsTheLastOfItsKeys,
    KeepsItsOwnInAUnion,
    DropsAKeyReadBack,
    CannotBeReadBack,
    MissesOneIn512InAView,
    AcceptsOneInEightByHashInAView,
    LeavesTheLastAnswerInAView,
    CannotBeViewed,
}

/// As many keys as it has room for.
pub struct Exact {
    keys: HashSet<Vec<u8>>,
    room: usize,
    fault: Fault,
}

impl Exact {
    pub fn new(fault: Fault) -> Self {
        Self {
            keys: HashSet::new(),
            room: usize::MAX,
            fault,
        }
    }

    pub fn with_room(room: usize) -> Self {
        Self {
            room,
            ..Self::new(Fault::None)
        }
    }

    fn is(&self, fault: Fault) -> bool {
        self.fault == fault
    }

    fn has_all_ways(&self) -> bool {
        !self.is(Fault::SingleCallsAlone)
    }

    /// All but so many of the last.
    fn insert_but(&mut self, dropped: usize, keys: &[&[u8]]) -> BatchInserted {
        let mut new = 0;
        for (index, key) in keys[..keys.len() - dropped].iter().enumerate() {
            new += u64::from(!self.contains(key));
            if !self.insert(key) {
                return BatchInserted::RejectedAt(index);
            }
        }
        BatchInserted::All { new }
    }

    /// All but so many of the last, where `lie` does not say it.
    fn answer(
        &self,
        left: usize,
        keys: &[&[u8]],
        found: &mut [bool],
        lie: impl Fn(u64) -> Option<bool>,
    ) -> bool {
        let answered = keys.len() - left;
        for (key, found) in keys.iter().zip(found).take(answered) {
            *found = lie(number(key)).unwrap_or_else(|| self.contains(key));
        }
        self.has_all_ways()
    }
}

/// Of the bytes of a key, whatever its place in a batch.
fn number(key: &[u8]) -> u64 {
    key.iter().fold(7, |number, byte| {
        crate::workload::mix(number ^ u64::from(*byte))
    })
}

fn one_in(keys: u64, number: u64, answer: bool) -> Option<bool> {
    number.is_multiple_of(keys).then_some(answer)
}

impl Subject for Exact {
    fn insert(&mut self, key: &[u8]) -> bool {
        let fits = self.keys.len() < self.room;
        if fits {
            self.keys.insert(key.to_vec());
        }
        fits
    }

    fn contains(&self, key: &[u8]) -> bool {
        self.keys.contains(key)
    }

    fn state(&self, _: u64) -> State {
        unreachable!("nobody asks")
    }

    fn encoded(&self) -> Option<Vec<u8>> {
        let mut keys: Vec<_> = self.keys.iter().cloned().collect();
        keys.sort();
        Some(keys.concat())
    }

    fn insert_batch(&mut self, keys: &[&[u8]]) -> Option<BatchInserted> {
        let dropped = usize::from(self.is(Fault::DropsTheLastOfABatch) && keys.len() == 33);
        let more = u64::from(self.is(Fault::MiscountsNew) && keys.len() == 65);
        let inserted = match self.insert_but(dropped, keys) {
            BatchInserted::All { new } => BatchInserted::All { new: new + more },
            rejected => rejected,
        };
        self.has_all_ways().then_some(inserted)
    }

    fn contains_batch(&self, keys: &[&[u8]], found: &mut [bool]) -> bool {
        let left = usize::from(self.is(Fault::LeavesTheLastAnswer) && keys.len() > 256);
        self.answer(left, keys, found, |number| match self.fault {
            Fault::AcceptsOneInEight => one_in(8, number, true),
            Fault::MissesOneIn512 => one_in(512, number, false),
            _ => None,
        })
    }

    fn extend(&mut self, keys: &[&[u8]]) -> bool {
        if !self.is(Fault::ExtendsNothing) {
            keys.iter().for_each(|key| _ = self.insert(key));
        }
        self.has_all_ways()
    }

    fn insert_hashes(&mut self, keys: &[&[u8]]) -> Option<Vec<Option<bool>>> {
        let insert = |key: &&[u8]| {
            let is_new = !self.contains(key);
            let is_dropped = self.is(Fault::DropsOneIn512ByHash) && number(key).is_multiple_of(512);
            (is_dropped || self.insert(key)).then_some(is_new)
        };
        let new = keys.iter().map(insert).collect();
        self.has_all_ways().then_some(new)
    }

    fn insert_hash_batch(&mut self, keys: &[&[u8]]) -> Option<BatchInserted> {
        let dropped = usize::from(self.is(Fault::DropsTheLastOfABatchByHash) && keys.len() == 33);
        let inserted = self.insert_but(dropped, keys);
        self.has_all_ways().then_some(inserted)
    }

    fn contains_hashes(&self, keys: &[&[u8]], found: &mut [bool]) -> bool {
        let misses = self.is(Fault::MissesOneIn512ByHash);
        self.answer(0, keys, found, |number| {
            one_in(512, number, false).filter(|_| misses)
        })
    }

    fn contains_hash_batch(&self, keys: &[&[u8]], found: &mut [bool]) -> bool {
        let accepts = self.is(Fault::AcceptsOneInEightByHashInBatches);
        self.answer(0, keys, found, |number| {
            one_in(8, number, true).filter(|_| accepts)
        })
    }

    fn contains_parts(&self, keys: &[&[u8]], found: &mut [bool]) -> bool {
        let misses = self.is(Fault::MissesOneIn512InParts);
        self.answer(0, keys, found, |number| {
            one_in(512, number, false).filter(|_| misses)
        })
    }

    fn of_keys(&self, keys: &[&[u8]], _: f64) -> Option<Result<OfKeys>> {
        let mut filter = Self::new(self.fault);
        let dropped = usize::from(self.is(Fault::DropsTheLastOfItsKeys));
        filter.insert_but(dropped, keys);
        let both = OfKeys {
            filter: Box::new(filter),
            empty: Box::new(Self::new(self.fault)),
        };
        self.has_all_ways().then_some(Ok(both))
    }

    fn unite(&mut self, other: &dyn Subject) -> Option<Result<()>> {
        let other: &dyn std::any::Any = other;
        let other: &Self = other.downcast_ref()?;
        if !self.is(Fault::KeepsItsOwnInAUnion) {
            self.keys.extend(other.keys.iter().cloned());
        }
        self.has_all_ways().then_some(Ok(()))
    }

    fn reload(&mut self) -> Option<Result<()>> {
        let first = self.keys.iter().min().cloned();
        match (self.fault, first) {
            (Fault::DropsAKeyReadBack, Some(first)) => _ = self.keys.remove(&first),
            (Fault::CannotBeReadBack, Some(_)) => return Some(Err(anyhow::anyhow!("damaged"))),
            _ => {}
        }
        self.has_all_ways().then_some(Ok(()))
    }

    fn view<'a>(&self, bytes: &'a [u8]) -> Option<Result<Viewed<'a>>> {
        assert_eq!(Some(bytes), self.encoded().as_deref());
        let view = || {
            if self.is(Fault::CannotBeViewed) {
                bail!("cut off");
            }
            let view: Viewed<'a> = Box::new(ExactView {
                keys: self.keys.iter().map(|key| number(key)).collect(),
                fault: self.fault,
            });
            Ok(view)
        };
        self.has_all_ways().then(view)
    }
}

/// By the numbers of its keys, which are their hashes.
struct ExactView {
    keys: HashSet<u64>,
    fault: Fault,
}

impl Filter for ExactView {
    fn contains(&self, key: &[u8]) -> bool {
        let is_missed = self.fault == Fault::MissesOneIn512InAView;
        self.keys.contains(&number(key)) && !(is_missed && number(key).is_multiple_of(512))
    }

    fn contains_batch(&self, keys: &[&[u8]], found: &mut [bool]) {
        let leaves = self.fault == Fault::LeavesTheLastAnswerInAView && keys.len() > 256;
        let answered = keys.len() - usize::from(leaves);
        for (key, found) in keys.iter().zip(found).take(answered) {
            *found = self.contains(key);
        }
    }
}

impl Prehashed for ExactView {
    type Hash = KeyHash;

    fn hash_key(&self, key: &[u8]) -> KeyHash {
        KeyHash::new(number(key), 0)
    }

    fn contains_hash(&self, hash: KeyHash) -> bool {
        let accepts = self.fault == Fault::AcceptsOneInEightByHashInAView;
        self.keys.contains(&hash.place) || accepts && hash.place.is_multiple_of(8)
    }
}
