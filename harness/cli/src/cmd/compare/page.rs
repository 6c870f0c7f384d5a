//! The comparison as a page.

use std::{fs, path::Path};

use anyhow::{Context, Result};

use super::{ALIKE, Args, count, differences, finding, sides, table};
use bouquet_ground::{
    folder::{NewFolder, catch_interrupts, write as write_new},
    interrupt::go_on,
};
use bouquet_render::columns::Table;
use bouquet_render::compare::{Change, Comparison, Finding};
use bouquet_render::document::{Block, Document};
use bouquet_render::write_pages;

/// Writes it into a folder, with its tables as CSV.
pub fn write(args: &Args, comparison: &Comparison, shown: &[&Change], folder: &Path) -> Result<()> {
    catch_interrupts()?;
    let folder = NewFolder::begin(folder)?;
    let records = folder.path().join("records");
    fs::create_dir(&records).with_context(|| format!("cannot create {}", records.display()))?;
    for (name, table) in [
        ("changes.csv", table(shown)),
        (
            "differences.csv",
            differences(comparison, ["name", "a", "b"]),
        ),
    ] {
        write_new(&records.join(name), &table.csv()?)?;
    }
    write_pages(&document(args, comparison, shown), folder.path())?;
    go_on()?;
    folder.commit()
}

fn document(args: &Args, comparison: &Comparison, shown: &[&Change]) -> Document {
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
    let mut blocks = vec![Block::Paragraph(sides(args).into())];
    blocks.extend(Block::glance(GLANCE, glance(comparison)));
    blocks.extend([
        Block::heading(2, "What changed"),
        changes,
        Block::heading(2, "In what the runs differ"),
        differing,
    ]);
    Document {
        title: finding(comparison),
        blocks,
    }
}

const GLANCE: &str = "A sample is called changed where the two differ by more than chance gives, at \
    1e-3 over all rows together; a figure that is no sample where it differs at all.";

/// How many figures came to what.
fn glance(comparison: &Comparison) -> Table {
    let all = [
        Finding::Changed,
        Finding::OnlyA,
        Finding::OnlyB,
        Finding::WithinChance,
        Finding::Same,
    ];
    Table::of(all)
        .column("Finding", |finding| finding.name())
        .column("Figures", |finding| count(comparison, finding))
        .table()
}
