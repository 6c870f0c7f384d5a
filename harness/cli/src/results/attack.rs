//! The report of the attacks, from their records alone.

mod choice;
mod tables;

use std::path::Path;

use anyhow::Result;

use super::Results;
use crate::output::{Format, screen};
use bouquet_ground::Outcome;
use bouquet_ground::record::Records;
use bouquet_lab::attack::verdict;
use bouquet_render::{
    self as render,
    document::{Block, Document},
    sections, terminal,
};

const KNOWS: &str = "The attacker knows all of a filter but, where it has one, its secret key. Rate \
     is the share of the chosen keys, or of the victims, that succeed; the rate with random keys \
     is that of keys that nobody chose. A row is broken where the first is above the second beyond \
     chance.";

/// Judges the records and writes their report.
pub fn report(records: &Records, folder: &Path, format: Format) -> Result<Results> {
    let outcome = write_report(records, folder)?;
    let tables = tables::text(&records.attacks, outcome, format)?;
    let verdict = match format {
        Format::Table => terminal::verdict(conclusion(outcome), outcome, screen()) + "\n",
        _ => String::new(),
    };
    Ok((outcome, verdict + &tables))
}

/// Writes README.md, index.html and machine.txt into the folder of a
/// report, beside its records, and gives the verdict.
///
/// Fails if a file cannot be written.
fn write_report(records: &Records, folder: &Path) -> Result<Outcome> {
    let outcome = verdict(&records.attacks);
    let mut blocks = vec![
        Block::Paragraph(KNOWS.into()),
        Block::Paragraph(format!("Seed {}.", records.fact("seed")).into()),
    ];
    blocks.extend(choice::choices(&records.attacks));
    blocks.extend([
        Block::heading(2, "At a glance"),
        Block::Table(tables::glance(&records.attacks)),
        Block::heading(2, "Attack by attack"),
    ]);
    for (attack, table) in tables::for_people(&records.attacks) {
        blocks.push(Block::Heading(3, attack.into()));
        blocks.push(Block::Table(table.of_a_report()));
    }
    blocks.push(Block::Heading(2, "Details".into()));
    blocks.extend(sections::grounds(records));
    blocks.extend(sections::making(records));
    let document = Document {
        title: title(outcome),
        blocks,
    };
    render::write_document(&document, records, folder)?;
    Ok(outcome)
}

/// What a reader must know whatever came out, then the verdict.
fn title(outcome: Outcome) -> String {
    let (first, verdict) = match outcome {
        Outcome::Pass => (
            "The default hash is not made for keys that an adversary chooses, the keyed one is.",
            "with the keyed hash chosen keys do no better than chance, and every hash without a \
             key was attacked",
        ),
        _ => (
            "The default hash is not made for keys that an adversary chooses.",
            conclusion(outcome),
        ),
    };
    format!("{first} {}", outcome.headline(verdict))
}

fn conclusion(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => {
            "the default hash is not made for keys that an adversary chooses, the keyed one is: with \
             it chosen keys do no better than chance, and every hash without a key was attacked"
        }
        Outcome::Fail => "chosen keys do better than chance against the keyed hash",
        Outcome::Void => "an attack fails against a public seed too, so it shows nothing",
        Outcome::Inconclusive => {
            "the trials ended before something was shown; give more with --trials"
        }
    }
}
