//! Every fault fails the law for the promise it breaks, and every law has a
//! fault that it catches.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests")]

use std::collections::HashSet;

use bouquet_core::{KeyHash, KeyHasher, Spec};
use bouquet_testkit::{
    Verdict, laws,
    toy::{CappedToy, Fault, HasherFault, Toy, ToyHasher},
};

type Law<F> = (&'static str, fn(F) -> Verdict);

fn bits(fault: Fault) -> impl Fn(Spec, u64) -> Toy {
    move |spec, seed| Toy::faulty(spec, seed, fault).unwrap()
}

fn counters(fault: Fault) -> impl Fn(Spec, u64) -> Toy {
    move |spec, seed| Toy::counting(spec, seed, fault).unwrap()
}

fn capped(fault: Fault) -> impl Fn(Spec, u64) -> CappedToy {
    move |spec, seed| CappedToy::new(spec, seed, fault).unwrap()
}

fn inherent(fault: Fault) -> Verdict {
    let make = bits(fault);
    bouquet_testkit::laws! { @call inherent make () }
}

const LAWS: &[Law<Fault>] = &[
    ("members", |fault| laws::members(bits(fault))),
    ("answers", |fault| laws::answers(bits(fault))),
    ("repeats", |fault| laws::repeats(bits(fault))),
    ("empty", |fault| laws::empty(bits(fault))),
    ("sequences", |fault| laws::sequences(bits(fault))),
    ("agreement", |fault| laws::agreement(bits(fault))),
    ("keys", |fault| laws::keys(bits(fault))),
    ("inherent", inherent),
    ("determinism", |fault| laws::determinism(bits(fault))),
    ("order_free", |fault| laws::order_free(bits(fault))),
    ("equality", |fault| laws::equality(bits(fault))),
    ("clone", |fault| laws::clone(bits(fault))),
    ("extend", |fault| laws::extend(bits(fault))),
    ("clear", |fault| laws::clear(bits(fault), Toy::clear)),
    ("debug", |fault| laws::debug(bits(fault))),
    ("union", |fault| laws::union(bits(fault))),
    ("intersect", |fault| laws::intersect(bits(fault))),
    ("remove", |fault| laws::remove(counters(fault))),
    ("remove_absent", |fault| {
        laws::remove_absent(counters(fault))
    }),
    ("refusal", |fault| laws::refusal(capped(fault))),
    ("sizing", |fault| laws::sizing(bits(fault))),
    ("inspect", |fault| laws::inspect(bits(fault))),
    ("estimated_fpr", |fault| laws::estimated_fpr(bits(fault))),
    ("expected_fpr", |fault| laws::expected_fpr(bits(fault))),
    ("estimated_keys", |fault| laws::estimated_keys(bits(fault))),
    ("locate", |fault| laws::locate(bits(fault), Toy::geometry)),
    ("concurrent", |fault| laws::concurrent(bits(fault))),
    ("concurrent_exact", |fault| {
        laws::concurrent_exact(counters(fault))
    }),
];

/// Which laws must catch a fault.
const CAUGHT: &[(Fault, &[&str])] = &[
    (Fault::ForgetsEveryThousandth, &["members"]),
    (Fault::ForgetsEmptyKey, &["members", "agreement"]),
    (Fault::AlwaysNew, &["answers", "repeats"]),
    (Fault::AsksTooLate, &["answers"]),
    (Fault::RepeatsSpill, &["repeats"]),
    (Fault::BatchInsertSkipsLast, &["sequences", "agreement"]),
    (Fault::StartsDirty, &["empty"]),
    (Fault::BatchContainsSkipsLast, &["agreement"]),
    (Fault::BatchCountsAll, &["agreement"]),
    (Fault::HashApiDiffers, &["agreement", "sequences"]),
    (Fault::IgnoresTrailingZeros, &["keys"]),
    (Fault::TypedKeysReversed, &["inherent"]),
    (Fault::IgnoresSeed, &["determinism"]),
    (Fault::SaltsInstances, &["determinism"]),
    (Fault::OrderDependent, &["order_free"]),
    (Fault::EqualityIgnoresSeed, &["equality"]),
    (Fault::EqualityIgnoresContent, &["equality"]),
    (Fault::CloneShares, &["clone"]),
    (Fault::ExtendSkipsFirst, &["extend"]),
    (Fault::ClearLeavesLast, &["clear"]),
    (Fault::DebugPrintsSlots, &["debug"]),
    (Fault::UnionIsIntersection, &["union"]),
    (Fault::CombinesOtherSeeds, &["union", "intersect"]),
    (Fault::ChangesOnRefusal, &["union", "intersect"]),
    (Fault::NamesWrongParameter, &["union", "intersect"]),
    (Fault::IntersectionIsUnion, &["intersect"]),
    (Fault::IntersectionKeepsAll, &["intersect"]),
    (Fault::CountersWrap, &["remove"]),
    (Fault::CountersUnstick, &["remove"]),
    (Fault::RemoveDoesNothing, &["remove"]),
    (Fault::RemovesAbsent, &["remove_absent"]),
    (Fault::RefusalChanges, &["refusal"]),
    (Fault::RefusalIndexOff, &["refusal"]),
    (Fault::SizedByTextbook, &["sizing"]),
    (Fault::ExpectsTextbook, &["expected_fpr"]),
    (Fault::ReusesOneProbe, &["expected_fpr", "estimated_fpr"]),
    (Fault::EstimatesOneProbeLess, &["estimated_fpr"]),
    (Fault::EstimatesWithoutCollisions, &["estimated_keys"]),
    (Fault::ForgetsMemory, &["inspect"]),
    (Fault::LocatesOutOfRange, &["locate"]),
    (Fault::LocatesOneLess, &["locate"]),
    (
        Fault::TestsOneLess,
        &["locate", "estimated_fpr", "expected_fpr"],
    ),
    (Fault::TearsWords, &["concurrent"]),
    (Fault::SharedAlwaysNew, &["concurrent"]),
    (Fault::TearsCounters, &["concurrent_exact"]),
];

const HASHER_LAWS: &[Law<HasherFault>] = &[
    ("hasher", |fault| {
        laws::hasher(|seed| ToyHasher::faulty(seed, fault))
    }),
    ("seeds", |fault| {
        laws::seeds(|seed| ToyHasher::faulty(seed, fault))
    }),
    ("stream", |fault| {
        laws::stream(|seed| ToyHasher::faulty(seed, fault))
    }),
    ("user_id", |fault| {
        laws::user_id(|seed| ToyHasher::faulty(seed, fault))
    }),
];

const HASHER_CAUGHT: &[(HasherFault, &[&str])] = &[
    (HasherFault::WordsEqual, &["hasher"]),
    (HasherFault::WordsMultiplied, &["hasher"]),
    (HasherFault::WordsRotated, &["hasher"]),
    (HasherFault::StuckBit, &["hasher"]),
    (HasherFault::Narrow, &["hasher"]),
    (HasherFault::ShortSighted, &["hasher"]),
    (HasherFault::MixesTooEarly, &["hasher"]),
    (HasherFault::Stateful, &["hasher"]),
    (HasherFault::SeedIgnored, &["seeds"]),
    (HasherFault::SeedIgnoredIfEmpty, &["seeds"]),
    (HasherFault::SeedNotTold, &["seeds"]),
    (HasherFault::CutsMatter, &["stream"]),
    (HasherFault::FinishConsumes, &["stream"]),
    (HasherFault::PartsDropLast, &["stream"]),
];

/// Runs the table; returns the laws that caught something.
fn run<F: Copy + std::fmt::Debug>(
    laws: &[Law<F>],
    none: F,
    caught: &[(F, &[&'static str])],
) -> HashSet<&'static str> {
    for (name, law) in laws {
        assert_eq!(law(none), Ok(()), "{name}, without a fault");
    }
    let mut useful = HashSet::new();
    for (fault, names) in caught {
        for name in *names {
            let (_, law) = laws.iter().find(|(law, _)| law == name).expect(name);
            let why = law(*fault).expect_err(&format!("{name} lets {fault:?} pass"));
            println!("{fault:?}: {name}: {why}");
            assert!(why.len() < 400, "{name} on {fault:?} says too much: {why}");
            useful.insert(*name);
        }
    }
    useful
}

#[test]
fn every_fault_is_caught_and_every_law_catches_one() {
    let useful = run(LAWS, Fault::None, CAUGHT);
    for (name, _) in LAWS {
        assert!(useful.contains(name), "{name} catches nothing");
    }
    for fault in Fault::ALL {
        assert!(
            CAUGHT.iter().any(|(caught, _)| caught == fault),
            "{fault:?} is in no table"
        );
    }
}

#[test]
fn every_hasher_fault_is_caught() {
    let useful = run(HASHER_LAWS, HasherFault::None, HASHER_CAUGHT);
    assert_eq!(useful, HashSet::from(["hasher", "seeds", "stream"]));
    for fault in HasherFault::ALL {
        let through_a_filter = *fault == HasherFault::IgnoresTrailingZeros;
        let listed = HASHER_CAUGHT.iter().any(|(caught, _)| caught == fault);
        assert!(listed || through_a_filter, "{fault:?} is in no table");
    }
}

/// The sound hasher under another ID.
#[derive(Clone, Debug, PartialEq, Eq)]
struct WithId<const ID: u16>(ToyHasher);

impl<const ID: u16> WithId<ID> {
    fn with_seed(seed: u64) -> Self {
        Self(ToyHasher::with_seed(seed))
    }
}

impl<const ID: u16> KeyHasher for WithId<ID> {
    const ID: u16 = ID;
    const HASH_BITS: u32 = 64;

    fn seed(&self) -> u64 {
        self.0.seed()
    }

    fn hash(&self, key: &[u8]) -> KeyHash {
        self.0.hash(key)
    }
}

#[test]
fn ids_out_of_range_are_caught() {
    assert!(laws::hasher(WithId::<0>::with_seed).is_err());
    assert!(laws::user_id(WithId::<0x7fff>::with_seed).is_err());
    assert!(laws::user_id(WithId::<0xffff>::with_seed).is_ok());
}

/// The example in the documentation of [`KeyHasher`], which says that it fails.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Fnv1a;

impl KeyHasher for Fnv1a {
    const ID: u16 = 0x8001;
    const HASH_BITS: u32 = 64;

    fn seed(&self) -> u64 {
        0
    }

    fn hash(&self, key: &[u8]) -> KeyHash {
        KeyHash::from_word(key.iter().fold(0xcbf2_9ce4_8422_2325, |h, byte| {
            (h ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        }))
    }
}

#[test]
fn fnv_1a_is_too_weak() {
    let why = laws::hasher(|_| Fnv1a).unwrap_err();
    assert!(why.contains("flips bit"), "{why}");
}

#[test]
fn the_readme_names_every_law() {
    let readme = include_str!("../README.md");
    let filters = LAWS.iter().map(|(name, _)| name);
    let hashers = HASHER_LAWS.iter().map(|(name, _)| name);
    for name in filters.chain(hashers) {
        assert!(
            readme.contains(&format!("| `{name}` |")),
            "{name} is not in the README"
        );
    }
}

/// Says that it has twice the bits it has.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Boaster(ToyHasher);

impl KeyHasher for Boaster {
    const ID: u16 = 0x8002;
    const HASH_BITS: u32 = 128;

    fn seed(&self) -> u64 {
        self.0.seed()
    }

    fn hash(&self, key: &[u8]) -> KeyHash {
        self.0.hash(key)
    }
}

#[test]
fn a_hash_is_as_wide_as_it_says() {
    let why = laws::hasher(|seed| Boaster(ToyHasher::with_seed(seed))).unwrap_err();
    assert!(why.contains("remixed"), "{why}");
}
