//! What a filter of ours says of itself, against what is computed a second time.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use bouquet_catalogue::{Hasher, Judged};
use bouquet_core::Inspect as _;
use bouquet_stats::witness::{Expected, Form, OfBits};

/// By so much of itself may differ what both compute exactly: a hundred times what
/// either is off by, and a thousandth of what a verdict allows.
const EXACT: f64 = 1e-4;
/// The same of a deviation.
const DEVIATION: f64 = 1e-3;
/// Of what is estimated shard by shard, or has chance in it.
const ESTIMATE: f64 = 0.01;
/// Of shares: two keys of one block may share all their slots, whatever its layout.
const LEAST: f64 = 1e-15;
/// So many standard deviations are no chance.
const SIGMAS: f64 = 6.0;
/// Above this fill a bit more or less says much of the keys.
const FULL: f64 = 0.99;

/// A form, the keys of it and the bits of their hashes.
type Case = (Form, u64, u32);

/// Replicates are all of one size, and blocks and shards take some milliseconds.
static KNOWN: Mutex<BTreeMap<Case, Expected>> = Mutex::new(BTreeMap::new());

/// What is expected of a filter, from memory if it was asked before.
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

/// A number of which there are two.
struct Pair {
    what: &'static str,
    own: f64,
    second: f64,
    allowed: f64,
}

impl Pair {
    fn new(what: &'static str, own: f64, second: f64, part: f64) -> Self {
        let allowed = part * second + LEAST;
        Self {
            what,
            own,
            second,
            allowed,
        }
    }

    fn words(&self) -> Option<String> {
        let Self {
            what, own, second, ..
        } = self;
        let off = (own - second).abs();
        (off.is_nan() || off > self.allowed).then(|| {
            format!("{what}: {own:.6e} by the filter's crate, {second:.6e} computed a second time")
        })
    }
}

/// In what the two differ; `None` if in nothing.
pub fn disagreement<J: Judged, H: Hasher>(
    filter: &J::Filter<H>,
    keys: u64,
    form: &Form,
    expected: &Expected,
    bits: Option<OfBits>,
) -> Option<String> {
    let mut pairs = vec![Pair::new(
        "expected FPR",
        filter.expected_fpr(keys),
        expected.fpr,
        EXACT,
    )];
    if let (Some(own), Some(second)) = (J::occupancy::<H>(filter), expected.fill) {
        let (mean, sd) = (own.fill_mean(keys), own.fill_variance(keys).sqrt());
        pairs.push(Pair::new("expected fill", mean, second.mean, EXACT));
        // The deviation of a handful of keys is below the rounding of their mean.
        let mut deviation = Pair::new("deviation of the fill", sd, second.sd, DEVIATION);
        deviation.allowed += 1e-7 * second.mean;
        pairs.push(deviation);
    }
    if let Some(bits) = bits {
        let fill = filter.fill_ratio();
        pairs.push(Pair::new("fill", fill, bits.fill, EXACT));
        let fpr = filter.estimated_fpr();
        pairs.push(Pair::new("FPR of its bits", fpr, bits.fpr, EXACT));
    }
    match form {
        // A full filter gives no number of keys.
        Form::Array(array) => pairs.extend(bits.filter(|bits| bits.fill < FULL).map(|bits| {
            let (own, second) = (filter.estimated_keys(), array.keys_at_fill(bits.fill));
            Pair::new("keys of its bits", own, second, ESTIMATE)
        })),
        Form::Stages(_) => {}
        Form::Fingerprints {
            buckets, values, ..
        } => {
            // It counts its keys, and may be asked for others than it has.
            let estimated = filter.estimated_keys();
            let n = estimated.max(1.0);
            // Keys that share fingerprint and buckets with others, by chance.
            let shared = n * n / (*buckets as f64 * *values as f64);
            let part = ESTIMATE + SIGMAS * (shared + 1.0).sqrt() / n;
            let (own, second) = (
                filter.estimated_fpr(),
                form.expected(estimated as u64, H::HASH_BITS),
            );
            pairs.push(Pair::new("FPR of its fingerprints", own, second.fpr, part));
        }
    }
    let wrong: Vec<String> = pairs.iter().filter_map(Pair::words).collect();
    (!wrong.is_empty()).then(|| wrong.join("; "))
}
