//! Whether filters keep the FPR that they were made for.

use super::{
    document::{Block, Table, Text},
    judge::{Judgement, Point, pool},
    number,
};

/// A table with a row a filter and target; nothing without such a sweep.
pub fn section(judgement: &Judgement) -> Vec<Block> {
    let made: Vec<&Point> = judgement
        .points
        .iter()
        .filter(|p| p.sweep == "target-fpr" && p.asked > 0)
        .collect();
    if made.is_empty() {
        return Vec::new();
    }
    let mut table = Table::new(&[
        "Filter",
        "#FPR asked",
        "#FPR expected",
        "#FPR measured (95 % interval)",
        "#Bits per key",
        "#k",
        "#False negatives",
    ]);
    for point in pooled(&made) {
        let bits = 8.0 * point.memory_bytes as f64 / point.capacity.max(1) as f64;
        let cells = [
            point.filter.clone(),
            number::share(point.x, 4),
            number::share(point.expected_fpr, 4),
            number::measured_with_interval(point.measured(), point.interval),
            number::decimal(bits, 2),
            point.hashes.to_string(),
            number::part(point.false_negatives, point.members_asked),
        ];
        table.row(cells.map(Text::from));
    }
    let words = "Each filter made by its own sizing for the target, filled to capacity, pooled \
                 over the data sets. Expected is theory for the size that the filter chose: it \
                 must not be above what was asked.";
    vec![
        Block::Heading(2, "Is the promise kept?".to_owned()),
        Block::Table(table),
        Block::Paragraph(words.into()),
    ]
}

/// One a filter and target, in the order of the records.
fn pooled(points: &[&Point]) -> Vec<Point> {
    let key = |p: &Point| {
        (
            p.filter.clone(),
            p.experiment.clone(),
            p.x.to_bits(),
            p.capacity,
        )
    };
    let mut seen = Vec::new();
    let mut out = Vec::new();
    for point in points {
        if !seen.contains(&key(point)) {
            seen.push(key(point));
            let same = points.iter().copied().filter(|p| key(p) == key(point));
            out.extend(pool(same));
        }
    }
    out
}
