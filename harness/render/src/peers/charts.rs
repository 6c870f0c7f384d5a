//! The scoreboard in charts: what is allocated beside the least that the
//! measured FPR takes, and what becomes of the FPR past capacity.

mod past;
mod size;

use super::score::Score;
use crate::document::Figure;

const ROW: f64 = 21.0;
/// Room for names on the left, and around the rows, in pixels.
const LEFT: f64 = 220.0;
const TOP: f64 = 40.0;
const FOOT: f64 = 62.0;
const SOURCE: &str = "records/peers.csv";

/// Of the filters that were asked for one target.
pub fn figures(target: f64, scores: &[&Score]) -> Vec<Figure> {
    let both = [size::figure(target, scores), past::figure(target, scores)];
    both.into_iter().flatten().collect()
}
