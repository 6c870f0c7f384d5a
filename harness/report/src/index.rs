//! A page with the uses of the program and a card for each report of a folder.

use super::{
    document::Document,
    html::{self, escape},
    markdown::encoded,
    number,
};

const TITLE: &str = "Reports of Bouquet";
/// The last line of the page, which shows that the page was generated.
const MARK: &str = "<!-- an index of reports, which bouquet replaces -->\n";
/// The link from a report's page to this one.
const BACK: &str = "<p class=\"source\"><a href=\"../index.html\">All reports</a></p>\n";
const HEADING: &str = "<h1 id=\"top\">";

const STYLE: &str = "\
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(17rem, 100%), 1fr)); gap: 1.25rem;
  max-width: none; padding: 0; list-style: none; }
.cards li { position: relative; padding: 1rem 1.1rem; border: 1px solid var(--rule); border-radius: 6px; break-inside: avoid; }
.cards h3 { margin: 0 0 .4rem; }
.cards p { margin: .4rem 0; }
.cards pre { position: relative; z-index: 1; margin: .6rem 0 0; }
/* All of a card is its link, but for code, which can be copied. */
.cards a[href]::after { content: \"\"; position: absolute; inset: 0; }
.cards a:not([href]) { color: inherit; }
.cards li:has(a:hover, a:focus-visible) { border-color: var(--link); }
.picture { aspect-ratio: 8 / 5; margin-bottom: .8rem; }
.picture svg { display: block; width: 100%; height: 100%; }
";

const USES: &str = "\
<h2 id=\"uses\">Three uses</h2>
<ul class=\"cards\">
<li><h3 id=\"choose\"><a href=\"../docs/guide/src/choose.md\">Choose a filter</a></h3>
<p>Which filter fits a workload, how large it must be, and code to start from:</p>
<pre><code>bouquet recommend \\
  --capacity 1e6 --fpr 0.01 \\
  --work-cost 80us</code></pre></li>
<li><h3 id=\"guard\"><a href=\"../docs/CI.md\">Guard it in CI</a></h3>
<p>A build fails if the size, the hash, the stored bytes or the false-positive rate of a filter changes. <code>docs/CI.md</code> has each step:</p>
<pre><code>bouquet gate --quick \\
  --define bouquet.toml \\
  --baseline bouquet-baseline</code></pre></li>
<li><h3 id=\"add\"><a href=\"../README.md#add-a-crate\">Add a crate</a></h3>
<p>The table in <code>crates/bouquet/README.md</code> names the filter for what you have. All are in one crate:</p>
<pre><code>cargo add bouquet \\
  --git &lt;URL of the repository&gt;</code></pre></li>
</ul>
";

#[derive(Default)]
pub struct Entry {
    /// The name of the report's folder, which is next to the page.
    pub folder: String,
    /// The title of the report, which is its verdict in one sentence.
    pub verdict: String,
    /// The titles of its experiments.
    pub questions: Vec<String>,
    /// The number of its filters, and how many of them are those of other crates.
    pub filters: [u64; 2],
    /// The date of the measurement; empty if the records do not have it.
    pub date: String,
    /// The revision of the program that made the measurement.
    pub revision: String,
    /// The file of its first chart; empty if it has none.
    pub chart: String,
}

/// The page; `has_docs` is whether the project's README.md and docs are in the folder above.
pub fn page(entries: &[Entry], has_docs: bool) -> String {
    // Without them a name is no link.
    let uses = USES.replace("<a href", if has_docs { "<a href" } else { "<a title" });
    let document = Document {
        title: TITLE.to_owned(),
        ..Document::default()
    };
    let cards: String = entries.iter().map(card).collect();
    let body = format!(
        "{uses}<h2 id=\"reports\">The reports</h2>\n<p>Each is one run; its page has the verdict, \
         charts and tables, and links to the records that they are computed from.</p>\n<ul \
         class=\"cards\">\n{cards}</ul>\n</main>"
    );
    let page = html::document(&document).replacen("</main>", &body, 1);
    page.replacen("</style>", &format!("{STYLE}</style>"), 1) + MARK
}

fn card(entry: &Entry) -> String {
    let known = |words: &str| match words {
        "" => "not recorded".to_owned(),
        words => escape(words),
    };
    let to = encoded(&entry.folder, b"-_.");
    let [folder, verdict] = [&entry.folder, &entry.verdict].map(|words| escape(words));
    let questions = escape(&number::joined(&entry.questions, " "));
    let [date, revision] = [&entry.date, &entry.revision].map(|words| known(words));
    let [filters, others] = entry.filters;
    let others = match others {
        0 => String::new(),
        others => format!(", {others} of other crates"),
    };
    let filters = number::plural(filters, "filter") + &others;
    let picture = picture(&entry.chart).unwrap_or_default();
    format!(
        "<li>{picture}<h3 id=\"report-{to}\"><a href=\"{to}/index.html\">{folder}</a></h3>\n\
         <p>{verdict}</p>\n<p>{questions}</p>\n<p class=\"source\">{filters}. Measured: {date}; \
         revision: {revision}</p></li>\n"
    )
}

/// The upper part of a chart without its tooltips, from its file; `None` if this has more than the
/// shapes of a chart.
fn picture(file: &str) -> Option<String> {
    let (head, rest) = file.split_once("</style>")?;
    let (shapes, _) = rest.split_once("<g data-says=")?;
    let (_, size) = head.split_once(" viewBox=\"")?;
    let size = escape(size.split('"').next()?);
    let mut tags = shapes.split('<').skip(1);
    let is_shape = |tag: &str| {
        let name = tag.trim_start_matches('/').split([' ', '>']).next();
        matches!(name, Some("path" | "rect" | "text"))
    };
    tags.all(is_shape).then(|| {
        format!(
            "<div class=\"chart picture\" aria-hidden=\"true\"><svg viewBox=\"{size}\" \
             preserveAspectRatio=\"xMidYMin slice\">{shapes}</svg></div>\n"
        )
    })
}

/// A report's page with a link to the index, which must be in the folder above.
pub fn linked(report: &str) -> String {
    match report.contains(BACK) {
        true => report.to_owned(),
        false => report.replacen(HEADING, &format!("{BACK}{HEADING}"), 1),
    }
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
    use crate::svg;

    #[test]
    fn every_report_has_an_item_with_its_link() {
        let entry = |folder: &str, date: &str| Entry {
            folder: folder.to_owned(),
            verdict: "✓ Pass: 1 < 2".to_owned(),
            date: date.to_owned(),
            revision: "abc".to_owned(),
            questions: vec!["Is a < b?".to_owned()],
            filters: [12, 3],
            ..Entry::default()
        };
        let entries = [entry("main", "2026-01-31"), entry("a b", "")];
        let [page, without] = [true, false].map(|has_docs| page(&entries, has_docs));
        let links = [&page, &without].map(|page| page.matches("href=\"../").count());
        assert_eq!(links, [3, 0]);
        assert!(!page.contains("<nav"), "{page}");
        assert!(is_one(&page) && !is_one("") && !is_one("<title>Reports of Bouquet</title>"));
        for part in [
            "<a href=\"main/index.html\">main</a>",
            "<a href=\"a%20b/index.html\">a b</a>",
            "✓ Pass: 1 &lt; 2",
            "Is a &lt; b?",
            "12 filters, 3 of other crates. Measured: 2026-01-31",
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

    #[test]
    fn a_card_has_the_shapes_of_a_chart_and_nothing_else() {
        let chart = |shapes: &str| {
            let svg = svg::document(["c", "t", "d"], (100, 50), shapes, &["tip".to_owned()]);
            let entry = Entry {
                chart: svg::file(&svg),
                ..Entry::default()
            };
            page(&[entry], true)
        };
        let good = chart("<path d=\"M0 0\"/><text>m &lt; 1</text>");
        for part in ["viewBox=\"0 0 10 5\"", "<path d=\"M0 0\"/>", "m &lt; 1"] {
            assert!(good.contains(part), "{part}: {good}");
        }
        assert!(!good.contains("c-title") && !good.contains("data-says=\"tip"));
        assert!(!chart("</svg><script>alert(1)</script>").contains("alert"));
        let file = svg::file(&svg::document(["c", "t", "d"], (1, 1), "", &[]));
        assert!(picture(&file).is_some());
        for cut in ["<svg", "</style>", "<g "] {
            let (file, _) = file.split_once(cut).unwrap();
            assert_eq!(picture(file), None, "{file}");
        }
    }

    #[test]
    fn a_page_is_linked_once() {
        let document = Document {
            title: "A report".to_owned(),
            ..Document::default()
        };
        let once = linked(&html::document(&document));
        assert_eq!(once.matches("href=\"../index.html\"").count(), 1);
        assert_eq!(linked(&once), once);
        assert_eq!(linked("no page"), "no page");
    }
}
