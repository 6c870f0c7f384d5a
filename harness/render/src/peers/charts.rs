//! The scoreboard in pictures: what is allocated beside the least that the
//! measured FPR takes, and what becomes of the FPR past capacity.

mod past;
mod size;

use anyhow::Result;
use plotters::style::text_anchor::HPos;

use super::score::Score;
use crate::{
    charts::{
        frame::{self, NOTE},
        marks::Mark,
    },
    document::Figure,
    number,
    palette::{Pen, look},
    svg::{Area, Drawn, px},
};

const WIDTH: f64 = 960.0;
const ROW: f64 = 21.0;
/// Room for names on the left, and around the rows, in pixels.
const LEFT: f64 = 220.0;
const TOP: f64 = 40.0;
const FOOT: f64 = 62.0;
const SOURCE: &str = "records/peers.csv";

/// Of the filters that were asked for one target.
pub fn figures(scores: &[&Score]) -> Result<Vec<Figure>> {
    Ok([size::figure(scores)?, past::figure(scores)?]
        .into_iter()
        .flatten()
        .collect())
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

/// The name of a filter and its mark, left of its row.
fn name(area: &Area, score: &Score, (start, y): (i32, i32)) -> Drawn {
    let look = look(&score.filter);
    let style = frame::words(NOTE, look.pen, HPos::Right);
    area.draw_text(&score.filter, &style, (start - px(26.0), y))?;
    area.draw(&Mark {
        at: (start - px(13.0), y),
        aside: 0.0,
        look,
    })
}

/// A note right of a row.
fn note(area: &Area, words: &str, is_bad: bool, (x, y): (i32, i32)) -> Drawn {
    let pen = if is_bad { Pen::Bad } else { Pen::Soft };
    area.draw_text(words, &frame::words(NOTE, pen, HPos::Left), (x, y))
}
