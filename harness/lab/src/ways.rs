//! The ways into a filter and out of it: by single calls and in batches. The one
//! place that knows them, so that whoever fills a filter or asks it does it by each.
//!
//! A way more is a variant of [`In`] or [`Out`] with its arm here, and a method of
//! [`Subject`] that a filter may lack.

mod batches;
mod trial;

#[cfg(test)]
pub use trial::Differences;
pub use trial::{Trial, transcript};

use self::batches::in_batches;
use crate::registry::{BatchInserted, Subject};

bouquet_ground::named! {
    /// A way into a filter.
    #[derive(PartialOrd, Ord)]
    pub enum In {
        Singly = "singly",
        Batches = "in batches",
        /// By the trait `Extend`, which has a quicker way where no count is asked for.
        Extend = "by extend",
    }
}

impl In {
    /// The first is what the others are held against.
    pub const ALL: [Self; 3] = [Self::Singly, Self::Batches, Self::Extend];
}

bouquet_ground::named! {
    /// A way to ask a filter.
    #[derive(PartialOrd, Ord)]
    pub enum Out {
        Singly = "singly",
        Batches = "in batches",
    }
}

impl Out {
    /// The first is what the others are held against.
    pub const ALL: [Self; 2] = [Self::Singly, Self::Batches];

    /// Answers for these keys. `false`: the filter has no such way.
    fn answer(self, filter: &dyn Subject, keys: &[&[u8]], found: &mut [bool]) -> bool {
        match self {
            Self::Singly => {
                for (key, found) in keys.iter().zip(found) {
                    *found = filter.contains(key);
                }
                true
            }
            Self::Batches => filter.contains_batch(keys, found),
        }
    }

    /// Whether the filter can be asked this way.
    fn is_had(self, filter: &dyn Subject) -> bool {
        self.answer(filter, &[], &mut [])
    }
}

/// What came of filling a filter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Filled {
    /// Which keys it took, in their order.
    pub accepted: Vec<bool>,
    /// How many were certainly new, where the way says so.
    pub new: Option<u64>,
}

impl Filled {
    pub fn refused(&self) -> u64 {
        self.accepted.len() as u64 - count(&self.accepted)
    }
}

/// Who is given keys, one after the other.
pub type Give<'a> = dyn FnMut(&[u8]) + 'a;

impl In {
    /// Gives the filter the keys that `feed` gives. `None`: it has no such way, and
    /// has taken none.
    pub fn fill(
        self,
        filter: &mut dyn Subject,
        feed: impl FnOnce(&mut Give<'_>),
    ) -> Option<Filled> {
        let mut accepted = Vec::new();
        let mut new = Some(0);
        match self {
            Self::Singly => {
                let mut count = 0;
                feed(&mut |key| {
                    // What a filter holds already is not new to it.
                    let unknown = !filter.contains(key);
                    let taken = filter.insert(key);
                    count += u64::from(taken && unknown);
                    accepted.push(taken);
                });
                new = Some(count);
            }
            Self::Batches => {
                filter.insert_batch(&[])?;
                in_batches(feed, |keys| {
                    let own = insert_all(filter, keys, &mut accepted);
                    new = new.zip(own).map(|(so_far, own)| so_far + own);
                });
            }
            Self::Extend => {
                if !filter.extend(&[]) {
                    return None;
                }
                new = None;
                in_batches(feed, |keys| {
                    filter.extend(keys);
                    accepted.extend(keys.iter().map(|_| true));
                });
            }
        }
        Some(Filled { accepted, new })
    }
}

/// Inserts a batch, and after a key that was refused the rest of it as another.
/// Gives how many keys were new; after a refusal nothing says so.
fn insert_all(
    filter: &mut dyn Subject,
    mut keys: &[&[u8]],
    accepted: &mut Vec<bool>,
) -> Option<u64> {
    let mut was_refused = false;
    loop {
        match filter.insert_batch(keys) {
            Some(BatchInserted::All { new }) => {
                accepted.extend(keys.iter().map(|_| true));
                return (!was_refused).then_some(new);
            }
            Some(BatchInserted::RefusedAt(index)) if index < keys.len() => {
                accepted.extend(keys[..index].iter().map(|_| true));
                accepted.push(false);
                keys = &keys[index + 1..];
                was_refused = true;
            }
            // An index that is none, or no batches at last: nothing was taken.
            _ => {
                accepted.extend(keys.iter().map(|_| false));
                return None;
            }
        }
    }
}

/// The answers for the same keys by each way that a filter has.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answers(Vec<(Out, Vec<bool>)>);

impl Answers {
    /// For all the keys that `feed` gives.
    pub fn to(filter: &dyn Subject, feed: impl FnOnce(&mut Give<'_>)) -> Self {
        let mut all = Self::default();
        ask(filter, feed, |answers| all.append(answers));
        all
    }

    /// `None`: it has no such way.
    pub fn of(&self, way: Out) -> Option<&[bool]> {
        self.each().find(|(own, _)| *own == way).map(|(_, own)| own)
    }

    /// Those to single calls, which every filter has.
    pub fn singly(&self) -> &[bool] {
        self.of(Out::Singly).unwrap_or_default()
    }

    pub fn each(&self) -> impl Iterator<Item = (Out, &[bool])> {
        self.0.iter().map(|(way, own)| (*way, &own[..]))
    }

    /// Takes in the answers for more keys.
    fn append(&mut self, more: &Self) {
        for (way, more) in &more.0 {
            match self.0.iter_mut().find(|(own, _)| own == way) {
                Some((_, own)) => own.extend(more),
                None => self.0.push((*way, more.clone())),
            }
        }
    }
}

/// Asks the filter by every way that it has for the keys that `feed` gives, batch by
/// batch; `take` gets the answers for each batch.
fn ask(filter: &dyn Subject, feed: impl FnOnce(&mut Give<'_>), mut take: impl FnMut(&Answers)) {
    let ways = Out::ALL.into_iter().filter(|way| way.is_had(filter));
    let mut answers = Answers(ways.map(|way| (way, Vec::new())).collect());
    in_batches(feed, |keys| {
        let mut otherwise = vec![false; keys.len()];
        for (way, found) in &mut answers.0 {
            found.clone_from(&otherwise);
            way.answer(filter, keys, found);
            // An answer that is not written is none: the next way finds the wrong
            // ones there.
            if *way == Out::Singly {
                otherwise = found.iter().map(|answer| !answer).collect();
            }
        }
        take(&answers);
    });
}

/// Answers to single calls and to batches, counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Count {
    pub asked: u64,
    /// Answered with "may contain".
    pub singly: u64,
    /// `None` where the filter has no batches.
    pub batches: Option<InBatches>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct InBatches {
    /// Answered with "may contain".
    pub present: u64,
    /// Answered otherwise than by single calls.
    pub otherwise: u64,
}

impl Count {
    /// Takes in the answers that [`ask`] gives.
    fn add(&mut self, answers: &Answers) {
        let singly = answers.singly();
        self.asked += singly.len() as u64;
        self.singly += count(singly);
        if let Some(own) = answers.of(Out::Batches) {
            let batches = self.batches.get_or_insert_default();
            batches.present += count(own);
            batches.otherwise += differing(own, singly);
        }
    }

    /// Of the keys that `feed` gives.
    pub fn of(filter: &dyn Subject, feed: impl FnOnce(&mut Give<'_>)) -> Self {
        let mut count = Self::default();
        ask(filter, feed, |answers| count.add(answers));
        count
    }
}

/// How many are true.
pub fn count(answers: &[bool]) -> u64 {
    answers.iter().map(|answer| u64::from(*answer)).sum()
}

/// How many of one are not as those of the other; what only one has is not.
fn differing(some: &[bool], others: &[bool]) -> u64 {
    let common = some.iter().zip(others).filter(|(a, b)| a != b).count();
    (common + some.len().abs_diff(others.len())) as u64
}

#[cfg(test)]
mod tests;
