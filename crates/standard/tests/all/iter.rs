//! Tests the iterator adaptors: their answers must be those of one key at a time.
use std::{
    cell::Cell,
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
};

use bouquet_core::{FilterExt, Key, KeyIterator};
use bouquet_standard::StandardBloom;

const LENGTHS: [u64; 15] = [
    0, 1, 7, 8, 9, 31, 32, 33, 127, 128, 129, 255, 256, 257, 1_000,
];

fn filter() -> StandardBloom {
    StandardBloom::new(500, 0.05).unwrap()
}

/// Keys with repeats, some close together and some far apart.
fn keys(n: u64) -> impl Iterator<Item = u64> + Clone {
    (0..n).map(|i| i * i % 389 + i / 7)
}

#[test]
fn each_answer_is_that_of_one_key() {
    for n in LENGTHS {
        let (mut single, mut many) = (filter(), filter());
        let want: Vec<bool> = keys(n).map(|key| single.insert(&key)).collect();
        let got: Vec<bool> = many.insert_iter(keys(n)).collect();
        assert_eq!(got, want, "{n}");
        assert_eq!(many, single, "{n}");

        let asked = (0..n).map(|i| i * 3);
        let want: Vec<bool> = asked.clone().map(|key| single.contains(&key)).collect();
        let answers = single.contains_iter(asked.clone());
        assert_eq!(answers.size_hint(), (n as usize, Some(n as usize)));
        assert_eq!(answers.collect::<Vec<_>>(), want, "{n}");
        // Take the first answers one by one, then all others at once.
        for first in [0, 1, 100, 128, 200] {
            let mut answers = single.contains_iter(asked.clone());
            let mut got: Vec<bool> = answers.by_ref().take(first).collect();
            answers.for_each(|found| got.push(found));
            assert_eq!(got, want, "{n} {first}");
        }

        let mut new = filter();
        let got: Vec<u64> = keys(n).filter_new(&mut new).collect();
        let mut one = filter();
        let want: Vec<u64> = keys(n).filter(|key| one.insert(key)).collect();
        assert_eq!(got, want, "{n}");
        assert_eq!(new, single, "{n}");
    }
}

#[test]
fn the_length_left_is_known() {
    let mut filter = filter();
    let mut answers = filter.insert_iter(keys(300));
    for left in (0..=300).rev() {
        assert_eq!(answers.size_hint(), (left, Some(left)));
        assert_eq!(answers.next().is_some(), left > 0);
    }
    assert_eq!(answers.next(), None);
}

/// No key is taken before it is needed, and at most 128 at a time.
#[test]
fn it_is_lazy() {
    let taken = Cell::new(0);
    let keys = || keys(1_000).inspect(|_| taken.set(taken.get() + 1));
    let mut filter = filter();
    drop(filter.insert_iter(keys()));
    drop(keys().filter_new(&mut filter));
    assert_eq!((taken.get(), filter.bits().count_ones()), (0, 0));
    assert!(filter.insert_iter(keys()).next().is_some());
    assert!((1..=128).contains(&taken.get()));
}

/// Keys taken before the iterator panicked are in the filter.
#[test]
fn what_came_before_a_panic_is_present() {
    for last in [0, 1, 100, 128, 200] {
        let keys = || (0..300u64).inspect(|key| assert!(*key < last, "no more"));
        let (mut inserted, mut new) = (filter(), filter());
        let all = AssertUnwindSafe(|| inserted.insert_iter(keys()).count());
        assert!(catch_unwind(all).is_err());
        let all = AssertUnwindSafe(|| keys().filter_new(&mut new).count());
        assert!(catch_unwind(all).is_err());
        for filter in [&inserted, &new] {
            assert!((0..last).all(|key| filter.contains(&key)), "{last}");
        }
        let asking = AssertUnwindSafe(|| inserted.contains_iter(keys()).count());
        assert!(catch_unwind(asking).is_err());
    }
}

/// After a panic of the key iterator, continuing gives the answers of all keys that were taken,
/// in order, and every new key once.
#[test]
fn after_a_panic_it_continues_where_it_was() {
    let keys = |panics: Rc<Cell<bool>>| {
        (0..300u64).flat_map(|key| [key; 2]).inspect(move |key| {
            assert!(*key != 5 || !panics.replace(false), "once");
        })
    };
    let panics = Rc::new(Cell::new(true));
    let (mut present, mut new) = (filter(), filter());
    (0..100u64).for_each(|key| _ = present.insert(&key));
    let mut answers = present.contains_iter(keys(panics.clone()));
    assert!(catch_unwind(AssertUnwindSafe(|| answers.next())).is_err());
    let answers: Vec<bool> = answers.collect();
    // The key at which the iterator panicked is lost, once. Key 5 occurs twice, so one 5
    // remains.
    assert_eq!(answers.len(), 599);
    assert!(answers[..199].iter().all(|present| *present));
    panics.set(true);
    let mut passing = keys(panics).filter_new(&mut new);
    assert!(catch_unwind(AssertUnwindSafe(|| passing.next())).is_err());
    let passed: Vec<u64> = passing.collect();
    assert!(passed.is_sorted_by(|a, b| a < b), "none passes twice");
    assert!(passed.starts_with(&[0, 1, 2, 3, 4, 5]) && passed.len() > 290);
}

/// A key whose hashing panics for the value 5 while the cell holds true.
struct Brittle<'a>(u64, &'a Cell<bool>);

impl Key for Brittle<'_> {
    fn with_bytes<R>(&self, run: impl FnOnce(&[u8]) -> R) -> R {
        assert!(self.0 != 5 || !self.1.get(), "it cannot be hashed");
        self.0.with_bytes(run)
    }
}

/// A key that panics makes no other key absent: once it no longer panics, all keys get answers.
#[test]
fn a_key_that_panics_takes_no_other_with_it() {
    let panics = Cell::new(true);
    let keys = || (0..300).map(|key| Brittle(key, &panics));
    let (mut present, mut inserted, mut new) = (filter(), filter(), filter());
    present.extend(0..300u64);
    let fails = |step: &mut dyn FnMut()| {
        panics.set(true);
        assert!(catch_unwind(AssertUnwindSafe(&mut *step)).is_err());
        assert!(catch_unwind(AssertUnwindSafe(step)).is_err());
        panics.set(false);
    };
    let mut answers = present.contains_iter(keys());
    fails(&mut || _ = answers.next());
    assert_eq!(answers.size_hint(), (300, Some(300)));
    assert_eq!(answers.filter(|present| *present).count(), 300);
    let mut answers = inserted.insert_iter(keys());
    fails(&mut || _ = answers.next());
    assert_eq!(answers.size_hint(), (300, Some(300)));
    assert_eq!(answers.count(), 300);
    let mut passing = keys().filter_new(&mut new);
    fails(&mut || _ = passing.next());
    passing.for_each(drop);
    for filter in [&inserted, &new] {
        assert!((0..300u64).all(|key| filter.contains(&key)));
    }
    // Dropped while the panic unwinds: there must be no second panic, which would abort.
    panics.set(true);
    let mut filter = filter();
    let all = AssertUnwindSafe(|| filter.insert_iter(keys()).count());
    assert!(catch_unwind(all).is_err());
}

/// Keys that were taken but not returned are present: dropping the iterator loses no key.
#[test]
fn what_was_taken_is_present() {
    for given in [1, 5, 128, 130] {
        let mut filter = filter();
        let taken = Cell::new(0);
        let keys = (0..300u64).inspect(|_| taken.set(taken.get() + 1));
        filter.insert_iter(keys).take(given).for_each(drop);
        assert!((0..taken.get()).all(|key| filter.contains(&key)));
    }
}
