//! "If … take …" of an answer: at each cost of a backing lookup, by memory and by time.

use crate::{
    advice::{DELETES, FIXED, GROWS, HEADING, MEMORY, SHARES, SPEED, take},
    document::{Block, Text},
    number,
};
use bouquet_ground::record::{CandidateRow, EnvelopeRow, Recommendation};
use bouquet_ground::units::{bytes, time};

/// What someone may need besides, the flag that says so, and how the reason ends that leaves
/// candidates out as long as nobody said it.
const AGAIN: [[&str; 3]; 4] = [
    [
        FIXED,
        "--static",
        "keys come later (--static says they do not)",
    ],
    [DELETES, "--deletes", "none is removed (--deletes)"],
    [GROWS, "--growth unknown", "these do not (--growth)"],
    [SHARES, "--threads", "there is one (--threads)"],
];

/// Chosen from the records, each by one figure.
pub fn choices(answer: &Recommendation) -> Vec<Block> {
    let by_cost = answer.envelope.iter().map(by_cost);
    let memory = least(answer, |row| row.memory_bytes).map(|(least, row)| {
        let by = format!("{} in all", bytes(least));
        take(MEMORY, &row.candidate, &by)
    });
    let speed = least(answer, |row| lookup_ns(answer, row)).map(|(ns, row)| {
        let by = format!("{} ns per lookup", number::significant(ns, 2));
        take(SPEED, &row.candidate, &by)
    });
    let again = AGAIN.into_iter().filter_map(|need| again(answer, need));
    let lines = by_cost.chain(memory).chain(speed).chain(again);
    Block::listed(2, HEADING, lines.collect())
}

/// What this answer left out for want of a need. Which of them to take it does not say.
fn again(answer: &Recommendation, [need, flag, reason]: [&str; 3]) -> Option<Text> {
    let out = answer.candidates.iter();
    let out = out.filter(|row| row.outcome == "rejected" && row.reasons.contains(reason));
    let names: Vec<&str> = out.map(|row| row.candidate.as_str()).collect();
    (!names.is_empty()).then(|| {
        Text::from(format!("If you {need}, ask again with "))
            .code(flag)
            .plain(format!(
                ": this answer leaves out {}.",
                number::listed(&names)
            ))
    })
}

fn by_cost(row: &EnvelopeRow) -> Text {
    let (from, to) = (time(row.from_ns), time(row.to_ns));
    let by = match row.too_close.as_str() {
        "" => "the least expected cost".to_owned(),
        others => format!("the least expected cost; too close to call: {others}"),
    };
    let what = if row.candidate == "none" {
        "no filter"
    } else {
        &row.candidate
    };
    Text::from(format!(
        "If a backing lookup costs from {from} to {to}, take "
    ))
    .strong(what)
    .plain(format!(" ({by})."))
}

/// In the filter alone, of hits and misses as the workload has them.
fn lookup_ns(answer: &Recommendation, row: &CandidateRow) -> Option<f64> {
    let (hit, miss) = (row.hit_ns?, row.miss_ns?);
    Some(answer.hits * hit + (1.0 - answer.hits) * miss)
}

/// Of the filters that can do it.
fn least(
    answer: &Recommendation,
    by: impl Fn(&CandidateRow) -> Option<f64>,
) -> Option<(f64, &CandidateRow)> {
    let able = answer.candidates.iter();
    let able = able.filter(|row| row.outcome != "rejected" && row.candidate != "none");
    let sized = able.filter_map(|row| Some((by(row)?, row)));
    sized.min_by(|a, b| a.0.total_cmp(&b.0))
}
