//! Filters between iterators: many keys at once, for callers that get them one by one.

use alloc::{collections::VecDeque, vec::Vec};
use core::{
    fmt,
    iter::{Fuse, FusedIterator},
    mem,
};

use crate::{Insert, Key, KeyHash, Prehashed, filter::hash_of};

/// Keys that are taken at a time: some chunks of a batch.
const TAKEN: usize = 128;

/// The answers for the keys of an iterator, in order; made by
/// [`FilterExt::contains_iter`](crate::FilterExt::contains_iter).
pub struct ContainsIter<'a, F, I: Iterator> {
    filter: &'a F,
    keys: Fuse<I>,
    taken: Vec<I::Item>,
    found: Vec<bool>,
    /// Answers that were given of `found`.
    given: usize,
}

impl<'a, F: Prehashed<Hash = KeyHash>, I: Iterator<Item: Key>> ContainsIter<'a, F, I> {
    pub(crate) fn new(filter: &'a F, keys: I) -> Self {
        Self {
            filter,
            keys: keys.fuse(),
            taken: Vec::new(),
            found: Vec::new(),
            given: 0,
        }
    }

    /// Takes the next keys, once all answers were given. Not inlined: once in 128 calls it would
    /// be in the way of the others.
    #[inline(never)]
    fn ask(&mut self) {
        // Keys that were taken before the iterator panicked still get their answers.
        if self.given > 0 {
            self.given = 0;
            self.found.clear();
            self.taken.clear();
        }
        let room = TAKEN - self.taken.len();
        self.taken.extend(self.keys.by_ref().take(room));
        // Moved out: where a key panics there are no answers, and its batch is asked for again.
        let mut found = mem::take(&mut self.found);
        found.resize(self.taken.len(), false);
        self.filter.contains_keys(&self.taken, &mut found);
        self.found = found;
    }
}

impl<F: Prehashed<Hash = KeyHash>, I: Iterator<Item: Key>> Iterator for ContainsIter<'_, F, I> {
    type Item = bool;

    #[inline]
    fn next(&mut self) -> Option<bool> {
        if self.given == self.found.len() {
            self.ask();
        }
        let found = self.found.get(self.given).copied()?;
        self.given += 1;
        Some(found)
    }

    /// What counts or collects takes all answers of a batch at once.
    #[inline]
    fn fold<B, G: FnMut(B, bool) -> B>(mut self, start: B, mut with: G) -> B {
        let mut all = start;
        loop {
            let found = self.found.iter().skip(self.given);
            all = found.fold(all, |all, found| with(all, *found));
            self.given = self.found.len();
            self.ask();
            if self.found.is_empty() {
                return all;
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let (low, high) = self.keys.size_hint();
        let left = self.taken.len() - self.given;
        (
            low.saturating_add(left),
            high.and_then(|high| high.checked_add(left)),
        )
    }
}

impl<F: Prehashed<Hash = KeyHash>, I: Iterator<Item: Key>> FusedIterator
    for ContainsIter<'_, F, I>
{
}

impl<F, I: Iterator> fmt::Debug for ContainsIter<'_, F, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ContainsIter").finish_non_exhaustive()
    }
}

/// Whether the keys of an iterator were new, in order, while they are inserted; made by
/// [`FilterExt::insert_iter`](crate::FilterExt::insert_iter).
#[must_use = "keys are inserted as answers are consumed"]
pub struct InsertIter<'a, F: Insert, I: Iterator<Item: Key>> {
    inserting: Inserting<'a, F, I::Item>,
    keys: Fuse<I>,
}

impl<'a, F: Insert, I: Iterator<Item: Key>> InsertIter<'a, F, I> {
    pub(crate) fn new(filter: &'a mut F, keys: I) -> Self {
        Self {
            inserting: Inserting::new(filter),
            keys: keys.fuse(),
        }
    }
}

impl<F: Insert, I: Iterator<Item: Key>> Iterator for InsertIter<'_, F, I> {
    type Item = bool;

    #[inline]
    fn next(&mut self) -> Option<bool> {
        if self.inserting.left() == 0 {
            self.inserting.insert(&mut self.keys);
        }
        self.inserting.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let (low, high) = self.keys.size_hint();
        let left = self.inserting.keys.len() - self.inserting.given;
        (
            low.saturating_add(left),
            high.and_then(|high| high.checked_add(left)),
        )
    }
}

impl<F: Insert, I: Iterator<Item: Key>> FusedIterator for InsertIter<'_, F, I> {}

impl<F: Insert, I: Iterator<Item: Key>> fmt::Debug for InsertIter<'_, F, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InsertIter").finish_non_exhaustive()
    }
}

/// The keys of an iterator that were definitely new, inserted as they pass; made by
/// [`KeyIterator::filter_new`].
#[must_use = "keys are inserted as the new ones are consumed"]
pub struct FilterNew<'a, F: Insert, I: Iterator<Item: Key>> {
    inserting: Inserting<'a, F, I::Item>,
    keys: Fuse<I>,
}

impl<F: Insert, I: Iterator<Item: Key>> Iterator for FilterNew<'_, F, I> {
    type Item = I::Item;

    #[inline]
    fn next(&mut self) -> Option<I::Item> {
        loop {
            while let Some((key, is_new)) = self.inserting.next_key() {
                if is_new {
                    return Some(key);
                }
            }
            self.inserting.insert(&mut self.keys);
            if self.inserting.left() == 0 {
                return None;
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let (_, high) = self.keys.size_hint();
        let left = self.inserting.keys.len();
        (0, high.and_then(|high| high.checked_add(left)))
    }
}

impl<F: Insert, I: Iterator<Item: Key>> FusedIterator for FilterNew<'_, F, I> {}

impl<F: Insert, I: Iterator<Item: Key>> fmt::Debug for FilterNew<'_, F, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FilterNew").finish_non_exhaustive()
    }
}

/// Keys that are being inserted. Those that were taken are inserted, also when the
/// iterator they come from panics.
struct Inserting<'a, F: Insert, K: Key> {
    filter: &'a mut F,
    /// The last of them are those of `new` that were not given, in order; without `new`
    /// they are not inserted yet.
    keys: VecDeque<K>,
    new: Vec<bool>,
    /// Answers that were given of `new`.
    given: usize,
    /// The keys were passed to the filter: without `new`, one of them has panicked.
    passed: bool,
}

impl<'a, F: Insert, K: Key> Inserting<'a, F, K> {
    fn new(filter: &'a mut F) -> Self {
        Self {
            filter,
            keys: VecDeque::new(),
            new: Vec::new(),
            given: 0,
            passed: false,
        }
    }

    /// Takes the next keys and inserts them, once all answers before were given. Not inlined, as
    /// [`ContainsIter::ask`] is not.
    #[inline(never)]
    fn insert(&mut self, keys: &mut impl Iterator<Item = K>) {
        // Keys that were taken before the iterator panicked have no answer yet.
        if self.given > 0 {
            self.given = 0;
            self.new.clear();
            self.keys.clear();
            self.passed = false;
        }
        let room = TAKEN - self.keys.len();
        self.keys.extend(keys.take(room));
        let keys = self.keys.make_contiguous();
        // Moved out: where a key panics there are no answers, and its batch is inserted again;
        // those of it that are in the filter by then count as not new.
        let mut new = mem::take(&mut self.new);
        new.resize(keys.len(), false);
        self.passed = true;
        match self.filter.try_insert_keys_each(keys, &mut new) {
            Ok(()) => self.new = new,
        }
    }

    /// The next answer.
    #[inline]
    fn next(&mut self) -> Option<bool> {
        let is_new = self.new.get(self.given).copied()?;
        self.given += 1;
        Some(is_new)
    }

    /// The next answer, with its key.
    #[inline]
    fn next_key(&mut self) -> Option<(K, bool)> {
        let is_new = self.next()?;
        self.keys.pop_front().map(|key| (key, is_new))
    }

    fn left(&self) -> usize {
        self.new.len() - self.given
    }
}

impl<F: Insert, K: Key> Drop for Inserting<'_, F, K> {
    fn drop(&mut self) {
        // A key that has panicked would do so again, within a panic perhaps.
        if self.new.is_empty() && !self.passed {
            for key in &self.keys {
                let hash = hash_of(&*self.filter, key);
                self.filter.insert_hash(hash);
            }
        }
    }
}

/// Iterators of keys, through a filter.
pub trait KeyIterator: Iterator<Item: Key> + Sized {
    /// The keys that were definitely not present, each inserted as it passes: what
    /// [`Iterator::filter`] with `insert` gives, 128 keys at a time.
    ///
    /// A key that is new is dropped now and then, with the filter's FPR; none passes
    /// twice. Up to 128 keys are taken ahead, and are in the filter though they were not
    /// given if the iterator is dropped before.
    ///
    /// ```
    /// use bouquet_core::KeyIterator;
    /// # use bouquet_core::{Filter, Insert};
    /// # fn distinct(filter: &mut impl Insert) {
    /// let keys = ["rose", "tulip", "rose"];
    /// let new: Vec<_> = keys.into_iter().filter_new(filter).collect();
    /// assert!(new.len() <= 2);
    /// # }
    /// ```
    fn filter_new<F: Insert>(self, filter: &mut F) -> FilterNew<'_, F, Self> {
        FilterNew {
            inserting: Inserting::new(filter),
            keys: self.fuse(),
        }
    }
}

impl<I: Iterator<Item: Key>> KeyIterator for I {}
