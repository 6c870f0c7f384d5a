//! The report of the scoreboard, from its records alone.

mod score;
mod table;
#[cfg(test)]
mod tests;

use std::{fs, path::Path};

use anyhow::Result;

use self::score::{Score, scores};
use super::{
    compose,
    document::{Block, Document, Text},
    html, markdown, number, sections, terminal, write,
};
use crate::record::PeerRecords;

const RULE: &str = "Bold is the best of a column among the filters that did what was asked: an FPR \
                    not surely above the target, no false negative and no key refused at \
                    capacity. At 2x and 10x it is the lowest FPR among those that still took \
                    every key and denied none.";
const WRITTEN: &str = "Ours have no format of their own yet. When they do, they are written and \
                       read back as the others are; until then the least they can take is their \
                       bits per key over eight.";

/// Writes README.md, index.html and machine.txt into the folder of a report.
///
/// Fails if a file cannot be written.
pub fn write_report(records: &PeerRecords, folder: &Path) -> Result<()> {
    let document = document(records);
    fs::create_dir_all(folder)?;
    write(&folder.join("README.md"), &markdown::document(&document))?;
    write(&folder.join("index.html"), &html::document(&document))?;
    write(
        &folder.join("machine.txt"),
        &compose::machine(&records.common),
    )
}

/// The scores by target.
fn by_target(scores: &[Score]) -> Vec<Vec<&Score>> {
    let mut groups: Vec<Vec<&Score>> = Vec::new();
    for score in scores {
        match groups
            .iter_mut()
            .find(|group| group[0].target_fpr == score.target_fpr)
        {
            Some(group) => group.push(score),
            None => groups.push(vec![score]),
        }
    }
    groups
}

fn heading(group: &[&Score]) -> String {
    let target = group.first().map_or(0.0, |score| score.target_fpr);
    format!("At {}", number::share(target, 3))
}

fn document(records: &PeerRecords) -> Document {
    let scores = scores(records);
    let mut blocks = Vec::new();
    let experiment = records.common.experiments.first();
    for group in by_target(&scores) {
        blocks.push(Block::Heading(2, heading(&group)));
        blocks.push(Block::Table(table::table(&group)));
        blocks.push(Block::Folded {
            summary: "On each key set".to_owned(),
            inside: vec![Block::Table(table::by_dataset(records, &group))],
        });
    }
    blocks.push(Block::Paragraph(RULE.into()));
    blocks.push(Block::Paragraph(WRITTEN.into()));
    let errors = errors(records);
    if !errors.is_empty() {
        blocks.push(Block::Heading(2, "Errors".to_owned()));
        blocks.push(Block::List(errors));
    }
    blocks.push(Block::Heading(2, "The filters".to_owned()));
    let about = records.common.subjects.iter();
    blocks.push(Block::List(
        about
            .map(|s| {
                Text::default()
                    .strong(&s.subject)
                    .plain(format!(": {}", s.about))
            })
            .collect(),
    ));
    blocks.extend(sections::making(&records.common));
    Document {
        title: experiment.map(|e| e.title.clone()).unwrap_or_default(),
        blocks,
    }
}

/// Each error once, with how many rows have it.
fn errors(records: &PeerRecords) -> Vec<Text> {
    let mut seen: Vec<(&str, &str, &str, u64)> = Vec::new();
    for row in records.peers.iter().filter(|row| !row.error.is_empty()) {
        let same = |(filter, phase, error, _): &&mut (&str, &str, &str, u64)| {
            (*filter, *phase, *error) == (&row.filter, &row.phase, &row.error)
        };
        match seen.iter_mut().find(same) {
            Some((.., rows)) => *rows += 1,
            None => seen.push((&row.filter, &row.phase, &row.error, 1)),
        }
    }
    let line = |(filter, phase, error, rows): &(&str, &str, &str, u64)| {
        let times = number::count(*rows);
        Text::default()
            .strong(*filter)
            .plain(format!(", phase {phase}, rows {times}: {error}"))
    };
    seen.iter().map(line).collect()
}

/// The tables for a terminal.
pub fn text(records: &PeerRecords) -> String {
    let scores = scores(records);
    let mut out = String::new();
    for group in by_target(&scores) {
        out += &format!(
            "{}\n{}\n",
            heading(&group),
            terminal::table(&table::table(&group))
        );
    }
    for error in errors(records) {
        out += &format!("error: {}\n", error.words());
    }
    out.truncate(out.trim_end().len());
    out + "\n"
}

/// The tables in Markdown, fit to be put into another page.
pub fn markdown_tables(records: &PeerRecords) -> String {
    let scores = scores(records);
    let groups = by_target(&scores);
    let tables = groups.iter().map(|group| {
        let table = markdown::table(&table::table(group));
        format!("{}:\n\n{table}", heading(group))
    });
    tables.collect::<Vec<_>>().join("\n")
}

/// The scores in JSON: plain numbers, rates as shares.
pub fn json(records: &PeerRecords) -> Result<String> {
    Ok(serde_json::to_string_pretty(&scores(records))? + "\n")
}

/// The scores in CSV: plain numbers, rates as shares.
pub fn csv(records: &PeerRecords) -> Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    scores(records)
        .iter()
        .try_for_each(|score| writer.serialize(score))?;
    Ok(String::from_utf8(writer.into_inner()?)?)
}
