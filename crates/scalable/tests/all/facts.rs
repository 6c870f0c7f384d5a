//! Tests of properties that only the scalable filter has, and of unusual requests.

use std::error::Error;

use bouquet_blocked::{BlockedBloom, Line, Words32};
use bouquet_counting::CountingBloom;
use bouquet_partitioned::PartitionedBloom;
use bouquet_scalable::{
    Decode, Folded, Full, Hashed, Inner, Inspect, MAX_GROWTH, MAX_KEYS_PER_BIT, Policy,
    PolicyError, ScalableBloom, Spec, SpecError, Stage, StandardBloom, Xxh3Wide, math,
};

type Standard = ScalableBloom<StandardBloom>;

fn policy(capacity: u64, fpr: f64) -> Policy {
    Policy::new(Spec::new(capacity, fpr).unwrap())
}

fn make(policy: Policy) -> Standard {
    Standard::with_policy(policy, Folded::default()).unwrap()
}

/// The capacity, number of keys and target FPR of every stage.
fn stages(filter: &Standard) -> Vec<(u64, u64, f64)> {
    let of = |stage: &Stage<StandardBloom>| (stage.capacity(), stage.keys(), stage.target_fpr());
    filter.stages().map(of).collect()
}

/// Inserts keys from `from` on until `keys` new ones were counted; returns the first key that
/// was not needed.
fn take(filter: &mut Standard, from: u64, keys: u64) -> u64 {
    let until = filter.keys() + keys;
    let mut key = from;
    while filter.keys() < until {
        filter.insert(&key);
        key += 1;
    }
    key
}

#[test]
fn any_key_can_be_inserted() {
    let mut filter = ScalableBloom::new(2, 0.001).unwrap();
    assert!(filter.insert("text"));
    assert!(!filter.insert("text"));
    assert!(filter.insert(&42u64));
    assert!(filter.insert(&Hashed(&("a", 7))));
    assert!(filter.insert(""));
    assert!(filter.contains("") && filter.contains(&42u64.to_le_bytes()));
    assert!(filter.contains(&42u32) && !filter.contains(&42u128));
    assert_eq!(filter.stages().count(), 2);
}

#[test]
fn it_grows_when_a_stage_has_taken_its_keys() {
    let mut filter = make(
        policy(100, 0.01)
            .growth(3)
            .unwrap()
            .tightening(0.5)
            .unwrap(),
    );
    let next = take(&mut filter, 0, 100);
    assert_eq!(stages(&filter), [(100, 100, 0.005)]);
    let next = take(&mut filter, next, 1);
    assert_eq!(stages(&filter), [(100, 100, 0.005), (300, 1, 0.0025)]);
    let next = take(&mut filter, next, 300);
    assert_eq!(
        stages(&filter),
        [(100, 100, 0.005), (300, 300, 0.0025), (900, 1, 0.00125)]
    );
    assert_eq!((filter.capacity(), filter.keys()), (1_300, 401));
    assert!((0..next).all(|key| filter.contains(&key)));
    let sizes = filter.stages().map(|stage| stage.filter().size_bits());
    assert_eq!(filter.size_bits(), sizes.sum::<u64>());
}

#[test]
fn each_stage_is_as_many_times_the_last_as_the_policy_says() {
    for growth in [1, 2, 5, 100] {
        let mut filter = make(policy(5, 0.01).growth(growth).unwrap());
        take(&mut filter, 0, 6 + 5 * u64::from(growth));
        let capacities: Vec<u64> = filter.stages().map(Stage::capacity).collect();
        let growth = u64::from(growth);
        assert_eq!(capacities, [5, 5 * growth, 5 * growth * growth]);
    }
}

#[test]
fn the_target_is_met_however_many_keys_come() {
    // A thousand times the first capacity, which reaches the tenth stage or a later one.
    for (fpr, tightening) in [(0.1, 0.5), (0.01, 0.8), (0.01, 0.9)] {
        let policy = policy(100, fpr).tightening(tightening).unwrap();
        let mut filter = make(policy);
        let mut highest = 0.0f64;
        for round in 0..100u64 {
            filter
                .try_extend(round * 1_000..(round + 1) * 1_000)
                .unwrap();
            highest = highest.max(filter.estimated_fpr());
        }
        assert!(highest <= fpr, "{fpr} {tightening}: {highest}");
        assert!(filter.expected_fpr(100_000) <= fpr);
        assert!(filter.expected_fpr(u64::MAX) <= fpr);
        let hits = (1u64 << 40..)
            .take(100_000)
            .filter(|key| filter.contains(key));
        assert!((hits.count() as f64) < 1.1 * fpr * 1e5);
        assert!((0..100_000u64).all(|key| filter.contains(&key)));
    }
}

#[test]
fn false_positives_of_a_full_stage_do_not_break_the_target() {
    // A stage does not get keys that are false positives in it, so it is offered more keys than
    // its capacity: as many as are needed until the expected number of inserted keys reaches
    // the capacity.
    let shown_fpr = |spec: &Spec| {
        let stage = <StandardBloom>::geometry_for(spec).unwrap();
        let fpr = |keys| <StandardBloom>::expected_fpr_of(stage, keys);
        let (mut shown, mut taken) = (0, 0.0);
        while taken < spec.capacity() as f64 {
            taken += 1.0 - fpr(shown);
            shown += 1;
        }
        fpr(shown)
    };
    for target in [0.1, 0.01] {
        for tightening in [0.5, 0.8] {
            let policy = policy(100, target).growth(1).unwrap();
            let policy = policy.tightening(tightening).unwrap();
            let first = policy.first_stage().unwrap();
            let next = |spec: &Spec| policy.next_stage(spec).ok();
            let specs = std::iter::successors(Some(first), next).take(12);
            let all = math::compound_fpr(specs.map(|spec| shown_fpr(&spec)));
            assert!(all <= target, "{target} {tightening}: {all}");
        }
    }
}

#[test]
fn expected_fpr_does_not_depend_on_how_far_it_has_grown() {
    let (new, mut grown) = (make(policy(50, 0.05)), make(policy(50, 0.05)));
    grown.try_extend(0..2_000u64).unwrap();
    for keys in [0, 1, 50, 51, 149, 2_000, 100_000] {
        let (new, grown) = (new.expected_fpr(keys), grown.expected_fpr(keys));
        assert!((new - grown).abs() <= 1e-15, "{keys}: {new} {grown}");
    }
}

#[test]
fn the_policy_of_redis() {
    // BF.RESERVE key 0.01 1000: expansion 2, error rates halved from 0.005 on.
    let mut filter = make(policy(1_000, 0.01).tightening(0.5).unwrap());
    filter.try_extend(0..6_900u64).unwrap();
    let specs: Vec<_> = stages(&filter)
        .into_iter()
        .map(|(capacity, _, fpr)| (capacity, fpr))
        .collect();
    assert_eq!(specs, [(1_000, 0.005), (2_000, 0.0025), (4_000, 0.00125)]);

    // NONSCALING: the single stage gets the whole error rate, and a full filter rejects new
    // keys but still finds the others.
    let mut filter = make(policy(1_000, 0.01).max_stages(1).unwrap());
    assert_eq!(stages(&filter), [(1_000, 0, 0.01)]);
    let next = take(&mut filter, 0, 1_000);
    let absent = (next..).filter(|key| !filter.contains(key));
    let absent = absent.take(1).next().unwrap();
    assert_eq!(filter.try_insert(&absent), Err(Full::Stages { max: 1 }));
    assert_eq!(filter.try_insert(&7u64), Ok(false));
}

/// Offers the filter more keys than any stage may need; returns whether one was rejected.
fn rejects<F: Inner<Hasher = Folded>>(policy: Policy, filter: &mut ScalableBloom<F>) -> bool {
    let shown = 40 * policy.first_capacity();
    let rejected = (0..shown).any(|key| filter.try_insert(&key).is_err());
    assert!(filter.estimated_fpr() < 1.0 && filter.stages().all(Stage::is_full));
    rejected
}

#[test]
fn a_stage_becomes_full_however_high_the_target() {
    fn check<F: Inner<Hasher = Folded>>() {
        for fpr in [0.5, 0.63, 0.7, 0.9, 0.999, 1.0 - f64::EPSILON] {
            for capacity in [1_000, 20_000] {
                let policy = policy(capacity, fpr).max_stages(1).unwrap();
                let filter = ScalableBloom::<F>::with_policy(policy, Folded::default());
                let mut filter = filter.unwrap();
                assert!(rejects(policy, &mut filter), "{fpr} {capacity}");
                assert_eq!(filter.keys(), capacity);
            }
        }
    }
    check::<StandardBloom>();
    check::<PartitionedBloom>();
    check::<CountingBloom>();
    check::<BlockedBloom>();
    check::<BlockedBloom<Words32>>();
    check::<BlockedBloom<Line>>();
}

#[test]
fn a_loose_filter_grows_and_meets_its_target() {
    for tightening in [0.05, 0.2, 0.5] {
        let mut filter = make(policy(1_000, 0.9).tightening(tightening).unwrap());
        filter.try_extend(0..200_000u64).unwrap();
        assert!(filter.stages().count() > 3, "{tightening}");
        assert!(filter.estimated_fpr() <= 0.9, "{tightening}");
    }
}

#[test]
fn a_stage_made_elsewhere_for_a_high_fpr_becomes_full_too() {
    let spec = Spec::new(1_000, 0.9).unwrap();
    let own = StandardBloom::with_hasher(spec, Folded::default()).unwrap();
    let policy = policy(1_000, 0.9).max_stages(1).unwrap();
    let stage = Stage::from_parts(own, spec, 0);
    let mut filter = Standard::from_stages(policy, vec![stage]).unwrap();
    assert!(rejects(policy, &mut filter));
    assert!((filter.estimated_fpr() - 0.9).abs() < 0.01);
}

#[test]
fn a_full_filter_names_what_was_reached_and_keeps_its_members() {
    let wide = |capacity, fpr| policy(capacity, fpr).growth(MAX_GROWTH).unwrap();
    for (policy, name) in [
        (policy(10, 0.01).max_stages(3).unwrap(), "3 stages"),
        (policy(10, 0.01).max_bytes(200), "allows 200"),
        (policy(1_000, 0.01).max_bytes(3_000), "allows 3000"),
        (wide(1_000, 1e-14), "128 bits"),
    ] {
        let mut filter = make(policy);
        let mut key = 0u64;
        let full = loop {
            match filter.try_insert(&key) {
                Ok(_) => key += 1,
                Err(full) => break full,
            }
        };
        assert!(full.to_string().contains(name), "{full}");
        if let Full::NextStage(error) = &full {
            assert!(full.to_string().ends_with(&error.to_string()), "{full}");
        }
        assert!(full.source().is_none(), "the text has it: {full}");
        let before = filter.clone();
        for other in key..key + 100 {
            assert_eq!(filter.try_insert(&other).err().unwrap_or(full), full);
        }
        assert!(filter == before, "{name}");
        assert!((0..key).all(|key| filter.contains(&key)), "{name}");
        if let Some(max) = policy.byte_cap() {
            assert!(filter.size_bits() / 8 <= max);
        }
        filter.clear();
        assert_eq!((filter.keys(), filter.insert(&key)), (0, true));
    }
}

/// If `try_insert` would reject a key, `insert` loses nothing, and the filter's statistics show
/// the FPR that results.
#[test]
fn a_full_filter_takes_more_keys_than_its_target_allows() {
    let policy = policy(1_000, 0.01).max_stages(2).unwrap();
    let mut filter = make(policy);
    let mut keys = 0u64;
    while filter.try_insert(&keys).is_ok() {
        keys += 1;
    }
    assert!(filter.estimated_fpr() <= 0.01 && !filter.is_over_capacity());
    let at_capacity = filter.expected_fpr(filter.keys());

    let mut in_batches = filter.clone();
    let mut extended = filter.clone();
    let more: Vec<u64> = (keys..2 * keys).collect();
    let new = more.iter().filter(|key| filter.insert(*key)).count();
    assert_eq!(in_batches.insert_batch(&more), new);
    extended.extend(&more);
    assert!(in_batches == filter && extended == filter);
    let mut by_hash = make(policy);
    let hashes: Vec<_> = (0..2 * keys).map(|key| by_hash.hash(&key)).collect();
    by_hash.insert_hash_batch(&hashes);
    assert!(by_hash == filter);

    assert!(new as u64 > 9 * keys / 10, "{new} of {keys}");
    assert_eq!(filter.stages().count(), 2);
    assert_eq!(filter.keys(), 3_000 + new as u64);
    assert!((0..2 * keys).all(|key| filter.contains(&key)));
    let (expected, now) = (filter.expected_fpr(filter.keys()), filter.estimated_fpr());
    assert!(filter.is_over_capacity() && now > 3.0 * at_capacity);
    assert!((now / expected - 1.0).abs() < 0.2, "{now} {expected}");

    // The decoded filter is the same, and `try_insert` still rejects keys.
    let again = ScalableBloom::from_bytes(&filter.encode()).unwrap();
    assert!(again == filter);
    let full = (2 * keys..3 * keys).find_map(|key| filter.try_insert(&key).err());
    assert_eq!(full, Some(Full::Stages { max: 2 }));
    assert!(again == filter);
    filter.clear();
    assert!(filter == make(policy));
}

#[test]
fn a_cap_that_the_first_stage_exceeds_is_an_error() {
    for cap in [0, 1_000] {
        let made = Standard::with_policy(policy(1_000, 0.01).max_bytes(cap), Folded::default());
        let error = made.unwrap_err();
        assert!(matches!(error, PolicyError::Bytes { max, needed } if max == cap && needed > max));
        let text = error.to_string();
        assert!(text.contains(&format!("cap of {cap} bytes")), "{text}");
        assert!(!text.contains("memory"), "{text}");
    }
    let made = Standard::with_policy(policy(1_000_000, 1e-13), Folded::default());
    let error = made.unwrap_err();
    assert!(error.source().is_none() && error.to_string().contains("128 bits"));
}

#[test]
fn wrong_specs_say_what_to_do() {
    let error = |capacity, fpr| ScalableBloom::new(capacity, fpr).unwrap_err();
    assert_eq!(error(0, 0.01), SpecError::ZeroCapacity);
    for fpr in [0.0, 1.0, -0.5, f64::NAN] {
        assert!(error(10, fpr).to_string().contains("0.01 for 1 %"));
    }
    assert!(matches!(
        error(1_000_000_000_000_000, 0.01),
        SpecError::TooLarge { .. }
    ));
    let low = error(1_000_000, 1e-13);
    assert!(matches!(low, SpecError::BelowHashFloor { .. }));
    let spec = Spec::new(1_000_000, 1e-13).unwrap();
    let wide = ScalableBloom::<StandardBloom<Xxh3Wide>>::with_hasher(spec, Xxh3Wide::default());
    assert!(wide.is_ok());
    for error in [
        policy(1, 0.5).growth(0).unwrap_err(),
        policy(1, 0.5).growth(MAX_GROWTH + 1).unwrap_err(),
        policy(1, 0.5).tightening(1.0).unwrap_err(),
        policy(1, 0.5).max_stages(0).unwrap_err(),
    ] {
        assert!(error.to_string().contains(['1', '2']), "{error}");
    }
}

#[test]
fn from_keys_needs_one_stage() {
    let filter = ScalableBloom::from_keys((0..5_000u32).map(|i| i * 3), 0.01).unwrap();
    assert_eq!((filter.capacity(), filter.stages().count()), (5_000, 1));
    assert!((0..5_000u32).all(|i| filter.contains(&(i * 3))));
    assert!(filter.keys() > 4_980 && filter.keys() <= 5_000);
    let mut one_by_one = ScalableBloom::new(5_000, 0.01).unwrap();
    one_by_one.try_extend((0..5_000u32).map(|i| i * 3)).unwrap();
    assert!(filter == one_by_one);
    let empty = ScalableBloom::from_keys(Vec::<String>::new(), 0.01).unwrap();
    assert!(!empty.contains("anything"));
}

#[test]
fn try_extend_inserts_each_and_stops_at_an_error() {
    let policy = policy(100, 0.01).max_stages(2).unwrap();
    let (mut extended, mut inserted) = (make(policy), make(policy));
    assert_eq!(extended.try_extend(0..250u64).unwrap(), extended.keys());
    (0..250u64).for_each(|key| assert!(inserted.try_insert(&key).is_ok()));
    assert!(extended == inserted);
    let error = extended.try_extend(200..10_000u64).unwrap_err();
    assert_eq!(error.error, Full::Stages { max: 2 });
    assert_eq!(extended.keys(), 300);
    let first_rejected = 200 + error.index as u64;
    assert!((0..first_rejected).all(|key| extended.contains(&key)));
    assert!(!extended.contains(&first_rejected));
}

#[test]
fn stages_can_be_put_together_again() {
    let mut filter = make(policy(10, 0.01));
    filter.try_extend(0..100u64).unwrap();
    let parts = |filter: &Standard| -> Vec<Stage<StandardBloom>> {
        let copy = |stage: &Stage<StandardBloom>| {
            Stage::from_parts(stage.filter().clone(), stage.spec(), stage.keys())
        };
        filter.stages().map(copy).collect()
    };
    let mut again = Standard::from_stages(filter.policy(), parts(&filter)).unwrap();
    assert!(again == filter);
    filter.try_extend(100..1_000u64).unwrap();
    again.try_extend(100..1_000u64).unwrap();
    assert!(again == filter);

    let none = Standard::from_stages(policy(10, 0.01), Vec::new());
    assert_eq!(none.unwrap_err(), PolicyError::NoStages);
    let other = Spec::new(10, 0.01).unwrap();
    let other = Standard::with_hasher(other, Folded::with_seed(1)).unwrap();
    let mut mixed = parts(&filter);
    mixed.extend(parts(&other));
    let mixed = Standard::from_stages(policy(10, 0.01), mixed);
    assert_eq!(mixed.unwrap_err(), PolicyError::HashersDiffer);
}

#[test]
fn counts_past_u64_stop_at_its_maximum() {
    let spec = Spec::new(10, 0.01).unwrap();
    let own = StandardBloom::with_hasher(spec, Folded::default()).unwrap();
    let stage = || Stage::from_parts(own.clone(), spec, u64::MAX);
    let filter = Standard::from_stages(policy(10, 0.01), vec![stage(), stage()]).unwrap();
    assert_eq!(filter.keys(), u64::MAX);
}

#[test]
fn a_stage_has_the_bits_for_its_keys() {
    let own = StandardBloom::from_parts(700, 3, Folded::default()).unwrap();
    let stages = |capacity| {
        let spec = Spec::new(capacity, 0.01).unwrap();
        vec![Stage::from_parts(own.clone(), spec, 0)]
    };
    // The size of the stage's filter: two cache lines.
    let most = 2 * 512 * MAX_KEYS_PER_BIT;
    let filter = Standard::from_stages(policy(10, 0.01), stages(most)).unwrap();
    assert!(Standard::decode(&filter.encode()).unwrap() == filter);
    for capacity in [most + 1, u64::MAX] {
        let error = Standard::from_stages(policy(10, 0.01), stages(capacity)).unwrap_err();
        let size_bits = 700;
        let named = PolicyError::StageTooSmall {
            capacity,
            size_bits,
        };
        assert_eq!(error, named);
        assert!(error.to_string().contains("at most 16 keys per bit"));
    }
}

/// The mean ratio of estimated to true values, of the FPR and of the number of keys, for
/// filters that have reached the fifth stage or a later one.
fn bias(target: f64, tightening: f64) -> (f64, f64) {
    const FILTERS: u64 = 8;
    const KEYS: u64 = 60_000;
    const ABSENT: u64 = 200_000;
    let (mut fpr, mut keys) = (0.0, 0.0);
    for seed in 0..FILTERS {
        let policy = policy(1_000, target).tightening(tightening).unwrap();
        let mut filter = Standard::with_policy(policy, Folded::with_seed(seed)).unwrap();
        filter.try_extend(0..KEYS).unwrap();
        let absent = (1u64 << 40..).take(ABSENT as usize);
        let hits = absent.filter(|key| filter.contains(key)).count();
        fpr += filter.estimated_fpr() * ABSENT as f64 / hits as f64;
        keys += filter.estimated_keys() / KEYS as f64;
    }
    (fpr / FILTERS as f64 - 1.0, keys / FILTERS as f64 - 1.0)
}

#[test]
fn the_estimates_are_off_as_documented() {
    // Errors in percent at r = 0.5; for 16,000 hits at 1 %, one standard deviation is 0.8 %.
    for (target, fpr_off, within, keys_off) in [
        (0.01, 0.0, 4.0, 0.0),
        (0.1, -0.6, 1.0, -0.1),
        (0.3, -1.5, 0.6, -0.8),
        (0.5, -3.3, 0.6, -3.0),
    ] {
        let (fpr, keys) = bias(target, 0.5);
        let (fpr, keys) = (100.0 * fpr, 100.0 * keys);
        assert!((fpr - fpr_off).abs() < within, "{target}: {fpr} %");
        assert!((keys - keys_off).abs() < 0.5, "{target}: {keys} %");
    }
    // The errors are smaller at r = 0.8, where the first stages have a lower FPR.
    let (fpr, keys) = bias(0.5, 0.8);
    assert!((-0.025..-0.01).contains(&fpr) && (-0.015..0.0).contains(&keys));
}

#[test]
fn it_reports_when_the_target_is_exceeded() {
    let mut grows = make(policy(100, 0.1));
    grows.try_extend(0..10_000u64).unwrap();
    assert!(!grows.is_over_capacity());
    let mut lone = make(policy(1_000, 0.5).max_stages(1).unwrap());
    assert!(!lone.is_over_capacity());
    assert!(lone.try_extend(0..10_000u64).is_err());
    assert!(lone.is_over_capacity());
}

#[test]
fn clear_keeps_only_the_first_stage() {
    let mut filter = make(policy(100, 0.01));
    filter.try_extend(0..1_000u64).unwrap();
    filter.clear();
    assert_eq!(filter.stages().count(), 1);
    assert!(filter == make(policy(100, 0.01)));
}

#[test]
fn memory_is_as_reported() {
    let mut filter = ScalableBloom::new(1_000, 0.01).unwrap();
    filter.try_extend(0..100_000u64).unwrap();
    let overhead = filter.memory_bytes() as u64 - filter.size_bits() / 8;
    // About a hundred bytes per stage; there are seven stages, with room for eight.
    assert!((500..2_000).contains(&overhead), "{overhead}");
}

#[test]
fn the_cost_table_is_right() {
    // The first capacity is 100,000, so that rounding to words is not visible.
    let bits_and_keys = |tightening, stages| {
        let policy = policy(100_000, 0.01).tightening(tightening).unwrap();
        let first = policy.first_stage().unwrap();
        let specs = std::iter::successors(Some(first), |spec| policy.next_stage(spec).ok());
        let (mut bits, mut keys) = (0, 0);
        for spec in specs.take(stages) {
            let stage = <StandardBloom>::geometry_for(&spec).unwrap();
            bits += <StandardBloom>::size_bits_of(stage);
            keys += spec.capacity();
        }
        (bits as f64, keys as f64)
    };
    for (stages, want) in [
        (1, [(11.03, 36.0), (12.94, 39.7), (14.38, 43.6)]),
        (3, [(13.09, 30.6), (13.60, 30.0), (14.69, 31.9)]),
        (5, [(15.59, 34.4), (14.40, 30.2), (15.07, 31.1)]),
        (10, [(22.58, 48.1), (16.66, 34.3), (16.14, 32.7)]),
    ] {
        for (tightening, (want_full, want_grown)) in [0.5, 0.8, 0.9].into_iter().zip(want) {
            let (bits, keys) = bits_and_keys(tightening, stages);
            let (grown_bits, _) = bits_and_keys(tightening, stages + 1);
            let (full, grown) = (bits / keys, grown_bits / (keys + 1.0));
            let cell = format!("{want_full:.2} to {want_grown:.1}");
            assert!(
                (full - want_full).abs() < 0.015 && (grown - want_grown).abs() < 0.06,
                "{stages} {tightening}: {full} {grown}, not {cell}"
            );
            assert!(include_str!("../../README.md").contains(&cell), "{cell}");
            let new = 1.0 - bits / grown_bits;
            assert!((0.5..0.71).contains(&new), "{stages} {tightening}: {new}");
        }
    }
}

/// A spec that the inner filter itself rejects is rejected for a first stage, but not for a
/// later one.
#[test]
fn a_first_stage_that_would_waste_memory_is_rejected() {
    use bouquet_blocked::{BlockedBloom, Words32};
    use bouquet_scalable::{SpecError, Xxh3Wide};

    type Blocks = ScalableBloom<BlockedBloom<Words32, Xxh3Wide>>;
    let spec = Spec::new(1_000, 1e-15).unwrap();
    let error = Blocks::with_hasher(spec, Xxh3Wide::new()).err();
    assert!(
        matches!(error, Some(SpecError::Wasteful { .. })),
        "{error:?}"
    );
    let policy = Policy::new(spec);
    assert!(Blocks::with_policy(policy, Xxh3Wide::new()).is_err());
}
