//! Filling a filter by each way.

use anyhow::Result;

use super::{
    In,
    answers::count,
    batches::{Give, KeyBuffer, in_batches},
};
use crate::registry::{BatchInserted, Entry, OfKeys, Request, Size, Subject};

/// Filters of one make.
pub struct Kind<'a> {
    pub entry: &'a Entry,
    pub request: Request,
}

impl Kind<'_> {
    /// An empty one.
    fn make(&self) -> Result<Box<dyn Subject>> {
        (self.entry.build)(&self.request)
    }
}

/// What came of filling a filter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Filled {
    /// Which keys it took, in their order.
    pub accepted: Vec<bool>,
    /// How many were definitely not present before, where the way says so.
    pub new: Option<u64>,
}

impl Filled {
    fn none() -> Self {
        Self {
            accepted: Vec::new(),
            new: Some(0),
        }
    }

    pub fn rejected(&self) -> u64 {
        self.accepted.len() as u64 - count(&self.accepted)
    }

    /// A key more, or one that was rejected.
    fn note(&mut self, taken: bool, is_new: bool) {
        self.accepted.push(taken);
        self.new = self.new.map(|new| new + u64::from(taken && is_new));
    }

    /// By a single call.
    fn insert(&mut self, filter: &mut dyn Subject, key: &[u8]) {
        // What a filter holds already is not new to it.
        let is_new = !filter.contains(key);
        self.note(filter.insert(key), is_new);
    }

    /// Inserts a batch, and after a key that was rejected the rest of it as another.
    /// How many keys were new nothing says after a rejection.
    fn insert_all(
        &mut self,
        mut keys: &[&[u8]],
        mut insert: impl FnMut(&[&[u8]]) -> Option<BatchInserted>,
    ) {
        let mut of_this = self.new;
        self.new = None;
        loop {
            match insert(keys) {
                Some(BatchInserted::All { new }) => {
                    self.accepted.extend(keys.iter().map(|_| true));
                    self.new = of_this.map(|so_far| so_far + new);
                    return;
                }
                Some(BatchInserted::RejectedAt(index)) if index < keys.len() => {
                    self.accepted.extend(keys[..index].iter().map(|_| true));
                    self.accepted.push(false);
                    keys = &keys[index + 1..];
                    of_this = None;
                }
                // An index that is none, or no batches at last: nothing was taken.
                _ => {
                    self.accepted.extend(keys.iter().map(|_| false));
                    return;
                }
            }
        }
    }
}

/// A filter that was filled.
pub struct Full {
    pub filter: Box<dyn Subject>,
    pub filled: Filled,
    /// An empty one that it is to be compared with, filled by single calls, where that
    /// is not the first.
    pub beside: Option<Box<dyn Subject>>,
}

/// Gives a filter keys by single calls.
pub fn singly(filter: &mut dyn Subject, feed: impl FnOnce(&mut Give<'_>)) -> Filled {
    let mut filled = Filled::none();
    feed(&mut |key| filled.insert(filter, key));
    filled
}

/// Keys after which a filter is written out and read back.
const RELOADED_AT: usize = 1_000;

impl In {
    /// A filter with the keys that `feed` gives. `None`: it has no such way.
    ///
    /// # Errors
    ///
    /// It cannot be made, united with another or read back.
    pub fn fill(self, kind: &Kind<'_>, feed: impl FnOnce(&mut Give<'_>)) -> Result<Option<Full>> {
        let mut filter = kind.make()?;
        let mut filled = Filled::none();
        let mut beside = None;
        let is_had = match self {
            Self::Singly => {
                filled = singly(&mut *filter, feed);
                true
            }
            Self::Batches if filter.insert_batch(&[]).is_some() => {
                in_batches(feed, |keys| {
                    filled.insert_all(keys, |keys| filter.insert_batch(keys));
                });
                true
            }
            Self::HashBatches if filter.insert_hash_batch(&[]).is_some() => {
                in_batches(feed, |keys| {
                    filled.insert_all(keys, |keys| filter.insert_hash_batch(keys));
                });
                true
            }
            Self::Hashes if filter.insert_hashes(&[]).is_some() => {
                in_batches(feed, |keys| {
                    for new in filter.insert_hashes(keys).unwrap_or_default() {
                        filled.note(new.is_some(), new == Some(true));
                    }
                });
                true
            }
            Self::Extend if filter.extend(&[]) => {
                filled.new = None;
                in_batches(feed, |keys| {
                    filter.extend(keys);
                    filled.accepted.extend(keys.iter().map(|_| true));
                });
                true
            }
            Self::Batches | Self::HashBatches | Self::Hashes | Self::Extend => false,
            Self::FromKeys => {
                let made = of_keys(&*filter, kind.request.size, feed, &mut filled)?;
                let is_had = made.is_some();
                if let Some(made) = made {
                    (filter, beside) = (made.filter, Some(made.empty));
                }
                is_had
            }
            Self::Union => halves(&mut *filter, &mut *kind.make()?, feed, &mut filled)?,
            Self::Reload => reloaded(&mut *filter, feed, &mut filled)?,
        };
        Ok(is_had.then_some(Full {
            filter,
            filled,
            beside,
        }))
    }
}

fn of_keys(
    kin: &dyn Subject,
    size: Size,
    feed: impl FnOnce(&mut Give<'_>),
    filled: &mut Filled,
) -> Result<Option<OfKeys>> {
    let Size::TargetFpr(target_fpr) = size else {
        return Ok(None);
    };
    let mut keys = KeyBuffer::default();
    feed(&mut |key| keys.push(key));
    let keys = keys.all();
    *filled = Filled {
        accepted: vec![true; keys.len()],
        new: None,
    };
    kin.of_keys(&keys, target_fpr).transpose()
}

fn halves(
    filter: &mut dyn Subject,
    other: &mut dyn Subject,
    feed: impl FnOnce(&mut Give<'_>),
    filled: &mut Filled,
) -> Result<bool> {
    filled.new = None;
    feed(&mut |key| {
        let is_odd = filled.accepted.len() % 2 == 1;
        let half = if is_odd { &mut *other } else { &mut *filter };
        filled.accepted.push(half.insert(key));
    });
    let united = filter.unite(other).transpose()?;
    Ok(united.is_some())
}

fn reloaded(
    filter: &mut dyn Subject,
    feed: impl FnOnce(&mut Give<'_>),
    filled: &mut Filled,
) -> Result<bool> {
    let Some(mut read) = filter.reload() else {
        return Ok(false);
    };
    feed(&mut |key| {
        filled.insert(filter, key);
        if filled.accepted.len() == RELOADED_AT && read.is_ok() {
            read = filter.reload().unwrap_or(Ok(()));
        }
    });
    read?;
    filter.reload().transpose()?;
    Ok(true)
}
