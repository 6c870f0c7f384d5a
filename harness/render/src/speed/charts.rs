//! The charts of speed.

mod front;
mod over_keys;
mod rates;

use std::ops::Range;

use super::score::{Column, Score};
use crate::{
    document::Figure,
    estimate::Estimate,
    groups::span,
    palette::{Stroke, Style, style},
};
use bouquet_ground::record::Records;

/// Every chart that the records suffice for.
pub fn all(records: &Records, columns: &[Column<'_>]) -> Vec<Figure> {
    let mut figures = Vec::new();
    for keys in ["u64", "url"] {
        let own: Vec<&Column<'_>> = columns
            .iter()
            .filter(|column| column.keys == keys)
            .collect();
        figures.extend(over_keys::figure(records, keys, &own));
        figures.extend(front::figure(keys, &own));
    }
    figures.extend(rates::figures(records));
    figures
}

/// The columns of the highest target.
fn highest<'a>(columns: &'a [&'a Column<'a>]) -> impl Iterator<Item = &'a Column<'a>> {
    let targets = columns.iter().map(|column| column.target_fpr);
    let highest = targets.fold(0.0, f64::max);
    let own = columns.iter().copied();
    own.filter(move |column| column.target_fpr == highest)
}

/// The mixed operation: that of most programs.
const HALF: usize = 3;

/// The least that is drawn: what is below, or below nothing, is less than can be seen.
const LEAST_NS: f64 = 0.1;

/// The place of a time on a logarithmic axis.
fn on_axis(ns: f64) -> f64 {
    ns.max(LEAST_NS)
}

/// A logarithmic axis for these times.
fn axis(times: impl Iterator<Item = f64>) -> Range<f64> {
    let (least, most) = span((1.0, 1.0), times.map(on_axis));
    0.8 * least..1.25 * most
}

/// The look of a filter; where it has batches, one by one is dotted.
fn style_of(score: &Score<'_>) -> Style {
    let style = style(score.name.filter);
    if score.role == "ours" && !score.name.is_batch {
        return Style {
            stroke: Stroke::Dotted,
            ..style
        };
    }
    style
}

fn half(score: &Score<'_>) -> Option<Estimate> {
    score.middle(HALF)
}
