//! The answer of `bouquet recommend` in words and tables.

use anyhow::Result;

use super::{
    columns,
    document::{Block, Document, Table, Text},
    markdown, number,
    terminal::{self, Screen},
};
use bouquet_record::units::{bytes, time};
use bouquet_record::{CandidateRow, Recommendation};

/// The answer as JSON. It has no verdict, because nothing is judged.
pub fn json(answer: &Recommendation) -> Result<String> {
    columns::answer(None, answer)
}

pub fn markdown(answer: &Recommendation) -> String {
    markdown::document(&Document {
        title: "Recommendation".to_owned(),
        blocks: blocks(answer),
        ..Document::default()
    })
}

pub fn text(answer: &Recommendation, screen: Screen) -> String {
    terminal::text(&blocks(answer), screen)
}

fn blocks(answer: &Recommendation) -> Vec<Block> {
    let notes = answer.notes.iter().chain([&answer.times]);
    let mut blocks = vec![
        Block::Paragraph(Text::default().strong(answer.reason.as_str())),
        Block::Paragraph(answer.runner_up_reason.as_str().into()),
        Block::List(notes.map(|note| note.as_str().into()).collect()),
    ];
    let name = "Candidates, by expected cost per lookup";
    blocks.extend(Block::titled(2, name, candidates(answer)));
    let out = |row: &&CandidateRow| row.outcome == "rejected";
    let rejected = Table::of(answer.candidates.iter().filter(out))
        .column("Candidate", |row| &row.candidate)
        .column("Why not", |row| &row.reasons);
    blocks.extend(Block::titled(2, "Rejected", rejected.table()));
    let assumed = Table::of(&answer.assumed)
        .column("Flag", |row| &row.flag)
        .column("Value", |row| &row.value)
        .column("Source", |row| &row.source);
    blocks.extend(Block::titled(2, "Defaults assumed", assumed.table()));
    blocks.push(Block::heading(2, "Code"));
    blocks.push(Block::Code(match &*answer.cargo_add {
        "" => answer.rust.clone(),
        command => format!("{command}\n// src/main.rs\n{}", answer.rust),
    }));
    blocks
}

fn candidates(answer: &Recommendation) -> Table {
    let outcome = |row: &CandidateRow| Some(row.outcome.clone()).filter(|is| is != "possible");
    let exact = |fpr| match fpr {
        0.0 => "0, exact".into(),
        fpr => number::share(fpr, 3),
    };
    let two = |x| number::decimal(x, 2);
    let ns = |ns: Option<f64>| ns.map(|ns| number::decimal(ns, 1));
    let possible = |row: &&CandidateRow| row.outcome != "rejected";
    Table::of(answer.candidates.iter().filter(possible))
        .column("Candidate", |row| &row.candidate)
        .column("#Expected cost per lookup", |row| row.overhead_ns.map(time))
        .column("Outcome", outcome)
        .column("#FPR", |row| row.expected_fpr.map(exact))
        .column("#Bits per key", |row| row.bits_per_key.map(two))
        .column("#Memory", |row| row.memory_bytes.map(bytes))
        .column("#Hit, ns", |row| ns(row.hit_ns))
        .column("#Miss, ns", |row| ns(row.miss_ns))
        .column("#Build", |row| row.build_s.map(|s| time(s * 1e9)))
        .table()
}
