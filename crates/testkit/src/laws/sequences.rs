//! Sequences of operations, compared with a multiset.

mod alphabet;
mod case;
mod run;

use std::fmt::Debug;

use bouquet_core::{Spec, SpecError, TryInsert};
use proptest::{
    strategy::BoxedStrategy,
    test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner},
};

use self::case::Case;
use super::{Verdict, spec};

pub use alphabet::Alphabet;

/// Short sequences tried on a filter, of so many operations at most. They come first, since
/// what is found in one takes few words.
const SHORT: (u32, usize) = (256, 60);
/// Long ones, unless `BOUQUET_SEQUENCES` says how many.
const LONG: (u32, usize) = (250, 200);
/// Those on filters of any size, unless it says how many.
const DRAWN: u32 = 100;

/// No sequence of operations loses a key, and every answer on the
/// way is right: 256 sequences of up to 60 random operations, on filters for 1 to 32 keys,
/// then 250 (as many as the environment's `BOUQUET_SEQUENCES` says, if it is set) of up to
/// 200, on some for up to 4,096 keys too. They get up to 48 different ones, some of them
/// many times.
///
/// The operations are those of the [`Alphabet`]: all filters are queried, inserted into (by
/// bytes, by hash, one key many times, in batches) and cloned; what else
/// this one can do is a letter. After every operation
///
/// - every key of the multiset is present;
/// - an insert returned `true` exactly if `contains` returned `false`;
/// - a rejected key, and a removed one that was absent, left the filter equal to
///   what it was; a stopped batch is the keys before the one it names;
/// - `contains_batch`, `contains_hash` and `contains` agree;
/// - a clone equals its original, a cleared filter a new one.
///
/// # Errors
///
/// What went wrong, and the smallest sequence that shows it, as [proptest] finds it.
/// The sequences are the same in every run.
pub fn sequences<F>(make: impl Fn(Spec, u64) -> F, alphabet: &Alphabet<F>) -> Verdict
where
    F: TryInsert<Error: Debug> + PartialEq + Clone,
{
    let (cases, longest) = LONG;
    let long = (given()?.unwrap_or(cases), alphabet.all_cases(longest));
    let short = (SHORT.0, alphabet.short_cases(SHORT.1));
    let judge = |case: Case| {
        let spec = spec(case.capacity, case.target_fpr).map_err(TestCaseError::fail)?;
        run::run(&|| Ok(make(spec, case.seed)), alphabet, &case).map_err(TestCaseError::fail)
    };
    [short, long]
        .into_iter()
        .try_for_each(|(cases, strategy)| judge_all(cases, &strategy, judge))
}

/// The same for filters of every size and target: from one key to 2^33 bits, most of them up to
/// 2^20, and from an FPR of 0.9 to 1e-15, both drawn by their logarithm. 100 sequences (as many
/// as the environment's `BOUQUET_SEQUENCES` says, if it is set) of up to 200 operations.
///
/// A filter of more than about 2^20 bits is not cloned and compared, and what goes through
/// the whole of it (`clone`, `clear`, union, intersection) is left out there. A spec that `make`
/// rejects is drawn again.
///
/// ```
/// use bouquet_standard::{Folded, StandardBloom};
/// use bouquet_testkit::laws::{self, Alphabet};
///
/// let make = |spec, seed| StandardBloom::with_hasher(spec, Folded::with_seed(seed));
/// let letters = Alphabet::of(&|spec, seed| make(spec, seed).unwrap()).union();
/// assert_eq!(laws::drawn_sequences(make, &letters), Ok(()));
/// ```
///
/// # Errors
///
/// Those of [`sequences`], and when nine of ten specs are rejected.
pub fn drawn_sequences<F>(
    make: impl Fn(Spec, u64) -> Result<F, SpecError>,
    alphabet: &Alphabet<F>,
) -> Verdict
where
    F: TryInsert<Error: Debug> + PartialEq + Clone,
{
    let cases = given()?.unwrap_or(DRAWN);
    judge_all(cases, &alphabet.drawn_cases(LONG.1), |case| {
        let spec = spec(case.capacity, case.target_fpr).map_err(TestCaseError::fail)?;
        let make = || make(spec, case.seed).map_err(|error| error.to_string());
        make().map_err(TestCaseError::reject)?;
        run::run(&make, alphabet, &case).map_err(TestCaseError::fail)
    })
}

/// Tries so many cases.
fn judge_all(
    cases: u32,
    strategy: &BoxedStrategy<Case>,
    judge: impl Fn(Case) -> Result<(), TestCaseError>,
) -> Verdict {
    // Each that the environment could change is set: a verdict is a function of
    // the code.
    let config = Config {
        cases,
        max_global_rejects: cases.saturating_mul(9),
        failure_persistence: None,
        max_shrink_iters: 20_000,
        max_shrink_time: 0,
        verbose: 0,
        ..Config::default()
    };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, rng);
    runner.run(strategy, judge).map_err(|error| match error {
        TestError::Fail(why, least) => format!("{why}; the least sequence: {least}"),
        TestError::Abort(why) => format!("too few sequences were tried: {why}"),
    })
}

/// How many long sequences the environment asks for.
fn given() -> Result<Option<u32>, String> {
    let Ok(given) = std::env::var("BOUQUET_SEQUENCES") else {
        return Ok(None);
    };
    let number = given.parse().map(Some);
    number.map_err(|_| format!("BOUQUET_SEQUENCES={given} is no number of sequences"))
}
