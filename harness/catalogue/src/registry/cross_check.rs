//! Compares what our filters report about themselves with values that are computed independently.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use bouquet_stats::reference::{Array, Expected, Form, OfBits};

use crate::{CatalogueFilter as _, FilterInfo, Hasher};

/// The allowed relative difference between a value that our crate computes without approximation
/// and the independently computed value.
const EXACT: f64 = 1e-4;
/// The allowed relative difference between standard deviations of the fill ratio.
const DEVIATION: f64 = 1e-3;
/// The allowed relative difference between standard deviations of the FPR. Our crates compute them
/// by the delta method, to first order, so twice the square of q = (standard deviation / FPR) is
/// allowed in addition. If q is not below `MOST_DELTA`, the deviations are not compared.
const DELTA: f64 = 0.02;
const MOST_DELTA: f64 = 0.2;
/// The allowed relative difference between estimated numbers of keys, and between FPRs estimated
/// from fingerprints.
const ESTIMATE: f64 = 0.01;
/// An absolute difference that is always allowed, because a value may be zero or almost zero.
const LEAST: f64 = 1e-15;
/// A difference of at most this many standard deviations is attributed to chance.
const SIGMAS: f64 = 6.0;
/// From this fill ratio on, estimated numbers of keys are not compared, because a single bit
/// changes such an estimate a lot.
const FULL: f64 = 0.99;

/// What expected values depend on: the form of a filter (its type and geometry), its number of
/// keys, and the number of bits of a hash.
type Case = (Form, u64, u32);

/// A cache of expected values. All replicates of a measurement need the same values, and for
/// blocked and sharded filters it takes milliseconds to compute them.
static KNOWN: Mutex<BTreeMap<Case, Expected>> = Mutex::new(BTreeMap::new());

pub fn expected(form: Form, keys: u64, hash_bits: u32) -> Expected {
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let case = (form, keys, hash_bits);
    if let Some(expected) = known().get(&case) {
        return *expected;
    }
    let expected = case.0.expected(keys, hash_bits);
    known().insert(case, expected);
    expected
}

/// The values in which the filter's crate and the independent computation differ; `None` if they
/// agree.
pub fn disagreement<V: FilterInfo, H: Hasher>(
    filter: &V::Filter<H>,
    keys: u64,
    form: &Form,
    expected: &Expected,
    bits: Option<OfBits>,
) -> Option<String> {
    let inspected = filter.inspect();
    let mut wrong = Vec::new();
    let mut compare = |what: &str, own: f64, independent: f64, allowed: f64| {
        let off = (own - independent).abs();
        if off.is_nan() || off > allowed + LEAST {
            wrong.push(format!(
                "{what}: {own:.6e} by the filter's crate, {independent:.6e} computed a second time"
            ));
        }
    };
    let own = inspected.expected_fpr(keys);
    compare("expected FPR", own, expected.fpr, EXACT * expected.fpr);
    if let (Some(own), Some(independent)) = (V::occupancy::<H>(filter), expected.fill) {
        let mean = own.fill_mean(keys);
        compare(
            "expected fill",
            mean,
            independent.mean,
            EXACT * independent.mean,
        );
        // The second term is for few keys, where the standard deviation is smaller than the
        // rounding error of the mean.
        let allowed = DEVIATION * independent.sd + 1e-7 * independent.mean;
        let own = own.fill_variance(keys).sqrt();
        compare("deviation of the fill", own, independent.sd, allowed);
    }
    if let (Some(own), Some(independent)) = (V::fpr_deviation::<H>(filter, keys), expected.fpr_sd) {
        let part = independent / expected.fpr;
        if part < MOST_DELTA {
            let allowed = (DELTA + 2.0 * part * part) * independent;
            compare("deviation of the FPR", own, independent, allowed);
        }
    }
    if let Some(bits) = bits {
        for one in V::own_statistics::<H>(filter, keys) {
            compare(one.what, one.own, one.independent, EXACT * one.independent);
        }
        let (fill, fpr) = (inspected.fill_ratio(), inspected.estimated_fpr());
        compare("fill", fill, bits.fill, EXACT * bits.fill);
        compare("FPR of its bits", fpr, bits.fpr, EXACT * bits.fpr);
    }
    // The number of keys cannot be estimated from a full filter.
    if let (Form::Array(array), Some(bits)) = (form, bits)
        && bits.fill < FULL
    {
        let (own, independent) = (inspected.estimated_keys(), array.keys_at_fill(bits.fill));
        let allowed = (ESTIMATE + by_groups(array, bits.fill)) * independent;
        compare("keys of its bits", own, independent, allowed);
    }
    if let Form::Fingerprints {
        buckets, values, ..
    } = form
    {
        // The number of keys that the filter itself reports is used, because it may differ from
        // `keys`.
        let estimated = inspected.estimated_keys();
        let n = estimated.max(1.0);
        // The expected number of keys that have the same fingerprint and buckets as another key.
        let shared = n * n / (*buckets as f64 * *values as f64);
        let part = ESTIMATE + SIGMAS * (shared + 1.0).sqrt() / n;
        let independent = form.expected(estimated as u64, H::HASH_BITS).fpr;
        let own = inspected.estimated_fpr();
        compare(
            "FPR of its fingerprints",
            own,
            independent,
            part * independent,
        );
    }
    (!wrong.is_empty()).then(|| wrong.join("; "))
}

/// If the number of keys is estimated for each group (such as a shard), the sum of these estimates
/// exceeds the estimate from the whole array, because the estimate is convex in the fill, which
/// differs between groups. Returns an upper bound on the relative excess. For n groups of m slots
/// and k probes per key, the excess is about c X / n, with c = (k + 1 / (1 - fill)) / (2 m) and a
/// chi-square variable X with n degrees of freedom.
fn by_groups(array: &Array, fill: f64) -> f64 {
    if array.groups <= 1 {
        return 0.0;
    }
    let throws = f64::from(array.throws * array.ranges);
    let slots = array.slots as f64 * f64::from(array.ranges);
    let chance = 1.0 + SIGMAS * (2.0 / array.groups as f64).sqrt();
    (throws + 1.0 / (1.0 - fill)) / (2.0 * slots) * chance
}

#[cfg(test)]
mod tests {
    use anyhow::Result;
    use bouquet_core::Spec;
    use bouquet_hash::Folded;

    use super::*;
    use crate::{Facts, OwnStatistic, SizingFn, counting::Counting};

    /// A counting filter that reports one wrong value: for `WORD` 0 or 1 its own statistic with
    /// this index, for 2 the standard deviation of the FPR; for [`RIGHT`], no value is wrong.
    struct Lying<const WORD: usize>;

    const RIGHT: usize = 3;

    impl<const WORD: usize> FilterInfo for Lying<WORD> {
        const FACTS: Facts = Counting::FACTS;
        const SIZING: SizingFn = Counting::SIZING;

        type Filter<H: Hasher> = <Counting as FilterInfo>::Filter<H>;

        fn make<H: Hasher>(spec: Spec, hasher: H) -> Result<Self::Filter<H>> {
            Counting::make(spec, hasher)
        }

        fn form<H: Hasher>(filter: &Self::Filter<H>, keys: u64) -> Option<Form> {
            Counting::form(filter, keys)
        }

        fn words<H: Hasher>(filter: &Self::Filter<H>) -> Option<Vec<Vec<u64>>> {
            Counting::words(filter)
        }

        fn fpr_deviation<H: Hasher>(filter: &Self::Filter<H>, keys: u64) -> Option<f64> {
            let hashes = if WORD == 2 {
                filter.inspect().hashes()
            } else {
                1
            };
            Some(Counting::fpr_deviation(filter, keys)? / f64::from(hashes))
        }

        fn own_statistics<H: Hasher>(filter: &Self::Filter<H>, keys: u64) -> Vec<OwnStatistic> {
            let mut computed = Counting::own_statistics(filter, keys);
            if let Some(wrong) = computed.get_mut(WORD) {
                wrong.own = 2.0 * wrong.own + 1e-9;
            }
            computed
        }
    }

    const KEYS: u64 = 1_000;

    /// What `disagreement` reports for a full filter.
    fn said<V: FilterInfo>() -> Option<String> {
        let mut filter = V::make(Spec::new(KEYS, 0.01).unwrap(), Folded::default()).unwrap();
        for key in 0..KEYS {
            filter.insert_one(&key);
        }
        let form = V::form::<Folded>(&filter, KEYS).unwrap();
        let bits = form.of_bits(&V::words::<Folded>(&filter).unwrap());
        let expected = form.expected(KEYS, 64);
        disagreement::<V, Folded>(&filter, KEYS, &form, &expected, bits)
    }

    #[test]
    fn a_word_that_is_wrong_is_found() {
        assert_eq!(said::<Lying<RIGHT>>(), None);
        let wrong = [
            (said::<Lying<0>>(), "saturated counters: "),
            (said::<Lying<1>>(), "expected saturated counters: "),
            (said::<Lying<2>>(), "deviation of the FPR: "),
        ];
        for (said, words) in wrong {
            let said = said.unwrap();
            assert!(said.starts_with(words) && !said.contains(';'), "{said}");
        }
    }

    /// The estimates of small shards vary by chance. This must not be reported as a disagreement.
    #[test]
    fn small_shards_are_as_uneven_as_they_are() {
        use crate::sharded::Sharded;

        for (keys, seed) in (0..200).map(|seed| ([1, 10, 100, 1_000][seed % 4], seed)) {
            let spec = Spec::new(keys, 0.01).unwrap();
            let hasher = Folded::with_seed(seed as u64);
            let mut filter = <Sharded as FilterInfo>::make(spec, hasher).unwrap();
            for key in 0..keys {
                filter.insert_one(&key);
            }
            let form = Sharded::form::<Folded>(&filter, keys).unwrap();
            let bits = form.of_bits(&Sharded::words::<Folded>(&filter).unwrap());
            let expected = form.expected(keys, 64);
            let said = disagreement::<Sharded, Folded>(&filter, keys, &form, &expected, bits);
            assert_eq!(said, None, "{keys} keys, seed {seed}");
        }
    }
}
