//! Iterator adaptors that query or insert many keys at once, for callers whose keys arrive one
//! by one.

use alloc::{collections::VecDeque, vec::Vec};
use core::{
    fmt,
    iter::{Fuse, FusedIterator},
    mem,
};

use crate::{Insert, Key, KeyHash, Prehashed, filter::hash_of};

/// The number of keys taken from the iterator at a time: several chunks of a batch.
const TAKEN: usize = 128;

/// The answers for the keys of an iterator, in order; made by
/// [`FilterExt::contains_iter`](crate::FilterExt::contains_iter).
pub struct ContainsIter<'a, F, I: Iterator> {
    filter: &'a F,
    keys: Fuse<I>,
    taken: Vec<I::Item>,
    found: Vec<bool>,
    /// The number of answers of `found` that were already returned.
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

    /// Takes the next keys and queries them, after all answers were returned. Not inlined: it
    /// runs once in 128 calls, and its code would slow down the other calls.
    #[inline(never)]
    fn ask(&mut self) {
        // Keys that were taken before the iterator panicked have no answers yet and stay in
        // `taken`.
        if self.given > 0 {
            self.given = 0;
            self.found.clear();
            self.taken.clear();
        }
        let room = TAKEN - self.taken.len();
        self.taken.extend(self.keys.by_ref().take(room));
        // `found` is moved out: if hashing a key panics, no answers are stored, and the next
        // call queries the batch again.
        let mut found = mem::take(&mut self.found);
        found.resize(self.taken.len(), false);
        self.filter.contains_batch(&self.taken, &mut found);
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

    /// Consumers such as `count` and `collect` use all answers of a batch in one loop.
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

/// An iterator that inserts keys and returns for each whether it was new, in order; made by
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

/// An iterator that inserts keys and returns those that were definitely new; made by
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

/// The keys that are being inserted. Every key that was taken from the iterator is inserted,
/// even if the iterator panics.
struct Inserting<'a, F: Insert, K: Key> {
    filter: &'a mut F,
    /// If `new` is empty, these keys are not inserted yet. Otherwise the last keys here belong
    /// to the answers in `new` that were not returned yet, in order.
    keys: VecDeque<K>,
    new: Vec<bool>,
    /// The number of answers of `new` that were already returned.
    given: usize,
    /// Whether the keys were passed to the filter. If so and `new` is empty, hashing one of
    /// them panicked.
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

    /// Takes the next keys and inserts them, after all previous answers were returned. Not
    /// inlined, for the same reason as [`ContainsIter::ask`].
    #[inline(never)]
    fn insert(&mut self, keys: &mut impl Iterator<Item = K>) {
        // Keys that were taken before the iterator panicked have no answers yet and stay in
        // `keys`.
        if self.given > 0 {
            self.given = 0;
            self.new.clear();
            self.keys.clear();
            self.passed = false;
        }
        let room = TAKEN - self.keys.len();
        self.keys.extend(keys.take(room));
        let keys = self.keys.make_contiguous();
        // `new` is moved out: if hashing a key panics, no answers are stored, and the next call
        // inserts the batch again. Keys of the batch that were inserted before the panic then
        // count as not new.
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
        // If hashing a key panicked before, it would panic again, perhaps during another panic.
        if self.new.is_empty() && !self.passed {
            for key in &self.keys {
                let hash = hash_of(&*self.filter, key);
                self.filter.insert_hash(hash);
            }
        }
    }
}

/// Adaptors for iterators of keys.
pub trait KeyIterator: Iterator<Item: Key> + Sized {
    /// Inserts the keys and returns those that were definitely not present: what
    /// [`Iterator::filter`] with `insert` gives, but 128 keys at a time.
    ///
    /// A new key is dropped with the probability of the filter's FPR; no key is returned twice.
    /// Up to 128 keys are taken ahead: if the iterator is dropped early, those keys are in the
    /// filter although they were not returned.
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
