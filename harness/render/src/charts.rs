//! The charts of an evaluation.

mod histogram;
mod rows;
mod sweeps;

use super::{document::Figure, judge::Judgement};
use bouquet_ground::record::Records;

/// All charts for which the records have data.
pub fn all(records: &Records, judgement: &Judgement) -> Vec<Figure> {
    let mut figures = sweeps::figures(records, judgement);
    figures.extend(rows::bits_needed(records));
    figures.extend(rows::p_values(&judgement.locations));
    figures.extend(histogram::figure(records));
    figures
}
