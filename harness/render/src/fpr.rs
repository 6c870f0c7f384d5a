//! What `bouquet fpr` shows: rates against theory, and ceilings of low ones.

mod tables;

use anyhow::Result;
use serde::{Serializer, ser::SerializeMap};

use super::{
    columns::ANSWER_SCHEMA,
    document::{Block, Table},
    judge::{self, Check, Judgement, Point},
    markdown,
    number::{self, plural},
    summary::verdict,
    terminal::{self, Screen},
};
use bouquet_ground::record::Records;

/// Verdict, what failed, the tables. In colour only if asked for.
pub fn summary(records: &Records, screen: Screen) -> String {
    let judgement = judge::judge(records);
    let mut out = verdict(records, &judgement, screen);
    for (title, table) in tables::all(&judgement) {
        out.push_str(&format!("\n{title}\n{}", terminal::table(&table, screen)));
    }
    out.push('\n');
    // The formula behind each filter's expectation.
    for s in records.subjects.iter().filter(|s| s.kind == "filter") {
        out.push_str(&format!("theory of {}: {}\n", s.subject, s.theory));
    }
    out
}

/// The tables in Markdown.
pub fn in_markdown(records: &Records) -> String {
    let judgement = judge::judge(records);
    let section = |(title, table): &(&str, Table)| markdown::titled(title, table);
    number::joined(tables::all(&judgement).iter().map(section), "\n")
}

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
    let pairs: u64 = shared.iter().map(|one| one.pairs).sum();
    let expected: f64 = shared.iter().map(|one| one.expected_pairs).sum();
    let words = format!(
        "No filter tells two keys apart that share all their locations, whatever its size: at low \
         rates they would be what is left. Found were {}, by chance {} are expected. The floor is \
         the FPR that such keys would have to cause at capacity to be found nine times in ten: a \
         lower one would not have been seen.",
        plural(pairs, "pair"),
        number::significant(expected, 2)
    );
    let shared = tables::shared_locations(shared);
    Block::table("Keys that share their locations", words, shared)
}

/// Everything in plain numbers, rates as shares.
pub fn in_json(records: &Records) -> Result<String> {
    let judgement = judge::judge(records);
    let mut out = Vec::new();
    let mut to = serde_json::Serializer::pretty(&mut out);
    let mut all = to.serialize_map(None)?;
    all.serialize_entry("schema", &ANSWER_SCHEMA)?;
    all.serialize_entry("verdict", judgement.verdict.outcome.word())?;
    all.serialize_entry("rows", &points(records, &judgement))?;
    all.serialize_entry("filters", &tables::plain_overall(&judgement.overall))?;
    all.serialize_entry("location_sets", &judgement.shared_locations)?;
    all.end()?;
    Ok(String::from_utf8(out)? + "\n")
}

/// The points in CSV.
pub fn in_csv(records: &Records) -> Result<String> {
    points(records, &judge::judge(records)).csv()
}

/// The points in plain numbers, for programs.
fn points(records: &Records, judgement: &Judgement) -> Table {
    let outcome = |check: Check| check.outcome;
    Table::of(&judgement.points)
        .column("filter", |p| &p.of.filter)
        .column("dataset", |p| &p.of.dataset)
        .column("capacity", |p| p.of.capacity)
        .column("target_fpr", |p| p.of.target_fpr)
        .column("load", Point::load)
        .column("size_bits", |p| p.of.size_bits)
        .column("hashes", |p| p.of.hashes)
        .column("memory_bytes", |p| p.of.memory_bytes)
        .column("replicates", |p| p.replicates)
        .column("non_members_asked", |p| p.of.non_members_asked)
        .column("false_positives", |p| p.of.false_positives)
        .column("expected_fpr", |p| p.of.expected_fpr)
        .with_interval(["measured_fpr", "measured_low", "measured_high"], |p| {
            Some(p.rate)
        })
        // By the bits that were set.
        .column("given_bits_fpr", |p| p.given_bits.map(|c| c.theory))
        .column("given_bits_verdict", |p| p.given_bits.map(outcome))
        .column("given_bits_found_from", |p| {
            p.given_bits.map(|c| c.found_from)
        })
        .column("fill_z", |p| p.fill_z)
        .column("members_asked", |p| p.of.members_asked)
        .column("false_negatives", |p| p.of.false_negatives)
        // The same keys asked in batches.
        .column("batch_false_negatives", |p| p.of.batch_false_negatives)
        .column("batch_false_positives", |p| p.of.batch_false_positives)
        .column("batch_otherwise", |p| p.of.batch_otherwise)
        .column("theory", |p| {
            records.subject(&p.of.filter).map_or("", |s| &s.theory)
        })
        .column("error", |p| &p.of.error)
        .table()
}
