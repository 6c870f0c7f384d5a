//! The parts of a page on a terminal, and answers in JSON.

use anyhow::Result;
use serde::Serialize;

use super::{
    columns::{self, ANSWER_SCHEMA},
    document::Block,
    number,
    terminal::{Screen, lines, table},
};
use bouquet_ground::{Outcome, line::clean};

/// The blocks, one below the other; a star marks bold numbers of a table.
pub fn text(blocks: &[Block], screen: Screen) -> String {
    let words = |words: &str| lines(&clean(words), screen).join("\n") + "\n";
    let parts = blocks.iter().map(|block| match block {
        Block::Heading(_, name) => words(name),
        Block::Paragraph(text) => words(&text.words()),
        Block::List(items) => {
            let items = items.iter().map(|item| clean(&item.words()) + "\n");
            number::joined(items, "\n")
        }
        Block::Table(part) => table(&part.clone().starred(), screen),
        Block::Code(code) => format!("{}\n", code.trim_end()),
    });
    number::joined(parts, "\n")
}

/// The structure that all commands use for JSON.
#[derive(Serialize)]
struct Answer<T> {
    schema: u32,
    verdict: Option<Outcome>,
    #[serde(flatten)]
    answer: T,
}

/// An answer as JSON, with the verdict if there is one.
pub fn json(verdict: Option<Outcome>, answer: impl Serialize) -> Result<String> {
    columns::json(&Answer {
        schema: ANSWER_SCHEMA,
        verdict,
        answer,
    })
}
