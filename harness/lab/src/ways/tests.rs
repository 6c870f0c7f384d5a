//! Filters that are wrong by one way, and ours.

mod exact;

use self::exact::{Exact, Fault};
use super::*;
use crate::registry::{Request, composed, filters};
use crate::workload::{KeySet, Workload};

const KEYS: u64 = 3_000;
const OTHERS: u64 = 2_000;

fn set() -> KeySet {
    KeySet::generated("uuid", "uuid", 1).unwrap()
}

fn request(target_fpr: f64) -> Request {
    Request::of_target(KEYS, target_fpr, 3)
}

/// Whatever the first of ours is, with another filter in its place.
fn of_exact(make: impl Fn() -> Exact + Send + Sync + 'static) -> Entry {
    let mut entry = filters().swap_remove(0);
    entry.build = Box::new(move |_| Ok(Box::new(make())));
    entry
}

/// How a trial differs, and of each way out the false negatives, the false
/// positives and the keys answered otherwise.
type Found = (In, Differences, Vec<(Out, [u64; 3])>);

/// What was found by each way in that the filter has.
fn trials(entry: &Entry, request: Request) -> Vec<Found> {
    let set = set();
    let workload = Workload::new(&set, 3, KEYS).unwrap();
    let kind = Kind { entry, request };
    let run = |way| Trial::run(&kind, way, &workload, OTHERS).unwrap();
    let trials: Vec<Trial> = In::ALL.into_iter().filter_map(run).collect();
    let found = |trial: &Trial| {
        let by = |(way, own): (Out, &[bool])| {
            assert_eq!(own.len() as u64, KEYS + OTHERS);
            let counts = [
                trial.false_negatives(own),
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

fn of(fault: Fault) -> Vec<Found> {
    trials(&of_exact(move || Exact::new(fault)), request(0.01))
}

const ALIKE: Differences = Differences {
    taken: 0,
    new: None,
    bytes: Some(false),
};

/// Whether a way says how many keys were new.
fn counts_new(way: In) -> bool {
    !matches!(way, In::Extend | In::FromKeys | In::Union)
}

#[test]
fn a_sound_filter_is_the_same_by_every_way() {
    let found = of(Fault::None);
    let ways: Vec<In> = found.iter().map(|(way, ..)| *way).collect();
    assert_eq!(ways, In::ALL);
    for (way, differences, answers) in found {
        let new = counts_new(way).then_some(false);
        assert_eq!(differences, Differences { new, ..ALIKE }, "{way:?}");
        let outs = match way {
            In::Singly => &Out::ALL[..],
            _ => &[Out::Singly, Out::Batches],
        };
        let right: Vec<_> = outs.iter().map(|out| (*out, [0; 3])).collect();
        assert_eq!(answers, right, "{way:?}");
    }
}

#[test]
fn a_filter_without_other_ways_is_asked_singly_alone() {
    let found = of(Fault::SingleCallsAlone);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].2, [(Out::Singly, [0; 3])]);
}

/// The false negatives, the false positives and the keys answered otherwise by a way
/// out. By the others nothing is wrong, but by those of `also`.
fn wrong_by(fault: Fault, out: Out, also: &[Out]) -> [u64; 3] {
    let (_, differences, answers) = of(fault).swap_remove(0);
    assert_eq!(differences.in_words(), None);
    let mut own = [0; 3];
    for (way, counts) in answers {
        if way == out {
            own = counts;
        } else if !also.contains(&way) {
            assert_eq!(counts, [0; 3], "{fault:?} {way:?}");
        }
    }
    own
}

#[test]
fn one_key_in_512_that_a_way_out_misses_is_seen() {
    for (fault, out, also) in [
        (Fault::MissesOneIn512, Out::Batches, None),
        (Fault::MissesOneIn512ByHash, Out::Hashes, None),
        (Fault::MissesOneIn512InParts, Out::Parts, None),
        (Fault::MissesOneIn512InAView, Out::View, Some(Out::Mapped)),
    ] {
        let [missing, accepted, otherwise] = wrong_by(fault, out, also.as_slice());
        assert_eq!((missing, accepted), (otherwise, 0), "{fault:?}");
        assert!((1..20).contains(&missing), "{fault:?}: {missing} of 3,000");
    }
}

#[test]
fn one_key_in_eight_that_a_way_out_accepts_is_seen() {
    for (fault, out, also) in [
        (Fault::AcceptsOneInEight, Out::Batches, None),
        (
            Fault::AcceptsOneInEightByHashInBatches,
            Out::HashBatches,
            None,
        ),
        (
            Fault::AcceptsOneInEightByHashInAView,
            Out::View,
            Some(Out::Mapped),
        ),
    ] {
        let [missing, accepted, otherwise] = wrong_by(fault, out, also.as_slice());
        assert_eq!((missing, accepted), (0, otherwise), "{fault:?}");
        assert!(
            (200..300).contains(&accepted),
            "{fault:?}: {accepted} of 2,000"
        );
    }
}

/// 257, 1,557 and 2,000 keys less what went before: each large batch lacks an answer.
#[test]
fn an_answer_that_is_not_written_is_seen() {
    for (fault, out) in [
        (Fault::LeavesTheLastAnswer, Out::Batches),
        (Fault::LeavesTheLastAnswerInAView, Out::Mapped),
    ] {
        let [missing, accepted, otherwise] = wrong_by(fault, out, &[]);
        assert!(otherwise > 0, "{fault:?}");
        assert_eq!(missing + accepted, otherwise, "{fault:?}");
    }
}

/// Of a filter that was filled by another way: how it differs, and what is wrong of the
/// answers to single calls and in batches, which are the same.
fn by(fault: Fault, way: In) -> (Differences, [u64; 3]) {
    let mut own = None;
    for (filled, differences, answers) in of(fault) {
        if filled == way {
            assert_eq!(answers[0].1, answers[1].1, "{fault:?}");
            own = Some((differences, answers[0].1));
        } else {
            assert_eq!(differences.in_words(), None, "{fault:?} {filled:?}");
        }
    }
    own.unwrap()
}

#[test]
fn a_key_that_is_dropped_on_the_way_in_is_seen() {
    for (fault, way, dropped) in [
        (Fault::DropsTheLastOfABatch, In::Batches, 1..2),
        (Fault::ExtendsNothing, In::Extend, KEYS..KEYS + 1),
        (Fault::DropsOneIn512ByHash, In::Hashes, 1..20),
        (Fault::DropsTheLastOfABatchByHash, In::HashBatches, 1..2),
        (Fault::DropsTheLastOfItsKeys, In::FromKeys, 1..2),
        (
            Fault::KeepsItsOwnInAUnion,
            In::Union,
            KEYS / 2..KEYS / 2 + 1,
        ),
        (Fault::DropsAKeyReadBack, In::Reload, 2..3),
    ] {
        let (differences, [missing, accepted, otherwise]) = by(fault, way);
        assert_eq!(differences.bytes, Some(true), "{fault:?}");
        assert!(dropped.contains(&missing), "{fault:?}: {missing}");
        assert_eq!((accepted, otherwise), (0, missing), "{fault:?}");
    }
}

#[test]
fn another_count_of_new_keys_is_seen() {
    let (differences, wrong) = by(Fault::MiscountsNew, In::Batches);
    let new = Some(true);
    assert_eq!((differences, wrong), (Differences { new, ..ALIKE }, [0; 3]));
    let (missing, _) = by(Fault::DropsTheLastOfABatch, In::Batches);
    assert_eq!(missing.new, Some(true));
}

/// With its reason, and the other ways are gone through.
#[test]
fn a_way_that_fails_is_an_error_of_that_way() {
    let set = set();
    let workload = Workload::new(&set, 3, KEYS).unwrap();
    let run = |fault, way| {
        let entry = of_exact(move || Exact::new(fault));
        let request = request(0.01);
        Trial::run(
            &Kind {
                entry: &entry,
                request,
            },
            way,
            &workload,
            OTHERS,
        )
    };
    let read = run(Fault::CannotBeReadBack, In::Reload);
    assert_eq!(read.err().unwrap().to_string(), "damaged");
    assert!(run(Fault::CannotBeReadBack, In::Union).is_ok());
    let viewed = run(Fault::CannotBeViewed, In::Singly).unwrap().unwrap();
    let why = |way| (way, "cut off".to_owned());
    assert_eq!(viewed.answers.errors(), [why(Out::View), why(Out::Mapped)]);
    let asked: Vec<Out> = viewed.answers.each().map(|(way, _)| way).collect();
    assert_eq!(asked, Out::ALL[..5]);
}

/// A key that is rejected ends a batch, not the filling.
#[test]
fn what_follows_a_rejection_is_given_again() {
    let set = set();
    let workload = Workload::new(&set, 3, 500).unwrap();
    let entry = of_exact(|| Exact::with_room(301));
    let request = request(0.01);
    let filled = |way| {
        let kind = Kind {
            entry: &entry,
            request,
        };
        Trial::run(&kind, way, &workload, 0)
            .unwrap()
            .unwrap()
            .filled
    };
    let singly = filled(In::Singly);
    assert_eq!((count(&singly.accepted), singly.new), (301, Some(301)));
    for way in [In::Batches, In::HashBatches] {
        let batches = filled(way);
        assert_eq!(singly.accepted, batches.accepted);
        assert_eq!(batches.new, None);
    }
    assert_eq!(filled(In::Hashes), singly);
    assert_eq!(filled(In::Reload), singly);
}

#[test]
fn ours_are_the_same_by_every_way() {
    let all = filters().into_iter().chain(composed());
    for entry in all.filter(|entry| entry.role == "ours") {
        let found = trials(&entry, request(0.05));
        let lacks: &[In] = match entry.name {
            "scalable" | "cuckoo" => &[In::Extend, In::Union],
            "blocked-words32" | "blocked-line" | "sharded-counting" => &[In::FromKeys],
            _ => &[],
        };
        let had: Vec<In> = found.iter().map(|(way, ..)| *way).collect();
        let wanted = In::ALL.into_iter().filter(|way| !lacks.contains(way));
        assert_eq!(had, wanted.collect::<Vec<_>>(), "{}", entry.name);
        let accepted = found[0].2[0].1[1];
        assert!((10..200).contains(&accepted), "{}: {accepted}", entry.name);
        for (way, differences, answers) in found {
            let name = format!("{}: {way:?}", entry.name);
            let new = counts_new(way).then_some(false);
            // Its keys are in another order.
            let may_differ = entry.relocates && way == In::FromKeys;
            let bytes = (!may_differ).then_some(false);
            assert_eq!(
                differences,
                Differences {
                    taken: 0,
                    new,
                    bytes
                },
                "{name}"
            );
            // Of another hash function.
            let own = if way == In::FromKeys {
                answers[0].1[1]
            } else {
                accepted
            };
            let right = way.asked().iter().map(|out| (*out, [0, own, 0]));
            assert_eq!(answers, right.collect::<Vec<_>>(), "{name}");
        }
    }
}

/// A filter of another hash function in each run has its own answers, and one whose keys
/// make room for each other its own bytes.
#[test]
fn what_may_differ_is_not_compared() {
    let mut entry = of_exact(|| Exact::new(Fault::DropsTheLastOfItsKeys));
    entry.relocates = true;
    let of_keys = |entry: &Entry| {
        let found = trials(entry, request(0.01)).into_iter();
        let mut own = found.filter(|(way, ..)| *way == In::FromKeys);
        own.next()
            .map(|(_, differences, answers)| (differences, answers[0].1))
    };
    let (differences, wrong) = of_keys(&entry).unwrap();
    assert_eq!((differences.bytes, wrong), (None, [1, 0, 1]));
    entry.reproducible_by_seed = false;
    let (differences, wrong) = of_keys(&entry).unwrap();
    assert_eq!((differences.in_words(), wrong), (None, [1, 0, 0]));
}
