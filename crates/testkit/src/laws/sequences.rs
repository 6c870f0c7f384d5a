//! Random sequences of operations, compared with a multiset.

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

/// The number of short sequences, and their maximum number of operations. They are tried first,
/// because a failure in a short sequence is easy to read.
const SHORT: (u32, usize) = (256, 60);
/// The same for long sequences, unless `BOUQUET_SEQUENCES` gives their number.
const LONG: (u32, usize) = (250, 200);
/// The number of sequences on filters of any size, unless `BOUQUET_SEQUENCES` gives it.
const DRAWN: u32 = 100;

/// No sequence of operations loses a key, and every answer in it is correct. First 256 sequences of
/// up to 60 random operations run on filters for 1 to 32 keys, then 250 (or the number in the
/// environment variable `BOUQUET_SEQUENCES`) of up to 200 operations, some of them on filters for
/// up to 4,096 keys. A sequence uses up to 48 different keys, some of them many times.
///
/// The operations are those of the [`Alphabet`]: every filter is queried, inserted into (by bytes,
/// by hash, one key many times, in batches) and cloned; other operations are added for filters that
/// support them. After every operation
///
/// - every key of the multiset is present;
/// - an insert returned `true` exactly if `contains` returned `false`;
/// - a rejected key, or the removal of an absent key, left the filter unchanged; a batch that
///   stopped has inserted exactly the keys before the one that its error names;
/// - `contains_batch`, `contains_hash` and `contains` agree;
/// - a clone is equal to its original, and a cleared filter to a new one.
///
/// # Errors
///
/// What went wrong, and the smallest sequence with this failure that [proptest] finds. The
/// sequences are the same in every run.
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

/// Like [`sequences`], for filters of every size and target: from one key to 2^33 bits, most of
/// them up to 2^20 bits, and with a target FPR from 0.9 to 1e-15, both drawn uniformly by their
/// logarithm. There are 100 sequences (or the number in the environment variable
/// `BOUQUET_SEQUENCES`) of up to 200 operations.
///
/// A filter of more than about 2^20 bits is not copied and compared after every operation, and
/// operations on all its slots (`clone`, `clear`, union, intersection) are skipped. If `make`
/// rejects a spec, another one is drawn.
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
/// Those of [`sequences`], and an error if nine of ten specs are rejected.
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

/// Runs `cases` cases.
fn judge_all(
    cases: u32,
    strategy: &BoxedStrategy<Case>,
    judge: impl Fn(Case) -> Result<(), TestCaseError>,
) -> Verdict {
    // Every setting that the environment could change is set here, so that a verdict depends only
    // on the code.
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

/// The number of long sequences that the environment requests, if any.
fn given() -> Result<Option<u32>, String> {
    let Ok(given) = std::env::var("BOUQUET_SEQUENCES") else {
        return Ok(None);
    };
    let number = given.parse().map(Some);
    number.map_err(|_| format!("BOUQUET_SEQUENCES={given} is no number of sequences"))
}
