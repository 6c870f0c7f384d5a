//! A page that links all reports of a folder.

use super::{
    document::{Block, Document, Text},
    html,
    markdown::encoded,
};

const TITLE: &str = "Reports of Bouquet";
/// The last line of the page, which shows that the page was generated.
const MARK: &str = "<!-- an index of reports, which bouquet replaces -->\n";

pub struct Entry {
    /// The name of the report's folder, which is next to the page.
    pub folder: String,
    /// The title of the report, which is its verdict in one sentence.
    pub verdict: String,
    /// The date of the measurement; empty if the records do not have it.
    pub date: String,
    /// The revision of the program that made the measurement.
    pub revision: String,
}

pub fn page(entries: &[Entry]) -> String {
    let known = |words: &str| match words {
        "" => "not recorded".to_owned(),
        words => words.to_owned(),
    };
    let item = |entry: &Entry| {
        let to = format!("{}/index.html", encoded(&entry.folder, b"-_."));
        let (date, revision) = (known(&entry.date), known(&entry.revision));
        let verdict = &entry.verdict;
        let words = format!(": {verdict} (measured: {date}; revision: {revision})");
        Text::default().link(&entry.folder, &to).plain(words)
    };
    let list = Block::List(entries.iter().map(item).collect());
    let words = "Each report is one run; its page has the verdict, charts and tables, and links \
                 to the records that they are computed from.";
    let document = Document {
        title: TITLE.to_owned(),
        blocks: vec![Block::Paragraph(words.into()), list],
        ..Document::default()
    };
    html::document(&document) + MARK
}

/// Whether a page was written by [`page`].
pub fn is_one(page: &str) -> bool {
    page.ends_with(MARK)
}

/// The title of a report's README.md, without Markdown's escapes.
pub fn title(readme: &str) -> String {
    let first = readme.lines().next().unwrap_or_default();
    let mut words = String::new();
    let mut signs = first.trim_start_matches(['#', ' ']).chars();
    while let Some(c) = signs.next() {
        words.extend(if c == '\\' { signs.next() } else { Some(c) });
    }
    words.replace("&lt;", "<").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_report_has_an_item_with_its_link() {
        let entry = |folder: &str, date: &str| Entry {
            folder: folder.to_owned(),
            verdict: "✓ Pass: 1 < 2".to_owned(),
            date: date.to_owned(),
            revision: "abc".to_owned(),
        };
        let page = page(&[entry("main", "2026-01-31"), entry("a b", "")]);
        assert!(!page.contains("<nav"), "{page}");
        assert!(is_one(&page) && !is_one("") && !is_one("<title>Reports of Bouquet</title>"));
        for part in [
            "<a href=\"main/index.html\">main</a>",
            "<a href=\"a%20b/index.html\">a b</a>",
            "✓ Pass: 1 &lt; 2",
            "2026-01-31",
            "not recorded",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
    }

    #[test]
    fn a_title_is_read_without_the_signs_of_markdown() {
        assert_eq!(title("# a\\_b &lt; c &amp; d\n\nmore"), "a_b < c & d");
        assert_eq!(title(""), "");
    }
}
