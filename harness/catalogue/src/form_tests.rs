//! Compares the expected mean and standard deviation of the FPR with those of many real filters.

use bouquet_blocked::{BlockedBloom, Line, Words64};
use bouquet_hash::Folded;
use bouquet_sharded::ShardedBloom;
use bouquet_stats::reference::Moments;

use crate::{
    CatalogueFilter as _, FilterInfo, HASH_BITS, blocked::Blocked, blocked_line::BlockedLine,
    sharded::Sharded,
};

/// The mean and the standard deviation, over many filters, of the FPR computed from a filter's
/// bits.
fn seen<J: FilterInfo>(keys: u64, make: impl Fn(Folded) -> J::Filter<Folded>) -> Moments {
    const FILTERS: u64 = 800;
    let fprs: Vec<f64> = (0..FILTERS)
        .map(|seed| {
            let mut filter = make(Folded::with_seed(seed));
            for key in 0..keys {
                assert!(filter.accepts_one(&key));
            }
            let (form, words) = (
                J::form::<Folded>(&filter, keys).unwrap(),
                J::words::<Folded>(&filter).unwrap(),
            );
            let fpr = form.of_bits(&words).unwrap().fpr;
            assert!((fpr / filter.inspect().estimated_fpr() - 1.0).abs() < 1e-9);
            fpr
        })
        .collect();
    let mean = fprs.iter().sum::<f64>() / FILTERS as f64;
    let square = fprs.iter().map(|fpr| (fpr - mean).powi(2)).sum::<f64>();
    let sd = (square / (FILTERS - 1) as f64).sqrt();
    Moments { mean, sd }
}

/// Over 800 filters, the measured standard deviation has a standard error of about 3 %.
fn agree<J: FilterInfo>(keys: u64, make: impl Fn(Folded) -> J::Filter<Folded>) {
    let seen = seen::<J>(keys, &make);
    let form = J::form::<Folded>(&make(Folded::default()), keys);
    let expected = form.unwrap().expected(keys, HASH_BITS);
    let sd = expected.fpr_sd.unwrap();
    assert!((sd / seen.sd - 1.0).abs() < 0.12, "{sd} {seen:?}");
    let off = (expected.fpr - seen.mean).abs();
    assert!(off < 4.0 * sd / 800_f64.sqrt(), "{expected:?} {seen:?}");
}

#[test]
fn the_spread_is_that_of_filters() {
    let line = Line::new(5).unwrap();
    agree::<BlockedLine>(1_500, |of| BlockedBloom::from_parts(30, line, of).unwrap());
    agree::<Blocked>(1_500, |of| {
        BlockedBloom::from_parts(30, Words64, of).unwrap()
    });
    agree::<Sharded>(1_280, |of| {
        ShardedBloom::from_parts(8, 1_600, 6, of).unwrap()
    });
}
