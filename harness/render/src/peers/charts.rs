//! The scoreboard in pictures: what is allocated beside the least that the
//! measured FPR takes, and what becomes of the FPR past capacity.

mod past;
mod size;

use super::score::Score;
use crate::{document::Figure, number};

const WIDTH: f64 = 960.0;
const ROW: f64 = 21.0;
/// Room for names on the left, and around the rows, in pixels.
const LEFT: f64 = 220.0;
const TOP: f64 = 40.0;
const FOOT: f64 = 62.0;
const SOURCE: &str = "records/peers.csv";

/// Of the filters that were asked for one target.
pub fn figures(scores: &[&Score]) -> Vec<Figure> {
    let both = [size::figure(scores), past::figure(scores)];
    both.into_iter().flatten().collect()
}

/// `of` with the target, such as `size-0.01`.
fn named(of: &str, scores: &[&Score]) -> String {
    let target = scores.first().map_or(0.0, |score| score.target_fpr);
    format!("{of}-{target}")
}

fn target(scores: &[&Score]) -> String {
    number::share(scores.first().map_or(0.0, |score| score.target_fpr), 3)
}

fn height(rows: usize) -> f64 {
    TOP + ROW * rows as f64 + FOOT
}
