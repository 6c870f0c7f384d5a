//! Tests that the facts about each filter agree with what its crate can do.

use std::{marker::PhantomData, ops::Range};

use bouquet_core::{Filter as _, Spec};
use bouquet_hash::Folded;

use crate::{
    CatalogueFilter, Facts, FilterInfo, Unites, atomic::Atomic, blocked::Blocked,
    blocked_line::BlockedLine, blocked_words32::BlockedWords32, counting::Counting, cuckoo::Cuckoo,
    partitioned::Partitioned, scalable::Scalable, sharded::Sharded,
    sharded_counting::ShardedCounting, standard::Standard,
};

/// Whether `$type` implements `$trait`. If it does, the inherent constant `HAS` exists and takes
/// precedence over that of the trait `Lacks`.
macro_rules! has {
    ($type:ty, $trait:path) => {{
        struct Of<T>(PhantomData<T>);
        #[allow(dead_code, reason = "asked of a type that lacks it")]
        trait Lacks {
            const HAS: bool = false;
        }
        impl<T> Lacks for Of<T> {}
        #[allow(dead_code, reason = "asked of a type that has it")]
        impl<T: $trait> Of<T> {
            const HAS: bool = true;
        }
        <Of<$type>>::HAS
    }};
}

/// The return type of `insert`: it says whether the filter can reject keys.
trait Inserted {
    const REJECTS: bool;
}

impl Inserted for bool {
    const REJECTS: bool = false;
}

impl<E> Inserted for Result<bool, E> {
    const REJECTS: bool = true;
}

fn rejects<T: Inserted>(_: T) -> bool {
    T::REJECTS
}

const CAPACITY: u64 = 1_000;
const TARGET_FPR: f64 = 0.01;

fn with<V: FilterInfo>(keys: impl Iterator<Item = u64>) -> V::Filter<Folded> {
    let spec = Spec::new(CAPACITY, TARGET_FPR).unwrap();
    let mut filter = V::make(spec, Folded::default()).unwrap();
    for key in keys {
        let _ = filter.insert_one(&key);
    }
    filter
}

/// Checks the facts `grows`, `relocates` and `unites` with filters that contain keys.
fn behaves<V: FilterInfo>() {
    let Facts { name, .. } = V::FACTS;
    let [empty, full] = [0, 10 * CAPACITY].map(|keys| with::<V>(0..keys));
    assert_eq!(
        V::FACTS.grows,
        full.inspect().size_bits() > empty.inspect().size_bits(),
        "{name}"
    );
    let [one, other] = [with::<V>(0..CAPACITY), with::<V>((0..CAPACITY).rev())];
    let differs = one.encoded() != other.encoded();
    // A stage of a growing filter stores the number of keys that were new to the filter. This
    // depends on the order of insertion, so the encodings may differ without relocation.
    assert!(V::FACTS.grows || V::FACTS.relocates == differs, "{name}");
    let mut own = with::<V>(0..CAPACITY);
    let same = V::FACTS.unites == Unites::Same;
    assert_eq!(
        CatalogueFilter::union(&mut own, &one).is_ok(),
        same,
        "{name}"
    );
}

fn unites<V: FilterInfo>(
    unite: impl Fn(&mut V::Filter<Folded>, &V::Filter<Folded>) -> Option<String>,
) {
    let Facts { name, unites, .. } = V::FACTS;
    let united = |keys: [Range<u64>; 2]| {
        let [mut own, other] = keys.map(with::<V>);
        let error = unite(&mut own, &other);
        (own, error)
    };
    let (half, error) = united([0..CAPACITY / 2, CAPACITY / 2..CAPACITY]);
    assert_eq!(error, None, "{name}");
    assert!(
        (0..CAPACITY).all(|key| half.contains_bytes(&key.to_le_bytes())),
        "{name}"
    );
    let (full, error) = united([0..CAPACITY, CAPACITY..2 * CAPACITY]);
    let fpr = full.inspect().estimated_fpr();
    match unites {
        Unites::Same => {
            assert!(half.encoded() == with::<V>(0..CAPACITY).encoded(), "{name}");
            assert_eq!(error, None, "{name}");
        }
        Unites::IfRoom => assert!(error.unwrap().contains("no room"), "{name}"),
        Unites::AddedFprs => {
            let own = with::<V>(0..CAPACITY).inspect().estimated_fpr();
            assert!((fpr / own - 2.0).abs() < 0.2, "{name}: {fpr}, {own}");
        }
        Unites::Never => panic!("{name}"),
    }
}

/// Checks the facts about each of these filters, and returns the filters' names.
macro_rules! holds {
    ($($variant:ty),* $(,)?) => {{
        $({
            type Filter = <$variant as FilterInfo>::Filter<Folded>;
            let facts = <$variant>::FACTS;
            let name = facts.name;
            assert_eq!(facts.removes, has!(Filter, bouquet_core::Remove), "{name}");
            let concurrent = has!(Filter, bouquet_core::ConcurrentInsert);
            assert_eq!(facts.concurrent, concurrent, "{name}");
            let sets = [
                has!(Filter, bouquet_core::Union),
                has!(Filter, bouquet_core::Intersect),
            ];
            assert_eq!(sets, [facts.unites == Unites::Same; 2], "{name}");
            let is_inner = has!(Filter, bouquet_core::Inner);
            // A filter that grows has a type of its own for threads.
            let has_none = is_inner || concurrent || facts.grows;
            assert_eq!(facts.in_shards.is_none(), has_none, "{name}");
            #[allow(unused_mut, reason = "some insert through a shared reference")]
            let mut filter = with::<$variant>(0..1);
            let may_reject = rejects(filter.insert("a key"));
            assert_eq!(facts.rejects, may_reject, "{name}");
            assert_eq!(facts.counts, facts.removes && !may_reject, "{name}");
            behaves::<$variant>();
            unites::<$variant>(|own, other| own.union_with(other).err().map(|error| error.to_string()));
        })*
        vec![$(<$variant>::FACTS.name),*]
    }};
}

#[test]
fn the_facts_are_what_the_crates_can() {
    let names = holds![
        Standard,
        Counting,
        Partitioned,
        Blocked,
        BlockedWords32,
        BlockedLine,
        Scalable,
        Sharded,
        Atomic,
        Cuckoo,
        ShardedCounting,
    ];
    let all = crate::facts().into_iter();
    // Filters that cannot be united are a kind of their own.
    let all = all.filter(|facts| facts.unites != Unites::Never);
    assert_eq!(names, all.map(|facts| facts.name).collect::<Vec<_>>());
}
