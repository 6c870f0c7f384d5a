//! A filter of ours with something wrong, for the tests of what it must do.

use std::{any::Any, cell::RefCell, collections::BTreeMap};

use anyhow::Result;

use super::PhasesCell;
use crate::measure::Fitted;
use crate::registry::{Options, Size, State, Subject, filters};
use crate::workload::KeySet;

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Fault {
    None,
    /// Sized for three quarters of its capacity.
    IsSmall,
    /// Takes in bits of another number of hashes.
    UnitesOtherHashes,
    /// Takes in what has another size.
    UnitesOtherSizes,
    IntersectsByUnion,
    /// A key of a union can be removed fewer times than counters count.
    SumWraps,
    /// Full, it rejects the removal of the key that it took last.
    LastStaysWhenFull,
    /// Full, it removes its first key with any other.
    FirstGoesWhenFull,
    /// A thread that has inserted a key finds it absent.
    MissesInAThread,
    /// Of the keys that threads insert the last is not there.
    LosesOfThreads,
}

/// Removals that a key of a union has.
const REMOVALS: u32 = 14;

struct Wrong {
    inner: Box<dyn Subject>,
    fault: Fault,
    first: Option<Vec<u8>>,
    last: Vec<u8>,
    is_full: bool,
    has_lost: bool,
    removals: Option<BTreeMap<Vec<u8>, u32>>,
    /// Of the keys that threads inserted.
    lost: RefCell<Option<Vec<u8>>>,
}

/// The life of one of ours with this fault.
pub fn life(filter: &'static str, fault: Fault) -> PhasesCell {
    let mut entry = filters()
        .into_iter()
        .find(|one| one.name == filter)
        .unwrap();
    let build = entry.build;
    entry.build = Box::new(move |request| {
        let mut request = *request;
        if fault == Fault::IsSmall {
            request.capacity = request.capacity * 3 / 4;
        }
        Ok(Box::new(Wrong {
            inner: build(&request)?,
            fault,
            first: None,
            last: Vec::new(),
            is_full: false,
            has_lost: false,
            removals: None,
            lost: RefCell::default(),
        }))
    });
    PhasesCell(Fitted {
        experiment: "phases".into(),
        filter: entry.into(),
        keys: KeySet::generated("uuid", "uuid", 1).unwrap().into(),
        capacity: 600,
        size: Size::TargetFpr(0.01),
        replicate: 0,
        seed: 5,
        options: Options::default(),
    })
}

impl Wrong {
    fn is(&self, fault: Fault) -> bool {
        self.fault == fault
    }
}

impl Subject for Wrong {
    fn insert(&mut self, key: &[u8]) -> bool {
        let taken = self.inner.insert(key);
        if taken {
            self.first.get_or_insert_with(|| key.to_vec());
            self.last = key.to_vec();
        } else {
            self.is_full = true;
        }
        taken
    }

    fn contains(&self, key: &[u8]) -> bool {
        let is_first = self.has_lost && self.first.as_deref() == Some(key);
        let is_lost = self.lost.borrow().as_deref() == Some(key);
        self.inner.contains(key) && !is_first && !is_lost
    }

    fn remove(&mut self, key: &[u8]) -> bool {
        if let Some(removals) = &mut self.removals {
            let times = removals.entry(key.to_vec()).or_default();
            *times += 1;
            if self.fault == Fault::SumWraps && *times > REMOVALS {
                return false;
            }
        }
        if self.is(Fault::LastStaysWhenFull) && self.is_full && self.last == key {
            return false;
        }
        let is_first = self.first.as_deref() == Some(key);
        self.has_lost |= self.is(Fault::FirstGoesWhenFull) && self.is_full && !is_first;
        self.inner.remove(key)
    }

    fn state(&self, keys: u64) -> State {
        self.inner.state(keys)
    }

    fn unite(&mut self, other: &dyn Subject) -> Option<Result<()>> {
        let other: &dyn Any = other;
        let other: &Self = other.downcast_ref()?;
        let (own, its) = (self.state(0), other.state(0));
        let is_taken = match self.fault {
            Fault::UnitesOtherHashes => own.size_bits == its.size_bits,
            Fault::UnitesOtherSizes => true,
            _ => false,
        };
        let united = self.inner.unite(&*other.inner)?;
        self.removals = Some(BTreeMap::new());
        Some(united.or_else(|error| if is_taken { Ok(()) } else { Err(error) }))
    }

    fn intersect(&mut self, other: &dyn Subject) -> Option<Result<()>> {
        let other: &dyn Any = other;
        let other: &Self = other.downcast_ref()?;
        match self.fault {
            Fault::IntersectsByUnion => self.inner.unite(&*other.inner),
            _ => self.inner.intersect(&*other.inner),
        }
    }

    fn insert_batches_from_threads(&self, keys: &[Vec<u8>], threads: usize) -> Option<u64> {
        let missing = self.inner.insert_batches_from_threads(keys, threads)?;
        let lost = keys.last().filter(|_| self.is(Fault::LosesOfThreads));
        self.lost.replace(lost.cloned());
        Some(missing + u64::from(self.is(Fault::MissesInAThread)))
    }
}
