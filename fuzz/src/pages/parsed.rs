//! Pages, parsed again by parsers that are no part of what writes them: nothing is in them but what
//! ours are made of.

use std::{fs, mem, path::Path};

use html5gum::{DefaultEmitter, Token, Tokenizer};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// How every page begins, as an [`outline`].
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
/// How every page ends.
const FOOT: &[&str] = &["/main", "script", "/script", "/body", "/html"];
/// What is between, each with its attributes.
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
/// What a chart is made of; the first is all of one in a document of ours.
const CHART: &[&str] = &[
    "svg",
    "svg aria-labelledby class height role viewbox width xmlns",
    "title id",
    "desc id",
    "rect class height width",
    "path class d",
    "path class d data-says",
    "path class d data-says stroke-width",
    "path class d stroke-width",
    "text class font-size text-anchor transform y",
    "text class font-size text-anchor x y",
    "text class font-size transform y",
    "text class font-size x y",
];
/// What Markdown has as HTML; code is where a cell has a bar that Markdown's own cannot have.
const IN_MARKDOWN: &[&str] = &["details", "summary", "code"];

/// The most of a page, the same in all: not parsed again each time.
const STYLE: &str = include_str!("../../../harness/render/src/report.css");
const SCRIPT: &str = include_str!("../../../harness/render/src/report.js");

/// What a document is made of, counted.
#[derive(Default, PartialEq, Debug)]
pub struct Shape {
    pub(super) headings: usize,
    pub(super) tables: usize,
    pub(super) codes: usize,
    pub(super) images: usize,
    pub(super) details: usize,
    pub(super) links: usize,
}

/// Checks the pages in a folder of a report.
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

/// Checks that there is no HTML in it but the elements of ours, that its links and images lead to
/// files of ours, and that it has this shape, if that is known.
pub fn check_markdown(text: &str, shape: Option<&Shape>) {
    let (mut found, mut block) = (Shape::default(), String::new());
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    for event in Parser::new_ext(text, options) {
        match event {
            // A line of a block: an element may end in another.
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

/// Checks the HTML of Markdown; how many of its elements are shown on demand.
fn check_inline(html: &str) -> usize {
    let parts = outline(html, false);
    check_parts(&parts, IN_MARKDOWN);
    parts.iter().filter(|part| *part == "details").count()
}

/// Checks that there are no elements, no attributes and no addresses in a page but ours; its
/// outline, which no word in it may change.
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
        // Of one name: what may be in a chart may not be outside.
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

/// Checks that all that begins and ends in an outline is one of these.
fn check_parts(outline: &[String], ours: &[&str]) {
    for part in outline {
        let is_ours = match part.strip_prefix('/') {
            Some(name) => ours.iter().any(|own| own.split(' ').next() == Some(name)),
            None => ours.contains(&&**part),
        };
        assert!(is_ours, "<{part}> in: {outline:?}");
    }
}

/// What a browser finds in HTML besides words: each element that begins, with the names of its
/// attributes, each that ends, comments, and a part that has no end. Every address must be ours.
fn outline(html: &str, is_chart: bool) -> Vec<String> {
    let mut emitter = DefaultEmitter::default();
    // A title of a page is text alone; one in a chart can have elements.
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

/// Checks that an address is a place on a page, a file of the report, or what every report names.
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
    // Without a slash or a colon no name leads elsewhere.
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

    use bouquet_render::{
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

    /// With charts of all kinds.
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
