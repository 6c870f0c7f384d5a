//! What the rows tell, with intervals.

use super::cost::cost_interval;
use bouquet_ground::record::AttackRow;
use bouquet_stats::{Interval, proportion};

/// A figure with its interval.
pub type Figure = (f64, Interval);

/// The confidence of every interval that is shown.
const CONFIDENCE: f64 = 0.95;

/// Keys hashed for one that was found; none if none was.
pub fn trials_per_key(row: &AttackRow) -> Option<Figure> {
    (row.keys_found > 0).then(|| {
        let value = row.trials as f64 / row.keys_found as f64;
        let relative_sd = row.trials_sd / row.trials as f64;
        (value, cost_interval(value, relative_sd, CONFIDENCE))
    })
}

/// The share of the chosen keys that succeeded; none if none was got.
pub fn success_rate(row: &AttackRow) -> Option<Figure> {
    share(row.succeeded, row.chosen)
}

/// The FPR after the attack; none if it was not measured.
pub fn measured_fpr(row: &AttackRow) -> Option<Figure> {
    share(row.false_positives, row.non_members_asked)
}

fn share(hits: u64, of: u64) -> Option<Figure> {
    (of > 0).then(|| (hits as f64 / of as f64, proportion(hits, of, CONFIDENCE)))
}
