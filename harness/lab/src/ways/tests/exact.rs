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
    DeniesOneIn512,
    LeavesTheLastAnswer,
    LosesTheLastOfABatch,
    MiscountsNew,
    ExtendsNothing,
    LosesOneIn512ByHash,
    LosesTheLastOfABatchByHash,
    DeniesOneIn512ByHash,
    AcceptsOneInEightByHashInBatches,
    DeniesOneIn512InParts,
    LosesTheLastOfItsKeys,
    KeepsItsOwnInAUnion,
    LosesAKeyReadBack,
    CannotBeReadBack,
    DeniesOneIn512InAView,
    AcceptsOneInEightByHashInAView,
    LeavesTheLastAnswerInAView,
    CannotBeViewed,
}

/// As many keys as it has room for.
pub struct Exact {
    held: HashSet<Vec<u8>>,
    room: usize,
    fault: Fault,
}

impl Exact {
    pub fn new(fault: Fault) -> Self {
        Self {
            held: HashSet::new(),
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
    fn insert_but(&mut self, lost: usize, keys: &[&[u8]]) -> BatchInserted {
        let mut new = 0;
        for (index, key) in keys[..keys.len() - lost].iter().enumerate() {
            new += u64::from(!self.contains(key));
            if !self.insert(key) {
                return BatchInserted::RefusedAt(index);
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
        let fits = self.held.len() < self.room;
        if fits {
            self.held.insert(key.to_vec());
        }
        fits
    }

    fn contains(&self, key: &[u8]) -> bool {
        self.held.contains(key)
    }

    fn state(&self, _: u64) -> State {
        unreachable!("nobody asks")
    }

    fn encoded(&self) -> Option<Vec<u8>> {
        let mut keys: Vec<_> = self.held.iter().cloned().collect();
        keys.sort();
        Some(keys.concat())
    }

    fn insert_batch(&mut self, keys: &[&[u8]]) -> Option<BatchInserted> {
        let lost = usize::from(self.is(Fault::LosesTheLastOfABatch) && keys.len() == 33);
        let more = u64::from(self.is(Fault::MiscountsNew) && keys.len() == 65);
        let inserted = match self.insert_but(lost, keys) {
            BatchInserted::All { new } => BatchInserted::All { new: new + more },
            refused => refused,
        };
        self.has_all_ways().then_some(inserted)
    }

    fn contains_batch(&self, keys: &[&[u8]], found: &mut [bool]) -> bool {
        let left = usize::from(self.is(Fault::LeavesTheLastAnswer) && keys.len() > 256);
        self.answer(left, keys, found, |number| match self.fault {
            Fault::AcceptsOneInEight => one_in(8, number, true),
            Fault::DeniesOneIn512 => one_in(512, number, false),
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
            let is_lost = self.is(Fault::LosesOneIn512ByHash) && number(key).is_multiple_of(512);
            (is_lost || self.insert(key)).then_some(is_new)
        };
        let new = keys.iter().map(insert).collect();
        self.has_all_ways().then_some(new)
    }

    fn insert_hash_batch(&mut self, keys: &[&[u8]]) -> Option<BatchInserted> {
        let lost = usize::from(self.is(Fault::LosesTheLastOfABatchByHash) && keys.len() == 33);
        let inserted = self.insert_but(lost, keys);
        self.has_all_ways().then_some(inserted)
    }

    fn contains_hashes(&self, keys: &[&[u8]], found: &mut [bool]) -> bool {
        let denies = self.is(Fault::DeniesOneIn512ByHash);
        self.answer(0, keys, found, |number| {
            one_in(512, number, false).filter(|_| denies)
        })
    }

    fn contains_hash_batch(&self, keys: &[&[u8]], found: &mut [bool]) -> bool {
        let accepts = self.is(Fault::AcceptsOneInEightByHashInBatches);
        self.answer(0, keys, found, |number| {
            one_in(8, number, true).filter(|_| accepts)
        })
    }

    fn contains_parts(&self, keys: &[&[u8]], found: &mut [bool]) -> bool {
        let denies = self.is(Fault::DeniesOneIn512InParts);
        self.answer(0, keys, found, |number| {
            one_in(512, number, false).filter(|_| denies)
        })
    }

    fn of_keys(&self, keys: &[&[u8]], _: f64) -> Option<Result<OfKeys>> {
        let mut filter = Self::new(self.fault);
        let lost = usize::from(self.is(Fault::LosesTheLastOfItsKeys));
        filter.insert_but(lost, keys);
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
            self.held.extend(other.held.iter().cloned());
        }
        self.has_all_ways().then_some(Ok(()))
    }

    fn reload(&mut self) -> Option<Result<()>> {
        let first = self.held.iter().min().cloned();
        match (self.fault, first) {
            (Fault::LosesAKeyReadBack, Some(first)) => _ = self.held.remove(&first),
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
                held: self.held.iter().map(|key| number(key)).collect(),
                fault: self.fault,
            });
            Ok(view)
        };
        self.has_all_ways().then(view)
    }
}

/// By the numbers of its keys, which are their hashes.
struct ExactView {
    held: HashSet<u64>,
    fault: Fault,
}

impl Filter for ExactView {
    fn contains(&self, key: &[u8]) -> bool {
        let is_denied = self.fault == Fault::DeniesOneIn512InAView;
        self.held.contains(&number(key)) && !(is_denied && number(key).is_multiple_of(512))
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
        self.held.contains(&hash.place) || accepts && hash.place.is_multiple_of(8)
    }
}
