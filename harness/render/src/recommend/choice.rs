//! "If … take …" of an answer: at each cost of a backing lookup, by memory and by time.

use crate::{
    advice::{HEADING, MEMORY, SPEED, take},
    document::{Block, Text},
    number,
};
use bouquet_ground::record::{CandidateRow, EnvelopeRow, Recommendation};
use bouquet_ground::units::{bytes, time};

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
    Block::listed(2, HEADING, by_cost.chain(memory).chain(speed).collect())
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
