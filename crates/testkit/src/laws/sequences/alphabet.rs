use bouquet_core::{ConcurrentInsert, Incompatible, Intersect, Prehashed, Remove, Spec, Union};
use proptest::{
    collection::vec,
    prelude::{Just, any, prop_oneof},
    sample::select,
    strategy::{BoxedStrategy, Strategy, Union as OneOf},
};

use super::case::{Case, KEYS, Op, Way, bits_per_key};

/// Target FPRs of small filters, in which the slots of keys overlap.
const TARGETS: [f64; 3] = [0.5, 0.1, 0.01];
/// Target FPRs that every kind of filter supports.
const ALL_TARGETS: [f64; 6] = [0.9, 0.5, 0.1, 0.01, 1e-3, 1e-6];

/// The lowest and the highest target FPR that is drawn.
const DRAWN_TARGETS: (f64, f64) = (1e-15, 0.9);
/// Binary logarithms of two sizes: most drawn filters have at most the first number of bits, the
/// others at most the second.
const DRAWN_BITS: (f64, f64) = (20.0, 33.0);

/// Removes a key by its bytes, or by its hash if the flag is `true`.
type Removal<F> = fn(&mut F, &[u8], bool) -> bool;
type Extension<F> = fn(&mut F, Vec<Vec<u8>>);
/// Inserts a key by its bytes, or by its hash if the flag is `true`.
type SharedInsert<F> = fn(&F, &[u8], bool) -> bool;
type Combination<F> = fn(&mut F, &F) -> Result<(), Incompatible>;

/// The operations that a filter supports besides queries, inserts and `clone`.
///
/// The macro [`laws!`](crate::laws!) derives it from the laws that a filter lists: if a filter
/// lists `remove`, its law `sequences` uses that operation. By hand:
///
/// ```
/// use bouquet_testkit::{laws::{self, Alphabet}, toy::Toy};
///
/// let make = |spec, seed| Toy::new(spec, seed).unwrap();
/// let letters = Alphabet::of(&make).union().clear(Toy::clear);
/// assert_eq!(laws::sequences(make, &letters), Ok(()));
/// ```
#[derive(Debug)]
pub struct Alphabet<F> {
    pub(super) remove: Option<Removal<F>>,
    pub(super) union: Option<Combination<F>>,
    pub(super) intersect: Option<Combination<F>>,
    pub(super) clear: Option<fn(&mut F)>,
    pub(super) extend: Option<Extension<F>>,
    pub(super) share: Option<SharedInsert<F>>,
}

impl<F> Alphabet<F> {
    /// An alphabet without optional operations, for the filter that `make` returns.
    pub fn of(_make: &impl Fn(Spec, u64) -> F) -> Self {
        Self {
            remove: None,
            union: None,
            intersect: None,
            clear: None,
            extend: None,
            share: None,
        }
    }

    /// Adds the removal of members and of absent keys. A key inserted twice is still present after
    /// one removal.
    #[must_use]
    pub fn remove(mut self) -> Self
    where
        F: Remove,
    {
        self.remove = Some(|filter, key, hashed| match hashed {
            true => filter.remove_hash(filter.hash_key(key)),
            false => filter.remove(key),
        });
        self
    }

    /// Adds unions with other filters. The result contains each key as often as both filters
    /// together.
    #[must_use]
    pub fn union(mut self) -> Self
    where
        F: Union,
    {
        self.union = Some(F::union_with);
        self
    }

    /// Adds intersections with other filters. The result contains each key as often as the filter
    /// that contains it less often.
    #[must_use]
    pub fn intersect(mut self) -> Self
    where
        F: Intersect,
    {
        self.intersect = Some(F::intersect_with);
        self
    }

    /// Adds clearing the filter with its inherent method.
    #[must_use]
    pub fn clear(mut self, clear: fn(&mut F)) -> Self {
        self.clear = Some(clear);
        self
    }

    /// Adds `extend`.
    #[must_use]
    pub fn extend(mut self) -> Self
    where
        F: Extend<Vec<u8>>,
    {
        self.extend = Some(|filter, keys| filter.extend(keys));
        self
    }

    /// Adds inserts through a shared reference, among the other inserts.
    #[must_use]
    pub fn share(mut self) -> Self
    where
        F: ConcurrentInsert + Prehashed,
    {
        self.share = Some(|filter, key, hashed| match hashed {
            true => filter.insert_hash_shared(filter.hash_key(key)),
            false => filter.insert_shared(key),
        });
        self
    }

    /// Cases of up to `longest` operations on small filters.
    pub(super) fn short_cases(&self, longest: usize) -> BoxedStrategy<Case> {
        self.cases(longest, (1..=32u64, select(&TARGETS[..])))
    }

    /// Cases of up to `longest` operations on filters of several sizes. Few of them are large,
    /// because large filters are slow to compare and the slots of their keys rarely overlap.
    pub(super) fn all_cases(&self, longest: usize) -> BoxedStrategy<Case> {
        let capacity = prop_oneof![19 => 1..=32u64, 1 => 33..=4_096u64];
        self.cases(longest, (capacity, select(&ALL_TARGETS[..])))
    }

    /// Cases of up to `longest` operations on filters of any size and target. Few of them are
    /// large, because those take most of the time.
    pub(super) fn drawn_cases(&self, longest: usize) -> BoxedStrategy<Case> {
        let (most, all) = DRAWN_BITS;
        let log2_bits = prop_oneof![19 => 0.0..=most, 1 => most..=all];
        let (least, highest) = DRAWN_TARGETS;
        let share = 0.0..=1.0f64;
        let spec = (log2_bits, share).prop_map(move |(log2_bits, share)| {
            let target_fpr = highest * (least / highest).powf(share);
            let capacity = log2_bits.exp2() / bits_per_key(target_fpr);
            ((capacity as u64).max(1), target_fpr)
        });
        self.cases(longest, spec)
    }

    fn cases(
        &self,
        longest: usize,
        specs: impl Strategy<Value = (u64, f64)> + 'static,
    ) -> BoxedStrategy<Case> {
        let ops = vec(self.ops(), 1..=longest);
        let cases = (specs, 0..100u64, ops).prop_map(|((capacity, target_fpr), seed, ops)| Case {
            capacity,
            target_fpr,
            seed,
            ops,
        });
        cases.boxed()
    }

    fn ops(&self) -> OneOf<BoxedStrategy<Op>> {
        let mut ways = vec![Way::Bytes, Way::Hash];
        ways.extend(self.share.map(|_| Way::SharedBytes));
        ways.extend(self.share.map(|_| Way::SharedHash));
        // Twenty copies bring a four-bit counter to its maximum.
        let copies = || prop_oneof![9 => Just(1), 1 => 2..=20usize];
        let insert = (key(), copies(), select(ways)).prop_map(|(key, copies, way)| Op::Insert {
            key,
            copies,
            way,
        });
        let mut letters = vec![
            (12, insert.boxed()),
            (3, keys().prop_map(Op::InsertBatch).boxed()),
            (3, keys().prop_map(Op::Ask).boxed()),
            (1, Just(Op::Clone).boxed()),
        ];
        if self.remove.is_some() {
            let remove =
                (key(), copies(), any::<bool>()).prop_map(|(key, copies, hashed)| Op::Remove {
                    key,
                    copies,
                    hashed,
                });
            letters.push((10, remove.boxed()));
        }
        if self.extend.is_some() {
            letters.push((2, keys().prop_map(Op::Extend).boxed()));
        }
        if self.union.is_some() {
            letters.push((2, keys().prop_map(Op::Union).boxed()));
        }
        if self.intersect.is_some() {
            letters.push((1, keys().prop_map(Op::Intersect).boxed()));
        }
        if self.clear.is_some() {
            letters.push((1, Just(Op::Clear).boxed()));
        }
        OneOf::new_weighted(letters)
    }
}

/// Half of the keys are drawn from only six, so that these occur again and again.
fn key() -> impl Strategy<Value = usize> {
    prop_oneof![0..6usize, 0..KEYS]
}

fn keys() -> impl Strategy<Value = Vec<usize>> {
    vec(key(), 0..12)
}
