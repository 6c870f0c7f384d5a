//! Filters whose batches lie, and ours.

use std::collections::HashSet;

use super::*;
use crate::registry::{Entry, Request, State, filters};
use crate::workload::{KeySet, Workload};

const KEYS: u64 = 3_000;
const OTHERS: u64 = 2_000;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    None,
    NoBatches,
    AcceptsOneInEight,
    DeniesOneIn512,
    LeavesTheLastAnswer,
    LosesTheLastOfABatch,
    MiscountsNew,
    ExtendsNothing,
}

/// Holds exactly what it takes, as many keys as it has room for.
struct Exact {
    held: HashSet<Vec<u8>>,
    room: usize,
    fault: Fault,
}

impl Exact {
    fn new(fault: Fault) -> Self {
        Self {
            held: HashSet::new(),
            room: usize::MAX,
            fault,
        }
    }
}

/// Of the bytes of a key, whatever its place in a batch.
fn number(key: &[u8]) -> u64 {
    key.iter().fold(7, |number, byte| {
        crate::workload::mix(number ^ u64::from(*byte))
    })
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
        if self.fault == Fault::NoBatches {
            return None;
        }
        let lost = usize::from(self.fault == Fault::LosesTheLastOfABatch && keys.len() == 33);
        let mut new = u64::from(self.fault == Fault::MiscountsNew && keys.len() == 65);
        for (index, key) in keys[..keys.len() - lost].iter().enumerate() {
            new += u64::from(!self.contains(key));
            if !self.insert(key) {
                return Some(BatchInserted::RefusedAt(index));
            }
        }
        Some(BatchInserted::All { new })
    }

    fn contains_batch(&self, keys: &[&[u8]], found: &mut [bool]) -> bool {
        let written = match self.fault {
            Fault::NoBatches => return false,
            Fault::LeavesTheLastAnswer if keys.len() > 256 => keys.len() - 1,
            _ => keys.len(),
        };
        for (key, found) in keys.iter().zip(found).take(written) {
            *found = match self.fault {
                Fault::AcceptsOneInEight if number(key).is_multiple_of(8) => true,
                Fault::DeniesOneIn512 if number(key).is_multiple_of(512) => false,
                _ => self.contains(key),
            };
        }
        true
    }

    fn extend(&mut self, keys: &[&[u8]]) -> bool {
        if self.fault != Fault::ExtendsNothing {
            keys.iter().for_each(|key| _ = self.insert(key));
        }
        self.fault != Fault::NoBatches
    }
}

fn set() -> KeySet {
    KeySet::generated("uuid", "uuid", 1).unwrap()
}

/// By each way in: how it differs, and of each way out the members denied, the
/// non-members accepted and the keys answered otherwise.
type Found = Vec<(In, Differences, Vec<(Out, [u64; 3])>)>;

fn trials(entry: &Entry, make: impl Fn() -> Box<dyn Subject>) -> Found {
    let set = set();
    let workload = Workload::new(&set, 3, KEYS).unwrap();
    let run = |way| Trial::run(entry, &mut *make(), way, &workload, OTHERS);
    let trials: Vec<Trial> = In::ALL.into_iter().filter_map(run).collect();
    let found = |trial: &Trial| {
        let by = |(way, own): (Out, &[bool])| {
            assert_eq!(own.len() as u64, KEYS + OTHERS);
            let counts = [
                trial.denied(own),
                trial.false_positives(own),
                trial.otherwise(own, &trials[0]),
            ];
            (way, counts)
        };
        let answers = trial.answers.each().map(by).collect();
        (trial.way, trial.against(&trials[0]), answers)
    };
    trials.iter().map(found).collect()
}

fn of(fault: Fault) -> Found {
    let entry = filters().swap_remove(0);
    trials(&entry, || Box::new(Exact::new(fault)))
}

const ALIKE: Differences = Differences {
    taken: 0,
    new: None,
    bytes: Some(false),
};

#[test]
fn a_sound_filter_is_the_same_by_every_way() {
    let [singly, batches, extend] = &of(Fault::None)[..] else {
        panic!("three ways in")
    };
    let right = [(Out::Singly, [0; 3]), (Out::Batches, [0; 3])];
    for (trial, new) in [
        (singly, Some(false)),
        (batches, Some(false)),
        (extend, None),
    ] {
        assert_eq!(trial.1, Differences { new, ..ALIKE }, "{trial:?}");
        assert_eq!(trial.2, right, "{trial:?}");
    }
}

#[test]
fn a_filter_without_batches_is_asked_singly_alone() {
    let found = of(Fault::NoBatches);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].2, [(Out::Singly, [0; 3])]);
}

/// Only the batches of them are wrong.
#[test]
fn lies_of_batches_are_counted_and_compared() {
    for (_, _, answers) in of(Fault::AcceptsOneInEight) {
        assert_eq!(answers[0], (Out::Singly, [0; 3]));
        let (_, [denied, accepted, otherwise]) = answers[1];
        assert_eq!((denied, accepted), (0, otherwise));
        assert!((200..300).contains(&accepted), "{accepted} of 2,000");
    }
    for (_, _, answers) in of(Fault::DeniesOneIn512) {
        assert_eq!(answers[0], (Out::Singly, [0; 3]));
        let (_, [denied, accepted, otherwise]) = answers[1];
        assert_eq!((denied, accepted), (otherwise, 0));
        assert!((1..20).contains(&denied), "{denied} of 3,000");
    }
    // 257, 1,557 and 2,000 keys less what went before: each large one lacks an answer.
    for (_, _, answers) in of(Fault::LeavesTheLastAnswer) {
        let (_, [denied, accepted, otherwise]) = answers[1];
        assert!(
            otherwise > 0 && denied + accepted == otherwise,
            "{answers:?}"
        );
    }
}

#[test]
fn another_filter_by_another_way_in_is_seen() {
    let found = of(Fault::LosesTheLastOfABatch);
    assert_eq!(found[1].1.bytes, Some(true));
    assert_eq!(found[1].1.new, Some(true));
    assert_eq!(found[1].2[0].1, [1, 0, 1]);
    assert_eq!(found[2].1.bytes, Some(false));
    let found = of(Fault::MiscountsNew);
    assert_eq!(
        (found[1].1.bytes, found[1].1.new),
        (Some(false), Some(true))
    );
    let found = of(Fault::ExtendsNothing);
    assert_eq!(found[2].1.bytes, Some(true));
    assert_eq!(found[2].2[1].1, [KEYS, 0, KEYS]);
}

/// A key that is refused ends a batch, not the filling.
#[test]
fn what_follows_a_refusal_is_given_again() {
    let set = set();
    let workload = Workload::new(&set, 3, 500).unwrap();
    let filled = |way: In| {
        let mut filter = Exact {
            room: 301,
            ..Exact::new(Fault::None)
        };
        way.fill(&mut filter, |give| workload.members(give))
            .unwrap()
    };
    let (singly, batches) = (filled(In::Singly), filled(In::Batches));
    assert_eq!(singly.accepted, batches.accepted);
    assert_eq!(count(&singly.accepted), 301);
    assert_eq!((singly.new, batches.new), (Some(301), None));
}

#[test]
fn ours_are_the_same_by_every_way() {
    for entry in filters().into_iter().filter(|entry| entry.role == "ours") {
        let ask = Request::of_target(KEYS, 0.05, 3);
        let found = trials(&entry, || (entry.build)(&ask).unwrap());
        let extends = !matches!(entry.name, "scalable" | "cuckoo");
        assert_eq!(found.len(), 2 + usize::from(extends), "{}", entry.name);
        let accepted = found[0].2[0].1[1];
        assert!((10..200).contains(&accepted), "{}: {accepted}", entry.name);
        for (way, differences, answers) in found {
            let new = (way != In::Extend).then_some(false);
            assert_eq!(differences, Differences { new, ..ALIKE }, "{}", entry.name);
            let right = Out::ALL.map(|out| (out, [0, accepted, 0]));
            assert_eq!(answers, right, "{}: {way:?}", entry.name);
        }
    }
}
