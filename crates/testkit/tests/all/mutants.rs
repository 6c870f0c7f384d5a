//! Checks that every fault fails the law that it violates, and that every law detects a fault.

use std::fmt::Debug;

use bouquet_core::{KeyHash, KeyHasher, Spec};
use bouquet_format::DecodeError;
use bouquet_testkit::{
    Verdict, laws,
    toy::{CappedToy, CodecFault, CodecToy, Fault, HasherFault, Toy, ToyHasher},
};

type Law<F> = (&'static str, fn(F) -> Verdict);
type Mutant = (&'static str, fn() -> Verdict);

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
    bouquet_testkit::laws! { @call inherent make () [] }
}

fn keyed(fault: Fault) -> impl Fn(Spec, u64) -> Toy {
    move |spec, seed| Toy::keyed(spec, seed, fault).unwrap()
}

/// Runs the law on all three kinds of toy, each with all its operations, as the macro `laws!` does.
fn sequences(fault: Fault) -> Verdict {
    let make = bits(fault);
    bouquet_testkit::laws! {
        @call sequences make () [union, intersect, clear, extend, concurrent]
    }?;
    let make = counters(fault);
    bouquet_testkit::laws! {
        @call sequences make () [remove, union, intersect, clear, extend, concurrent]
    }?;
    let make = capped(fault);
    bouquet_testkit::laws! { @call sequences make () [rejection] }
}

const LAWS: &[Law<Fault>] = &[
    ("members", |fault| laws::members(bits(fault))),
    ("answers", |fault| laws::answers(bits(fault))),
    ("repeats", |fault| laws::repeats(bits(fault))),
    ("empty", |fault| laws::empty(bits(fault))),
    ("sequences", sequences),
    ("agreement", |fault| laws::agreement(bits(fault))),
    ("far", |fault| laws::far(bits(fault))),
    ("keys", |fault| laws::keys(bits(fault))),
    ("inherent", inherent),
    ("determinism", |fault| laws::determinism(bits(fault))),
    ("order_free", |fault| laws::order_free(bits(fault))),
    ("equality", |fault| laws::equality(bits(fault))),
    ("clone", |fault| laws::clone(bits(fault))),
    ("extend", |fault| laws::extend(bits(fault))),
    ("clear", |fault| {
        laws::clear(bits(fault), Toy::clear)?;
        laws::clear(capped(fault), CappedToy::clear)
    }),
    ("debug", |fault| laws::debug(bits(fault))),
    ("union", |fault| laws::union(bits(fault))),
    ("intersect", |fault| laws::intersect(bits(fault))),
    ("other_key", |fault| laws::other_key(keyed(fault))),
    ("fold", |fault| laws::fold(bits(fault))),
    ("remove", |fault| laws::remove(counters(fault))),
    ("remove_absent", |fault| {
        laws::remove_absent(counters(fault))
    }),
    ("counts", |fault| {
        laws::counts(counters(fault), |toy, key| toy.estimated_count(key))
    }),
    ("rejection", |fault| laws::rejection(capped(fault))),
    ("max_bytes", |fault| {
        let (size_bits, set_max_bytes) = (CappedToy::size_bits, CappedToy::set_max_bytes);
        laws::max_bytes(capped(fault), size_bits, set_max_bytes)
    }),
    ("sizing", |fault| laws::sizing(bits(fault))),
    ("inspect", |fault| laws::inspect(bits(fault))),
    ("estimated_fpr", |fault| laws::estimated_fpr(bits(fault))),
    ("expected_fpr", |fault| laws::expected_fpr(bits(fault))),
    ("estimated_keys", |fault| laws::estimated_keys(bits(fault))),
    ("over_capacity", |fault| {
        laws::over_capacity(bits(fault), Toy::is_over_capacity)
    }),
    ("keys_left", |fault| {
        laws::keys_left(bits(fault), Toy::keys_left)
    }),
    ("locate", |fault| laws::locate(bits(fault), Toy::geometry)),
    ("concurrent", |fault| laws::concurrent(bits(fault))),
    ("concurrent_exact", |fault| {
        laws::concurrent_exact(counters(fault))
    }),
    ("concurrent_absent", |fault| {
        laws::concurrent_absent(bits(fault))
    }),
    ("concurrent_new", |fault| laws::concurrent_new(bits(fault))),
    ("concurrent_once", |fault| {
        laws::concurrent_once(bits(fault))
    }),
];

/// The laws that must detect each fault.
const CAUGHT: &[(Fault, &[&str])] = &[
    (Fault::ForgetsEveryThousandth, &["members"]),
    (
        Fault::ForgetsEmptyKey,
        &["members", "sequences", "agreement"],
    ),
    (Fault::InsertsOneLess, &["members", "sequences", "locate"]),
    (Fault::AlwaysNew, &["answers", "sequences", "repeats"]),
    (Fault::AsksTooLate, &["answers", "sequences"]),
    (Fault::RepeatsSpill, &["repeats"]),
    (Fault::BatchInsertSkipsLast, &["sequences", "agreement"]),
    (Fault::BatchStopsAtHeld, &["sequences", "agreement"]),
    (Fault::BatchInsertStops, &["agreement"]),
    (Fault::StartsDirty, &["empty"]),
    (Fault::BatchContainsSkipsLast, &["sequences", "agreement"]),
    (Fault::BatchContainsStops, &["agreement"]),
    (Fault::BatchCountsAll, &["sequences", "agreement"]),
    (Fault::HashApiDiffers, &["sequences", "agreement"]),
    (Fault::IgnoresTrailingZeros, &["keys"]),
    (Fault::TypedKeysReversed, &["inherent"]),
    (Fault::TypedKeysCutShort, &["inherent"]),
    (Fault::TypedBatchSkipsLast, &["inherent"]),
    (Fault::TypedBatchAnswersLess, &["inherent"]),
    (Fault::HashBatchSkipsLast, &["agreement"]),
    (Fault::HashBatchAnswersLess, &["agreement"]),
    (Fault::IgnoresLateBytes, &["keys"]),
    (Fault::FarBatchStops, &["far"]),
    (Fault::IgnoresSeed, &["determinism"]),
    (Fault::SaltsInstances, &["determinism"]),
    (Fault::OrderDependent, &["order_free"]),
    (Fault::EqualityIgnoresSeed, &["equality", "other_key"]),
    (Fault::EqualityIgnoresContent, &["equality"]),
    (Fault::CloneShares, &["clone"]),
    (Fault::CloneDropsLast, &["clone", "sequences"]),
    (Fault::ExtendSkipsFirst, &["extend", "sequences"]),
    (Fault::ClearLeavesLast, &["clear", "sequences"]),
    (Fault::StaysFull, &["clear", "max_bytes"]),
    (Fault::GrowsPastLimit, &["max_bytes"]),
    (Fault::LimitsKeys, &["max_bytes"]),
    (Fault::DebugPrintsSlots, &["debug"]),
    (Fault::UnionIsIntersection, &["union", "sequences"]),
    (Fault::UnionTakesMax, &["sequences"]),
    (Fault::CombinesOtherSizes, &["union", "intersect"]),
    (
        Fault::CombinesOtherSeeds,
        &["union", "intersect", "other_key"],
    ),
    (Fault::CombinesBySeed, &["other_key"]),
    (Fault::ChangesOnError, &["union", "intersect", "other_key"]),
    (
        Fault::NamesWrongParameter,
        &["union", "intersect", "other_key"],
    ),
    (Fault::IntersectionIsUnion, &["intersect"]),
    (Fault::IntersectionKeepsAll, &["intersect"]),
    (Fault::FoldsHalves, &["fold"]),
    (Fault::FoldDropsSlots, &["fold"]),
    (Fault::FoldsOnce, &["fold"]),
    (Fault::FoldsTooFar, &["fold"]),
    (Fault::CountersWrap, &["remove", "sequences"]),
    (Fault::CountersUnstick, &["remove", "sequences"]),
    (Fault::RemoveDoesNothing, &["remove"]),
    (Fault::RemovesTwice, &["remove", "sequences"]),
    (Fault::RemoveHashDiffers, &["remove", "sequences"]),
    (Fault::RemovesAbsent, &["remove_absent", "sequences"]),
    (Fault::ErrorChanges, &["rejection", "sequences"]),
    (Fault::BatchErrorIndexOff, &["rejection", "sequences"]),
    (Fault::SizedByTextbook, &["sizing"]),
    (Fault::ExpectsTextbook, &["expected_fpr"]),
    (Fault::ExpectsHigh, &["expected_fpr"]),
    (Fault::ReusesOneProbe, &["expected_fpr", "estimated_fpr"]),
    (Fault::EstimatesOneProbeLess, &["estimated_fpr"]),
    (Fault::EstimatesFprHigh, &["estimated_fpr"]),
    (Fault::EstimatesWithoutCollisions, &["estimated_keys"]),
    (Fault::EstimatesKeysHigh, &["estimated_keys"]),
    (Fault::EstimatesKeysFromHalf, &["estimated_keys"]),
    (Fault::CountsFirstProbe, &["counts"]),
    (Fault::CountsHighest, &["counts"]),
    (Fault::CountsOnce, &["counts"]),
    (Fault::OverCapacityLate, &["over_capacity"]),
    (Fault::KeysLeftHigh, &["keys_left"]),
    (Fault::KeysLeftOfNew, &["keys_left"]),
    (Fault::ForgetsMemory, &["inspect"]),
    (Fault::LocatesOutOfRange, &["locate"]),
    (Fault::LocatesOneLess, &["locate"]),
    (
        Fault::TestsOneLess,
        &["locate", "estimated_fpr", "expected_fpr"],
    ),
    (Fault::BusyIsPresent, &["concurrent_absent"]),
    (Fault::NewToMany, &["concurrent_once"]),
    (Fault::NewOnlyIfAlone, &["concurrent_new"]),
    (Fault::TearsWords, &["concurrent"]),
    (Fault::SharedAlwaysNew, &["concurrent", "sequences"]),
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
    (HasherFault::SeedNotReported, &["seeds"]),
    (HasherFault::CutsMatter, &["stream"]),
    (HasherFault::FinishConsumes, &["stream"]),
    (HasherFault::PartsDropLast, &["stream"]),
    (HasherFault::IgnoresTrailingZeros, &["hasher"]),
    (HasherFault::BatchEndsDiffer, &["hasher"]),
];

fn codec(fault: CodecFault) -> impl Fn(Spec, u64) -> CodecToy {
    move |spec, seed| CodecToy::new(spec, seed, fault).unwrap()
}

fn decode(fault: CodecFault) -> impl Fn(&[u8], u64) -> Result<CodecToy, DecodeError> {
    move |bytes, seed| CodecToy::decode_faulty(bytes, ToyHasher::with_seed(seed), fault)
}

const CODEC_LAWS: &[Law<CodecFault>] = &[
    ("encode_round_trip", |fault| {
        laws::encode_round_trip(codec(fault), decode(fault))
    }),
    ("canonical", |fault| {
        laws::canonical(codec(fault), decode(fault))
    }),
    ("hostile_bytes", |fault| {
        laws::hostile_bytes(codec(fault), decode(fault))
    }),
    ("view", |fault| {
        let hasher = ToyHasher::with_seed;
        laws::view(
            codec(fault),
            decode(fault),
            move |bytes, seed, keys| CodecToy::ask_faulty(bytes, hasher(seed), keys, fault),
            move |bytes, seed| CodecToy::verify_faulty(bytes, hasher(seed), fault),
        )
    }),
];

const CODEC_CAUGHT: &[(CodecFault, &[&str])] = &[
    (CodecFault::DropsLastSlot, &["encode_round_trip"]),
    (CodecFault::ForgetsSeed, &["encode_round_trip"]),
    (CodecFault::SaltsEncodings, &["encode_round_trip"]),
    (CodecFault::SaysOtherLength, &["encode_round_trip"]),
    (CodecFault::TakesAnySeed, &["encode_round_trip"]),
    (CodecFault::IgnoresChecksum, &["hostile_bytes"]),
    (CodecFault::IgnoresHeaderChecksum, &["hostile_bytes"]),
    (CodecFault::IgnoresRest, &["hostile_bytes"]),
    (CodecFault::IgnoresParameters, &["canonical"]),
    (CodecFault::ClampsSlots, &["canonical"]),
    (CodecFault::PointsOutside, &["hostile_bytes"]),
    (CodecFault::ViewSkipsSlot, &["view"]),
    (CodecFault::ViewCountsLess, &["view"]),
    (CodecFault::ViewNeedsAlignment, &["view"]),
    (CodecFault::VerifiesHeaderAlone, &["view"]),
    (CodecFault::VerifiesChecksumAlone, &["view"]),
];

/// Faults of a whole type instead of a value, each with the law that detects it.
const OTHER_MUTANTS: &[Mutant] = &[
    ("hasher", || laws::hasher(WithId::<0>::with_seed)),
    ("hasher", || laws::hasher(|_| Fnv1a)),
    ("hasher", || {
        laws::hasher(|seed| Boaster(ToyHasher::with_seed(seed)))
    }),
    ("user_id", || laws::user_id(WithId::<0x7fff>::with_seed)),
];

/// The law that the compiler checks; its mutant is the `compile_fail` example of
/// [`laws::assert_send_sync`].
const COMPILED: &str = "send_sync";

/// Runs the table and checks that it is complete: each law passes without a fault and detects at
/// least one fault, and each fault is detected.
fn judge<F: Copy + PartialEq + Debug>(
    names: &[&str],
    laws: &[Law<F>],
    none: F,
    faults: &[F],
    caught: &[(F, &[&str])],
) {
    let judged: Vec<&str> = laws.iter().map(|(name, _)| *name).collect();
    let expected: Vec<&str> = names
        .iter()
        .copied()
        .filter(|name| *name != COMPILED)
        .collect();
    assert_eq!(judged, expected, "the laws in the table and all laws");
    for (name, law) in laws {
        assert_eq!(law(none), Ok(()), "{name}, without a fault");
    }
    for (fault, names) in caught {
        for name in *names {
            let (_, law) = laws.iter().find(|(law, _)| law == name).expect(name);
            let why = law(*fault).expect_err(&format!("{name} lets {fault:?} pass"));
            println!("{fault:?}: {name}: {why}");
            assert!(why.len() < 400, "{name} on {fault:?} is too long: {why}");
        }
    }
    for fault in faults {
        assert!(
            caught
                .iter()
                .any(|(other, names)| other == fault && !names.is_empty()),
            "{fault:?} is in no table"
        );
    }
    for name in judged {
        let by_value = caught.iter().any(|(_, names)| names.contains(&name));
        let by_type = OTHER_MUTANTS.iter().any(|(law, _)| *law == name);
        assert!(by_value || by_type, "{name} catches nothing");
    }
}

#[test]
fn every_law_catches_a_fault_and_every_fault_is_caught() {
    judge(laws::FILTER_LAWS, LAWS, Fault::None, Fault::ALL, CAUGHT);
}

#[test]
fn every_law_of_codecs_catches_a_fault_and_every_fault_is_caught() {
    let (none, all) = (CodecFault::None, CodecFault::ALL);
    judge(laws::CODEC_LAWS, CODEC_LAWS, none, all, CODEC_CAUGHT);
}

#[test]
fn every_law_of_hashers_catches_a_fault_and_every_fault_is_caught() {
    let none = HasherFault::None;
    judge(
        laws::HASHER_LAWS,
        HASHER_LAWS,
        none,
        HasherFault::ALL,
        HASHER_CAUGHT,
    );
    for (name, mutant) in OTHER_MUTANTS {
        let why = mutant().expect_err(name);
        println!("{name}: {why}");
    }
    assert_eq!(laws::user_id(WithId::<0xffff>::with_seed), Ok(()));
}

/// A correct hasher with another ID.
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

/// The example from the documentation of [`KeyHasher`], which states that it fails the law.
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

/// A hasher that claims twice the width that it has.
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
fn the_readme_names_every_law() {
    let readme = include_str!("../../README.md");
    for name in laws::FILTER_LAWS
        .iter()
        .chain(laws::HASHER_LAWS)
        .chain(laws::CODEC_LAWS)
    {
        assert!(
            readme.contains(&format!("| `{name}` |")),
            "{name} is not in the README"
        );
    }
}
