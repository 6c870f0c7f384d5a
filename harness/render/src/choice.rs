//! "If you … take …": which of the judged filters each kind of need points to. Every
//! line is chosen from the records, by one figure, and gives that figure.

use super::{
    advice::{DELETES, FIXED, GROWS, HEADING, MEMORY, SHARES, take, timed},
    document::{Block, Text},
    glance::Glance,
    number,
};
use bouquet_ground::record::SubjectRow;

const READING: &str = "By bits per key, of the filters that were judged and passed: baselines are only \
    reported.";

/// What someone needs, and whether a filter has it.
type Need = (&'static str, fn(&SubjectRow) -> bool);

const NEEDS: [Need; 4] = [
    (FIXED, |_| true),
    (DELETES, |s| s.removes),
    (GROWS, |s| s.grows),
    (SHARES, |s| s.concurrent),
];

/// By memory: the fewest bits per key at the first target, of filters that were judged
/// and passed.
pub fn by_memory(rows: &[Glance<'_>]) -> Vec<Block> {
    let sound = || rows.iter().filter(|row| row.is_sound());
    let least = |has: fn(&SubjectRow) -> bool| {
        let own = sound().filter(|row| has(row.subject()));
        let sized = own.filter_map(|row| Some((row.bits_per_key()?, row)));
        sized.min_by(|a, b| a.0.total_cmp(&b.0))
    };
    let line = |(need, has): Need| {
        let (bits, row) = least(has)?;
        Some(take(
            need,
            &row.subject().subject,
            &format!("{} bits per key", number::decimal(bits, 2)),
        ))
    };
    let memory = least(|_| true).and_then(|(bits, row)| {
        let by = format!(
            "{} bits per key, {} times those that its FPR needs at least",
            number::decimal(bits, 2),
            number::decimal(row.bits_over_bound()?, 2)
        );
        let name = &row.subject().subject;
        Some(take(MEMORY, name, &by))
    });
    let mut lines: Vec<Text> = NEEDS.into_iter().filter_map(line).chain(memory).collect();
    if lines.is_empty() {
        return Vec::new();
    }
    lines.push(timed());
    let mut blocks = Block::listed(2, HEADING, lines);
    blocks.push(Block::Paragraph(READING.into()));
    blocks
}
