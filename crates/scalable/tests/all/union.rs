//! The union of two filters has every key of both, and its statistics show the cost.

use bouquet_blocked::BlockedBloom;
use bouquet_core::Parameter;
use bouquet_counting::CountingBloom;
use bouquet_partitioned::PartitionedBloom;
use bouquet_scalable::{
    Folded, Full, Inner, Inspect, Policy, ScalableBloom, ScalableView, Spec, Stage, StandardBloom,
    UnionError, View, math::compound_fpr,
};

type Standard = ScalableBloom<StandardBloom>;

fn policy(capacity: u64, fpr: f64) -> Policy {
    Policy::new(Spec::new(capacity, fpr).unwrap())
}

/// A filter with the keys of a range.
fn of(policy: Policy, keys: std::ops::Range<u64>) -> Standard {
    let mut filter = Standard::with_policy(policy, Folded::default()).unwrap();
    filter.extend(keys);
    filter
}

fn united(left: &Standard, right: &Standard) -> Standard {
    let mut both = left.clone();
    both.union_with(right).unwrap();
    both
}

/// The capacity and number of keys of every stage.
fn stages(filter: &Standard) -> Vec<(u64, u64)> {
    let of = |stage: &Stage<StandardBloom>| (stage.capacity(), stage.keys());
    filter.stages().map(of).collect()
}

fn has_the_keys_of_both<F: Inner<Hasher = Folded> + Clone + PartialEq>() {
    for (left, right) in [(0, 1), (1, 0), (5, 500), (500, 5), (700, 900)] {
        let make = |keys: std::ops::Range<u64>| {
            let policy = policy(100, 0.01);
            let mut filter = ScalableBloom::<F>::with_policy(policy, Folded::default()).unwrap();
            filter.extend(keys);
            filter
        };
        let mut both = make(0..left);
        both.union_with(&make(10_000..10_000 + right)).unwrap();
        assert!((0..left).all(|key| both.contains(&key)));
        assert!((10_000..10_000 + right).all(|key| both.contains(&key)));
        // Keys inserted after the union are found too.
        both.extend(20_000..22_000u64);
        assert!(
            (0..left)
                .chain(20_000..22_000)
                .all(|key| both.contains(&key))
        );
    }
}

#[test]
fn no_key_becomes_a_false_negative() {
    has_the_keys_of_both::<StandardBloom>();
    has_the_keys_of_both::<BlockedBloom>();
    has_the_keys_of_both::<PartitionedBloom>();
    has_the_keys_of_both::<CountingBloom>();
}

#[test]
fn what_it_has_already_changes_nothing() {
    let policy = policy(10, 0.01);
    let (none, some) = (of(policy, 0..0), of(policy, 0..100));
    assert!(united(&some, &none) == some);
    assert!(united(&none, &some) == some);
    assert!(united(&none, &none) == none);
    assert!(united(&some, &some) == some);
    let more = united(&some, &of(policy, 100..120));
    assert!(united(&more, &some) == more);
}

#[test]
fn the_fpr_is_that_of_both_and_stays_so_when_it_grows() {
    let policy = policy(1_000, 0.01);
    // Each filter has begun its newest stage, of 32,000 and of 64,000 keys.
    let (left, right) = (of(policy, 0..33_000), of(policy, 100_000..180_000));
    let mut both = united(&left, &right);
    let of_both = compound_fpr([left.estimated_fpr(), right.estimated_fpr()]);
    assert!((both.estimated_fpr() / of_both - 1.0).abs() < 1e-12);
    let counted = |filter: &Standard| {
        let absent = 1_000_000..1_400_000u64;
        absent.filter(|key| filter.contains(key)).count() as f64 / 4e5
    };
    let deviation = (of_both / 4e5).sqrt();
    assert!((counted(&both) - of_both).abs() < 5.0 * deviation);
    // The theory's value for the keys of the union, each in the stage that it was inserted
    // into.
    let expected = both.expected_fpr(both.keys());
    assert!((expected / of_both - 1.0).abs() < 0.05, "{expected}");
    let of_stages = both
        .stages()
        .map(|stage| stage.filter().expected_fpr(stage.keys()));
    let of_stages = compound_fpr(of_stages);
    assert!((expected / of_stages - 1.0).abs() < 1e-12, "{expected}");

    both.extend(200_000..600_000u64);
    assert!(both.estimated_fpr() <= 2.0 * both.target_fpr());
    assert!(counted(&both) <= 2.0 * both.target_fpr());
    let keys = both.estimated_keys();
    assert!((keys / 513_000.0 - 1.0).abs() < 0.02, "{keys}");
}

#[test]
fn it_grows_from_the_largest_stage() {
    let policy = policy(10, 0.01);
    let (small, large) = (of(policy, 0..12), of(policy, 100..180));
    assert_eq!(stages(&small), [(10, 10), (20, 2)]);
    assert_eq!(stages(&large)[3], (80, large.keys() - 70));
    for mut both in [united(&small, &large), united(&large, &small)] {
        let capacities: Vec<u64> = stages(&both).iter().map(|stage| stage.0).collect();
        assert_eq!(capacities, [10, 10, 20, 20, 40, 80]);
        assert_eq!(stages(&both)[3].1, 2, "the one with room is the newer");
        both.extend(1_000..1_200u64);
        assert_eq!(stages(&both)[5], (80, 80));
        assert_eq!(stages(&both)[6].0, 160);
        both.clear();
        assert_eq!(stages(&both), [(10, 0)]);
    }
}

#[test]
fn filters_that_differ_are_rejected_by_name() {
    let own = of(policy(10, 0.01), 0..100);
    let rejected = |other: &Standard| {
        let mut filter = own.clone();
        let error = filter.union_with(other).unwrap_err();
        assert!(filter == own, "it has changed");
        error
    };
    let seeded = Standard::with_policy(policy(10, 0.01), Folded::with_seed(1)).unwrap();
    let UnionError::Incompatible(seeds) = rejected(&seeded) else {
        panic!("another seed");
    };
    assert_eq!(seeds.parameter, Parameter::Seed);
    for (other, words) in [
        (policy(20, 0.01), "first capacity: 10 here, 20 there"),
        (policy(10, 0.02), "target FPR: 0.01 here, 0.02 there"),
        (
            policy(10, 0.01).growth(3).unwrap(),
            "growth: 2 here, 3 there",
        ),
        (
            policy(10, 0.01).tightening(0.5).unwrap(),
            "tightening: 0.8 here, 0.5 there",
        ),
    ] {
        let error = rejected(&of(other, 0..1)).to_string();
        assert!(error.contains(words), "{error}");
        assert!(error.contains("make both filters with one policy"));
    }
}

#[test]
fn the_caps_hold_for_both_together() {
    let free = policy(10, 0.01);
    let five = free.max_stages(5).unwrap();
    let (left, right) = (of(five, 0..60), of(five, 100..160));
    assert_eq!((left.stages().count(), right.stages().count()), (3, 3));
    let mut both = left.clone();
    let error = both.union_with(&right).unwrap_err();
    assert_eq!(error, UnionError::Stages { max: 5, needed: 6 });
    assert!(error.to_string().contains("insert the keys again"));
    assert!(both == left);
    // The limits of the other filter do not matter, and an empty stage is not counted.
    let mut both = of(free, 0..60);
    both.union_with(&right).unwrap();
    let mut both = of(five, 0..0);
    both.union_with(&united(&of(free, 0..25), &of(free, 50..90)))
        .unwrap();
    assert_eq!(both.stages().count(), 5);

    let bytes = left.size_bits().div_ceil(8);
    let capped = free.max_bytes(2 * bytes - 1);
    let (left, right) = (of(capped, 0..60), of(capped, 100..160));
    let mut both = left.clone();
    let error = both.union_with(&right).unwrap_err();
    let needed = 2 * bytes;
    let max = needed - 1;
    assert_eq!(error, UnionError::Bytes { max, needed });
    assert!(both == left);
}

#[test]
fn what_ends_growth_is_computed_again() {
    let bytes = |filter: &Standard| filter.size_bits() / 8;
    let (grown, small) = (of(policy(10, 0.01), 0..60), of(policy(10, 0.01), 100..105));
    let capped = policy(10, 0.01).max_bytes(bytes(&grown) + bytes(&small));
    let (mut full, small) = (of(capped, 0..60), of(capped, 100..105));
    let end = |filter: &mut Standard| {
        let rejected = (1_000..2_000u64).find_map(|key| filter.try_insert(&key).err());
        let Some(Full::Bytes { needed, .. }) = rejected else {
            panic!("{rejected:?}");
        };
        needed
    };
    let before = end(&mut full);
    full.union_with(&small).unwrap();
    assert_eq!(end(&mut full), before + bytes(&small));
}

#[test]
fn it_is_stored_as_any_other() {
    let policy = policy(10, 0.01);
    let both = united(&of(policy, 0..75), &of(policy, 100..112));
    let stored = both.encode();
    assert!(ScalableBloom::from_bytes(&stored).unwrap() == both);
    let view: ScalableView<'_> = View::open(&stored).unwrap();
    assert!((0..75u64).chain(100..112).all(|key| view.contains(&key)));
}

#[test]
fn stages_whose_counts_are_wrong_keep_their_keys() {
    let policy = policy(10, 0.01);
    let kept = of(policy, 0..5);
    let stage = kept.stages().next().unwrap();
    let uncounted = Stage::from_parts(stage.filter().clone(), stage.spec(), 0);
    let uncounted = Standard::from_stages(policy, vec![uncounted]).unwrap();
    let other = of(policy, 100..105);
    for both in [united(&uncounted, &other), united(&other, &uncounted)] {
        assert!((0..5u64).chain(100..105).all(|key| both.contains(&key)));
    }
}
