//! The rates of each filter together, and keys that share their locations.

mod tables;

use super::{
    document::Block,
    judge::Judgement,
    number::{self, plural},
};

/// The sections of a report on the rates of each filter together, and on keys that share their
/// locations; nothing of what was not measured.
pub fn sections(judgement: &Judgement) -> Vec<Block> {
    let overall = tables::overall(&judgement.overall);
    let mut blocks = Block::table("Rates over all points", OVERALL, overall);
    blocks.extend(shared_locations(judgement));
    blocks
}

const OVERALL: &str = "Hits over those that theory expects of all points of a filter together, what \
     one filter differs from the next included, with their 95 % interval. Within 0.1 % of theory \
     nothing fails, however long the run. In brackets the deviation that would have been found \
     with probability 0.999.";

fn shared_locations(judgement: &Judgement) -> Vec<Block> {
    let shared = &judgement.shared_locations;
    let pairs: f64 = shared.iter().map(|one| one.of.statistic).sum();
    let expected: f64 = shared.iter().map(|one| one.expected_pairs).sum();
    let words = format!(
        "No filter tells two keys apart that share all their locations, whatever its size: at low \
         rates they would be what is left. Found were {}, by chance {} are expected.",
        plural(pairs as u64, "pair"),
        number::significant(expected, 2)
    );
    let shared = tables::shared_locations(shared);
    Block::table("Keys that share their locations", words, shared)
}
