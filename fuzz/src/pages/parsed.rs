//! Parses pages with independent parsers and checks that they consist only of the elements that the
//! program writes.

use std::{fs, mem, path::Path};

use html5gum::{DefaultEmitter, Token, Tokenizer};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// The beginning of every page, as an [`outline`].
const HEAD: &[&str] = &[
    "!doctype",
    "html lang",
    "head",
    "meta charset",
    "meta content name",
    "meta content name",
    "meta content http-equiv",
    "title",
    "/title",
    "style",
    "/style",
    "/head",
    "body",
    "main",
    "h1 id",
    "/h1",
];
/// The end of every page.
const FOOT: &[&str] = &["/main", "script", "/script", "/body", "/html"];
/// The elements between them, each with its attributes.
const BODY: &[&str] = &[
    "a href",
    "code",
    "details",
    "div class",
    "figcaption",
    "figure id",
    "h2 id",
    "h3 id",
    "h4 id",
    "li",
    "nav aria-label",
    "p",
    "p class",
    "pre",
    "strong",
    "summary",
    "table",
    "tbody",
    "td",
    "td class",
    "th class scope",
    "th scope",
    "thead",
    "tr",
    "ul",
];
/// The elements of a chart. The first, without attributes, stands for a chart in a test document.
const CHART: &[&str] = &[
    "svg",
    "svg aria-labelledby class height role viewbox width xmlns",
    "title id",
    "desc id",
    "rect class height width",
    "path class d",
    "path class d stroke-width",
    "g data-says",
    "text class font-size text-anchor transform y",
    "text class font-size text-anchor x y",
    "text class font-size transform y",
    "text class font-size x y",
];
/// The HTML elements in Markdown. `code` is used for a cell with a `|` that backticks cannot
/// contain.
const IN_MARKDOWN: &[&str] = &["details", "summary", "code"];

/// The largest parts of a page are the same in all pages, so they are not parsed each time.
const STYLE: &str = include_str!("../../../harness/report/src/report.css");
const SCRIPT: &str = include_str!("../../../harness/report/src/report.js");

/// The number of elements of each kind in a document.
#[derive(Default, PartialEq, Debug)]
pub struct Shape {
    pub(super) headings: usize,
    pub(super) tables: usize,
    pub(super) codes: usize,
    pub(super) images: usize,
    pub(super) details: usize,
    pub(super) links: usize,
}

/// Checks the pages in the folder of a report.
pub fn check_files(folder: &Path) {
    for name in ["README.md", "index.html"] {
        let Ok(text) = fs::read_to_string(folder.join(name)) else {
            continue;
        };
        if name.ends_with(".md") {
            check_markdown(&text, None);
        } else {
            check_html(&text);
        }
    }
}

/// Checks that the text has no HTML elements but those that the program writes, that its links and
/// images lead to the report's own files, and that it has this shape, if given.
pub fn check_markdown(text: &str, shape: Option<&Shape>) {
    let (mut found, mut block) = (Shape::default(), String::new());
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    for event in Parser::new_ext(text, options) {
        match event {
            // One line of a block; an element may end on a later line.
            Event::Html(line) => block.push_str(&line),
            Event::End(TagEnd::HtmlBlock) => found.details += check_inline(&mem::take(&mut block)),
            Event::InlineHtml(html) => found.details += check_inline(&html),
            Event::Start(Tag::Heading { .. }) => found.headings += 1,
            Event::Start(Tag::Table(_)) => found.tables += 1,
            Event::Start(Tag::CodeBlock(_)) => found.codes += 1,
            Event::Start(Tag::Image { dest_url, .. }) => {
                check_address(&dest_url);
                found.images += 1;
            }
            Event::Start(Tag::Link { dest_url, .. }) => {
                check_address(&dest_url);
                found.links += 1;
            }
            _ => {}
        }
    }
    if let Some(shape) = shape {
        assert_eq!(&found, shape, "another shape:\n{text}");
    }
}

/// Checks the HTML in Markdown; returns the number of `details` elements.
fn check_inline(html: &str) -> usize {
    let parts = outline(html, false);
    check_parts(&parts, IN_MARKDOWN);
    parts.iter().filter(|part| *part == "details").count()
}

/// Checks that a page has only elements, attributes and addresses that the program writes. Returns
/// its outline, which must not depend on the texts.
pub fn check_html(page: &str) -> Vec<String> {
    let own = page.replacen(STYLE, "", 1).replacen(SCRIPT, "", 1);
    assert!(
        own.len() + STYLE.len() + SCRIPT.len() == page.len(),
        "another style or script"
    );
    let (mut all, mut rest) = (Vec::new(), &*own);
    while let Some(at) = rest.find("<svg") {
        let (before, after) = rest.split_at(at);
        let end = after.find("</svg>").expect("a chart has an end") + "</svg>".len();
        let (chart, after) = after.split_at(end);
        let chart = outline(chart, true);
        check_parts(&chart, CHART);
        all.extend(outline(before, false));
        // A chart is one entry, since elements that are allowed in a chart are not allowed outside.
        all.push(format!("chart: {}", chart.join(", ")));
        rest = after;
    }
    all.extend(outline(rest, false));
    assert!(
        all.iter().take(HEAD.len()).eq(HEAD),
        "another head: {all:?}"
    );
    let end = all.len() - FOOT.len();
    assert!(all[end..].iter().eq(FOOT), "another foot: {all:?}");
    let body = all[HEAD.len()..end].iter();
    let body: Vec<_> = body
        .filter(|part| !part.starts_with("chart: "))
        .cloned()
        .collect();
    check_parts(&body, BODY);
    all
}

/// Checks that the beginning and end of each element in an outline is in `ours`.
fn check_parts(outline: &[String], ours: &[&str]) {
    for part in outline {
        let is_ours = match part.strip_prefix('/') {
            Some(name) => ours.iter().any(|own| own.split(' ').next() == Some(name)),
            None => ours.contains(&&**part),
        };
        assert!(is_ours, "<{part}> in: {outline:?}");
    }
}

/// The markup that a browser finds in HTML: each start tag with the names of its attributes, each
/// end tag, comments, and an unfinished part. Every address must be one that the program writes.
fn outline(html: &str, is_chart: bool) -> Vec<String> {
    let mut emitter = DefaultEmitter::default();
    // The title of a page contains only text; that of a chart may contain elements.
    emitter.naively_switch_states(!is_chart);
    let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut parts = Vec::new();
    for token in Tokenizer::new_with_emitter(html, emitter) {
        let Ok(token) = token;
        parts.push(match token {
            Token::StartTag(tag) => {
                let mut part = lossy(&tag.name);
                for (key, value) in &tag.attributes {
                    if &***key == b"href" {
                        check_address(&lossy(value));
                    }
                    part = part + " " + &lossy(key);
                }
                part
            }
            Token::EndTag(tag) => format!("/{}", lossy(&tag.name)),
            Token::Doctype(_) => "!doctype".to_owned(),
            Token::Comment(_) => "!--".to_owned(),
            Token::Error(error) if error.as_str().starts_with("eof-") => error.to_string(),
            Token::String(_) | Token::Error(_) => continue,
        });
    }
    parts
}

/// Checks that an address is a place on the page, a file of the report, or a fixed link.
fn check_address(address: &str) {
    let is_fixed = [
        "index.html",
        "gate.json",
        "records/",
        "../../harness/METHODOLOGY.md",
        "../../harness/BIAS.md",
        "../../crates/bouquet/README.md",
    ]
    .contains(&address);
    // A name without a slash or a colon cannot lead elsewhere.
    let is_name = |name: &str| {
        let mut bytes = name.bytes();
        bytes.all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    };
    let is_named = ["#", "records/", "charts/"]
        .iter()
        .any(|begin| address.strip_prefix(begin).is_some_and(is_name));
    assert!(is_fixed || is_named, "leads to {address}");
}

#[cfg(test)]
mod tests {
    use std::panic::{self, UnwindSafe};

    use bouquet_report::{
        document::{Block, Document, Figure, Table, Text},
        html,
    };

    use super::*;

    /// A page with a chart, links and a table.
    fn page() -> String {
        let figure = Figure {
            name: "chart".to_owned(),
            title: "A title".to_owned(),
            finding: "A finding".to_owned(),
            svg: "<svg></svg>".to_owned(),
            reading: "so".to_owned(),
            table: Table::of([()]).column("a", |()| "b").table(),
            data: Vec::new(),
        };
        let document = Document {
            title: "A report".to_owned(),
            blocks: vec![
                Block::heading(2, "Words"),
                Block::Paragraph(Text::default().plain("HERE")),
            ],
            figures: vec![figure],
            details: Vec::new(),
        };
        html::document(&document)
    }

    fn is_found<T>(check: impl FnOnce() -> T + UnwindSafe) -> bool {
        panic::catch_unwind(check).is_err()
    }

    const AWAY: [&str; 8] = [
        "javascript:alert(1)//x.html",
        "https://evil/x.html",
        "//evil/x.html",
        "/x.html",
        "../../harness/../x.html",
        "records/../../x",
        "r:x",
        "data:,x.html#",
    ];

    /// The committed reports have charts of all kinds.
    #[test]
    fn the_reports_of_the_tree_are_ours() {
        let reports = Path::new(env!("CARGO_MANIFEST_DIR")).join("../reports");
        let folders = fs::read_dir(reports).unwrap();
        let folders = folders.map(|entry| entry.unwrap().path());
        let with_pages = folders.filter(|folder| folder.join("index.html").exists());
        assert!(with_pages.inspect(|folder| check_files(folder)).count() > 0);
    }

    #[test]
    fn what_is_not_ours_is_found_in_a_page() {
        let page = page();
        check_html(&page);
        let elements = [
            "<meta http-equiv=\"refresh\" content=\"0;url=x\">",
            "<style>p{}</style>",
            "<title>x</title>",
            "<script>x</script>",
            "<img src=x>",
            "<p onclick=x></p>",
            "<p style=x></p>",
            "<a href=\"#a\" target=x></a>",
            "<!-- x -->",
            "</main>",
            "<text></text>",
            "<SVG></SVG>",
            "<a href=\"#a\"",
        ];
        for element in elements {
            let other = page.replacen("HERE", element, 1);
            assert!(is_found(|| check_html(&other)), "{element}");
        }
        for address in AWAY {
            let other = page.replacen("HERE", &format!("<a href=\"{address}\">x</a>"), 1);
            assert!(is_found(|| check_html(&other)), "{address}");
        }
    }

    #[test]
    fn one_more_of_ours_changes_the_outline() {
        let page = page();
        let plain = check_html(&page.replacen("HERE", "&lt;a&gt; xxx", 1));
        assert_eq!(plain, check_html(&page));
        let elements = ["<a href=\"#a\">x</a>", "<p>", "</div>", "<svg></svg>"];
        for element in elements {
            let other = check_html(&page.replacen("HERE", element, 1));
            assert_ne!(plain, other, "{element}");
        }
    }

    #[test]
    fn what_is_not_ours_is_found_in_a_chart() {
        let page = page();
        let elements = [
            "<path onload=x>",
            "<path class=x d=x style=x>",
            "<a href=\"#a\">x</a>",
            "<use href=\"#a\"/>",
            "<script>x</script>",
            "<title id=x><img src=x></title>",
            "<foreignObject>",
            "<![CDATA[x]]>",
        ];
        let with = |element: &str| page.replacen("<svg>", &format!("<svg>{element}"), 1);
        check_html(&with("<path class=x d=x><title id=x>&lt;img&gt;</title>"));
        for element in elements {
            let other = with(element);
            assert!(is_found(|| check_html(&other)), "{element}");
        }
    }

    #[test]
    fn what_is_not_ours_is_found_in_markdown() {
        let ours = "[a](records/)\n\n<details>\n<summary>b</summary>\n\n![c](charts/d.svg)\n\n</details>\n";
        check_markdown(ours, None);
        let others = [
            "a <b>",
            "<details open>",
            "<details onclick=x>",
            "<div\nonclick=x>",
            "<details>\n<a\nhref=\"#a\">x</a>",
            "<details>\n<a href=\"#a\"",
            "<!-- x -->",
            "<https://evil/x.html>",
            "[a]\n\n[a]: https://evil/x.html",
        ];
        for other in others {
            assert!(is_found(|| check_markdown(other, None)), "{other}");
        }
        for address in AWAY {
            for text in [format!("[a]({address})"), format!("![a]({address})")] {
                assert!(is_found(|| check_markdown(&text, None)), "{text}");
            }
        }
    }
}
