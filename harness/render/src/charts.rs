//! The charts of an evaluation.

mod bits_needed;
mod churn;
mod fpr;
mod histogram;

use super::{battery, document::Figure, judge::Judgement};
use bouquet_ground::record::Records;

/// Every chart that the records suffice for.
pub fn all(records: &Records, judgement: &Judgement) -> Vec<Figure> {
    let mut figures = fpr::figures(records, judgement);
    figures.extend(churn::figures(judgement));
    figures.extend(bits_needed::figure(records));
    let locations = &judgement.locations;
    figures.extend(battery::chart::figure(locations));
    figures.extend(histogram::figure(records));
    figures
}
