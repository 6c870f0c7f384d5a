//! The verdict of the gate as a page: what changed first, the rest on demand.

use super::{change, figure_or_dash, headline, shown_and_same};
use crate::document::{Block, Document, Table};
use bouquet_ground::record::{GateDocument, GateRow, TierVerdict, standing};

/// The page.
pub fn document(document: &GateDocument) -> Document {
    let (shown, same) = shown_and_same(document);
    let has_baseline = document.run.contains_key("baseline_revision");
    let mut blocks = vec![
        Block::heading(2, "At a glance"),
        Block::Table(tiers(&document.verdict.tiers)),
    ];
    let changed = if shown.is_empty() && has_baseline {
        Block::Paragraph("Nothing changed.".into())
    } else if shown.is_empty() {
        Block::Paragraph("There is no baseline to compare with.".into())
    } else {
        Block::Table(rows(&shown))
    };
    blocks.extend([
        Block::heading(2, "What changed, failed or says too little"),
        changed,
    ]);
    let words = if has_baseline {
        "As in the baseline, or good by itself"
    } else {
        "What is good by itself"
    };
    let rest = (!same.is_empty()).then(|| Block::Table(rows(&same)));
    blocks.extend(Block::section(2, words, rest));
    let configured = configuration(document);
    let configured = (!configured.rows.is_empty()).then_some(Block::Table(configured));
    blocks.extend(Block::section(2, "What is guarded", configured));
    blocks.extend([
        Block::heading(2, "How this was made"),
        Block::Table(facts(document)),
    ]);
    Document {
        title: headline(&document.verdict),
        blocks,
    }
}

fn tiers(tiers: &[TierVerdict]) -> Table {
    Table::of(tiers)
        .column("Tier", |tier| tier.tier.name())
        .column("Verdict", |tier| standing::word(tier.standing))
        .column("#Checks", |tier| tier.checks)
        .column("#Failed", |tier| tier.failed)
        .column("#Inconclusive", |tier| tier.inconclusive)
        .column("#Changed", |tier| tier.changed)
        .column("Note", |tier| &tier.note)
        .table()
}

fn rows(rows: &[&GateRow]) -> Table {
    let note = |row: &GateRow| match (&row.baseline, &row.value) {
        (Some(old), Some(new)) if row.note.is_empty() && old != new => change(old, new),
        _ => row.note.clone(),
    };
    Table::of(rows)
        .column("Standing", |row| row.standing.word())
        .column("Tier", |row| row.tier.name())
        .column("Subject", |row| &row.subject)
        .column("What", |row| &row.what)
        .column("#Baseline", |row| figure_or_dash(&row.baseline))
        .column("#Now", |row| figure_or_dash(&row.value))
        .column("Note", |row| note(row))
        .table()
}

fn configuration(document: &GateDocument) -> Table {
    Table::of(&document.configuration)
        .column("Name", |own| &own.name)
        .column("Filter", |own| &own.filter)
        .column("Keys", |own| &own.keys)
        .column("#Capacity", |own| own.capacity)
        .column("#Target FPR", |own| own.target_fpr)
        .column("#Bits per key", |own| own.bits_per_key)
        .column("Chosen", |own| own.chosen.after(""))
        .table()
}

fn facts(document: &GateDocument) -> Table {
    Table::of(&document.run)
        .column("Fact", |(name, _)| name.replace('_', " "))
        .column("Value", |(_, value)| value.as_str())
        .table()
}
