//! "If you … take …" of the scoreboard: by what a filter takes and how it grows, ours and
//! others alike.

use super::score::Score;
use crate::{
    advice::{COMES, DELETES, FIXED, GROWS, HEADING, MEMORY, SHARES, take, timed},
    document::{Block, Text},
    number,
};

/// Of the filters that were asked for the highest target.
pub fn choices(by_target: &[(f64, Vec<&Score>)]) -> Vec<Block> {
    let highest = by_target.iter().max_by(|a, b| a.0.total_cmp(&b.0));
    let Some((target, scores)) = highest else {
        return Vec::new();
    };
    let target = number::share(*target, 3);
    let by_bits = |need, is_fit: fn(&Score) -> bool| {
        let kept = |score: &&&Score| score.keeps_its_promise() && is_fit(score);
        let (bits, score) = least(scores.iter().filter(kept), |score| score.bits_per_key)?;
        let by = format!("{} bits per key at {target}", number::decimal(bits, 2));
        Some(line(need, score, &by))
    };
    let grown = |score: &&&Score| score.takes(&score.tenfold) && score.keeps_its_promise();
    let grown = least(scores.iter().filter(grown), |score| {
        Some(score.tenfold.fpr?.value)
    });
    let grown = grown.map(|(fpr, score)| {
        let by = format!("{} with ten times the keys", number::share(fpr, 2));
        line(GROWS, score, &by)
    });
    // A filter that chooses its FPR itself can be the smallest for it and larger than others
    // that keep the target: two needs.
    let kept = |score: &&&Score| score.keeps_its_promise();
    let thrifty = least(scores.iter().filter(kept), |score| score.times_bound());
    let thrifty = thrifty.map(|(times, score)| {
        let by = format!(
            "{} times the bits that its FPR needs at least",
            number::decimal(times, 2)
        );
        line("want the fewest bits for the FPR you get", score, &by)
    });
    let lines = [
        by_bits(FIXED, |_| true),
        by_bits(COMES, |score| !score.of.is_static),
        by_bits(DELETES, |score| score.removes),
        grown,
        by_bits(SHARES, |score| score.concurrent),
        by_bits(MEMORY, |_| true),
        thrifty,
    ];
    let mut lines: Vec<Text> = lines.into_iter().flatten().collect();
    if !lines.is_empty() {
        lines.push(timed());
    }
    Block::listed(2, HEADING, lines)
}

fn least<'s>(
    scores: impl Iterator<Item = &'s &'s Score>,
    by: impl Fn(&Score) -> Option<f64>,
) -> Option<(f64, &'s Score)> {
    let sized = scores.filter_map(|score| Some((by(score)?, *score)));
    sized.min_by(|a, b| a.0.total_cmp(&b.0))
}

fn line(need: &str, score: &Score, by: &str) -> Text {
    let whose = if score.is_ours() {
        ""
    } else {
        ", of another crate"
    };
    take(need, &score.of.filter, &format!("{by}{whose}"))
}
