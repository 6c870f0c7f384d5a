//! The comparison as a page.

use super::{ALIKE, Args, differences, finding, sides, table};
use bouquet_render::compare::{Change, Comparison};
use bouquet_render::document::{Block, Document};

pub fn document(args: &Args, comparison: &Comparison, shown: &[&Change]) -> Document {
    let differing = if comparison.differences.is_empty() {
        Block::Paragraph(ALIKE.into())
    } else {
        let names = ["the runs differ in", "A", "B"];
        Block::Table(differences(comparison, names).of_a_report())
    };
    let changes = if shown.is_empty() {
        Block::Paragraph("Nothing changed.".into())
    } else {
        Block::Table(table(shown).of_a_report())
    };
    Document {
        title: finding(comparison),
        blocks: vec![
            Block::Paragraph(sides(args).into()),
            Block::heading(2, "What changed"),
            changes,
            Block::heading(2, "In what the runs differ"),
            differing,
        ],
    }
}
