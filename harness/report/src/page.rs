//! The parts of a page on a terminal.

use super::{
    document::Block,
    number,
    terminal::{Screen, lines, table},
};
use bouquet_record::line::clean;

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
