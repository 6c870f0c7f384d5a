//! A document without its long tables, for a page that is read at a repository: there
//! the records themselves are a click away.

use super::{
    document::{Block, Document, Figure, Table, Text},
    html::MOST_ROWS,
    number,
};

/// So many items of a folded list stay, rows of the glance, and parts of a section.
const SHOWN: usize = 20;

/// Verdict, glance, charts and words; of other tables where their rows are.
pub fn document(document: &Document) -> Document {
    let mut has_glance = false;
    Document {
        title: document.title.clone(),
        blocks: blocks(&document.blocks, &mut has_glance),
    }
}

fn blocks(all: &[Block], has_glance: &mut bool) -> Vec<Block> {
    let mut short: Vec<Block> = Vec::new();
    // The parts of this section: those past the last that is shown.
    let (mut parts, mut left_out) = (0_usize, 0);
    for part in all {
        match part {
            Block::Heading(..=2, _) => {
                short.extend((left_out > 0).then(|| more(left_out)));
                (parts, left_out) = (0, 0);
            }
            Block::Heading(3, _) => {
                parts += 1;
                left_out = parts.saturating_sub(SHOWN);
            }
            _ => {}
        }
        if left_out == 0 {
            short.extend(block(part, has_glance));
        }
    }
    short.extend((left_out > 0).then(|| more(left_out)));
    short
}

fn block(block: &Block, has_glance: &mut bool) -> Vec<Block> {
    let one = match block {
        Block::Table(table) if *has_glance || table.rows.len() > MOST_ROWS => rest(table),
        Block::Table(table) => {
            *has_glance = true;
            return first(table);
        }
        Block::Figure(figure) => Figure {
            table: Table::default(),
            ..(**figure).clone()
        }
        .into(),
        Block::Folded { summary, inside } => match inside.as_slice() {
            [Block::Table(table)] => rest(table).under(summary),
            [Block::List(items)] if items.len() > SHOWN => Block::Folded {
                summary: summary.clone(),
                inside: vec![
                    Block::List(items[..SHOWN].to_vec()),
                    more(items.len() - SHOWN),
                ],
            },
            inside => Block::Folded {
                summary: summary.clone(),
                inside: blocks(inside, has_glance),
            },
        },
        other => other.clone(),
    };
    vec![one]
}

/// The glance, as far as it is short.
fn first(table: &Table) -> Vec<Block> {
    let mut shown = table.clone();
    shown.rows.truncate(SHOWN);
    let left_out = table.rows.len() - shown.rows.len();
    let more = (left_out > 0).then(|| more(left_out));
    [Block::Table(shown)].into_iter().chain(more).collect()
}

fn rest(table: &Table) -> Block {
    let rows = number::plural(table.rows.len() as u64, "row");
    Block::Paragraph(
        Text::from(format!("{rows}, in "))
            .link("index.html", "index.html")
            .plain(" and, as measured, in ")
            .link("records", "records/")
            .plain("."),
    )
}

fn more(items: usize) -> Block {
    let items = number::count(items as u64);
    Block::Paragraph(
        Text::from(format!("And {items} more, in "))
            .link("index.html", "index.html")
            .plain("."),
    )
}

impl Block {
    /// With words before it, if it is a paragraph.
    fn under(self, words: &str) -> Self {
        match self {
            Self::Paragraph(text) => {
                let mut all = Text::from(format!("{words}: "));
                all.0.extend(text.0);
                Self::Paragraph(all)
            }
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_table_is_no_glance() {
        let long = Table::of([(); MOST_ROWS + 1]).column("a", |()| "x").table();
        let whole = Document {
            title: "t".to_owned(),
            blocks: vec![Block::Table(long)],
        };
        let words = crate::markdown::document(&document(&whole));
        assert!(words.contains("61 rows, in [index.html]"), "{words}");
        let pages = crate::html::pages(&whole);
        assert!(!pages.index.contains("<td>x"), "{}", pages.index);
        let rows = pages.tables.map(|page| page.matches("<td>x").count());
        assert_eq!(rows, Some(MOST_ROWS + 1));
    }

    #[test]
    fn only_the_first_table_keeps_its_rows() {
        let table = Table::of([(); 3]).column("a", |()| "x").table();
        let items = vec![Text::from("one"); SHOWN + 1];
        let whole = Document {
            title: "t".to_owned(),
            blocks: vec![
                Block::Table(table.clone()),
                Block::Table(table.clone()),
                Block::folded("more of it", Block::Table(table.clone())),
                Block::folded("problems", Block::List(items)),
            ],
        };
        let short = document(&whole);
        assert_eq!(short.blocks[0], Block::Table(table));
        let words = crate::markdown::document(&short);
        assert!(
            words.contains("\n3 rows, in [index.html](index.html)"),
            "{words}"
        );
        assert!(words.contains("more of it: 3 rows"), "{words}");
        assert_eq!(words.matches("- one").count(), SHOWN);
        assert!(words.contains("And 1 more"), "{words}");
    }
}
