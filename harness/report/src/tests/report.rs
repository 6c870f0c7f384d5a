//! Tests of the written report: reproducible, well-formed and complete.

use std::{collections::BTreeMap, fs, path::Path};

use super::fixture;
use crate::{cost_table, write_report};
use bouquet_record::{Records, Sweep};

fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inside) = folders.pop() {
        for entry in fs::read_dir(inside).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path
                    .strip_prefix(folder)
                    .unwrap()
                    .to_string_lossy()
                    .into_owned();
                found.insert(name, fs::read_to_string(&path).unwrap());
            }
        }
    }
    found
}

/// Writes a report into a temporary folder and returns its files.
pub fn report(name: &str, records: &Records) -> BTreeMap<String, String> {
    let folder = std::env::temp_dir().join(format!("bouquet-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    write_report(records, &[], &folder).unwrap();
    let found = files(&folder);
    // Set BOUQUET_KEEP_REPORTS=1 to look at the report.
    if std::env::var_os("BOUQUET_KEEP_REPORTS").is_none() {
        fs::remove_dir_all(&folder).unwrap();
    }
    found
}

/// Asserts that every element that is opened is closed.
pub fn check_well_formed(page: &str) {
    // HTML elements without an end tag are removed first.
    let is_open = |line: &&str| line.starts_with("<!DOCTYPE") || line.starts_with("<meta");
    let lines: Vec<&str> = page.lines().filter(|line| !is_open(line)).collect();
    let text = lines.join("\n");
    assert!(roxmltree::Document::parse(&text).is_ok(), "{text}");
}

/// The positions and contents of the texts on a chart for which `is_one` is true. Texts in the
/// small panels below the chart are left out.
pub fn places(svg: &str, is_one: impl Fn(&str) -> bool) -> Vec<(f64, f64, String)> {
    let upper = svg.split(">measured / theory<").next().unwrap();
    let texts = upper.split("<text ").skip(1).filter_map(|text| {
        let number = |key: &str| {
            let rest = text.split(key).nth(1)?;
            rest.split('"').next()?.parse::<f64>().ok()
        };
        let words = text.split('>').nth(1)?.split('<').next()?;
        is_one(words).then_some((number(" x=\"")?, number(" y=\"")?, words.to_owned()))
    });
    texts.collect()
}

/// Asserts that no text hides another.
pub fn check_apart(places: &[(f64, f64, String)]) {
    for (place, (x, y, words)) in places.iter().enumerate() {
        for (other_x, other_y, other) in &places[..place] {
            let near = (x - other_x).abs() < 60.0 && (y - other_y).abs() < 12.0;
            assert!(!near, "{words} hides {other}");
        }
    }
}

#[test]
fn the_same_records_give_the_same_bytes() {
    let records = fixture::clean();
    let (one, two) = (report("one", &records), report("two", &records));
    assert!(one == two);
    assert_eq!(
        one.keys().map(String::as_str).collect::<Vec<_>>(),
        [
            "README.md",
            "charts/bits-needed.svg",
            "charts/fpr-by-bits-per-key.svg",
            "charts/fpr-by-load.svg",
            "charts/p-values.svg",
            "index.html",
        ]
    );
}

#[test]
fn charts_are_well_formed_and_named_and_have_marks() {
    let files = report("marks", &fixture::clean());
    for (name, svg) in files.iter().filter(|(name, _)| name.ends_with(".svg")) {
        check_well_formed(svg);
        for part in [
            "<title id=",
            "<desc id=",
            "role=\"img\"",
            "prefers-color-scheme:dark",
        ] {
            assert!(svg.contains(part), "{name} lacks {part}");
        }
        assert!(
            !svg.contains("<title id=\"\"") && !svg.contains("></title>"),
            "{name}"
        );
        let marks = marks(svg);
        assert!(marks >= 3, "{name} has {marks} marks");
        assert!(
            !svg.contains("NaN") && !svg.contains("\"inf") && !svg.contains(",inf"),
            "{name}"
        );
    }
    check_well_formed(&markup(&files["index.html"]));
}

/// The number of tooltips on a chart or a page.
pub fn marks(svg: &str) -> usize {
    let says = svg.split("data-says=\"").skip(1);
    says.map(|rest| rest.split('"').next().unwrap().lines().count())
        .sum()
}

/// A page without its script, which is no XML.
pub fn markup(page: &str) -> String {
    let (before, rest) = page.split_once("<script>").unwrap();
    let (_, after) = rest.split_once("</script>").unwrap();
    format!("{before}{after}")
}

/// With a dozen filters every chart is drawn, and each title has at most eight words.
#[test]
fn a_dozen_filters_have_every_chart_and_short_titles() {
    let files = report("many", &fixture::many(3, 3_000.0, 7));
    for name in [
        "fpr-by-bits-per-key",
        "fpr-by-load",
        "growth",
        "churn",
        "bits-needed",
        "p-values",
    ] {
        let svg = &files[&format!("charts/{name}.svg")];
        check_well_formed(svg);
        let title = svg.split("-title\">").nth(1).unwrap();
        let title = title.split("</title>").next().unwrap();
        assert!(title.split(' ').count() <= 8, "{name}: {title}");
        assert!(!svg.contains("NaN") && !svg.contains("\"inf"), "{name}");
    }
    let readme = &files["README.md"];
    for part in [
        "No filter that is judged departs from theory.",
        "With false negatives while keys are removed: cuckoofilter.",
        // Not a load that was measured: these are quarters.
        "Rejecting keys once full: cuckoo at 1.03 times its capacity, cuckoofilter at 1.03 times its \
         capacity.",
        "Filled to 10 times the first capacity. No filter that is judged departs from theory. Bits \
         per key: scalable ",
    ] {
        assert!(readme.contains(part), "{part}");
    }
}

/// A chart of a dozen filters names each of them, and no name hides another.
#[test]
fn labels_of_a_dozen_filters_stay_apart() {
    let files = report("labels", &fixture::many(3, 3_000.0, 7));
    for name in ["fpr-by-bits-per-key", "fpr-by-load"] {
        let is_one = |words: &str| fixture::KINDS.iter().any(|kind| kind.name == words);
        let labels = places(&files[&format!("charts/{name}.svg")], is_one);
        check_apart(&labels);
        assert!(labels.len() >= 9, "{name}: {labels:?}");
    }
}

#[test]
fn the_page_needs_nothing_else() {
    let files = report("page", &fixture::clean());
    let page = &files["index.html"];
    assert_eq!(page.matches("<script>").count(), 1);
    // Data, and the pictures that are shown without scripts.
    let others = page.replace("<script type=\"application/json\"", "");
    let others = others.replace("src=\"charts/", "");
    assert!(!others.contains("<script ") && !others.contains("src="));
    assert!(page.contains("default-src 'none'"));
    assert!(
        !page
            .replace("http://www.w3.org/2000/svg", "")
            .contains("://")
    );
    assert!(page.contains("<h1 id=\"top\">✓ Pass"));
    assert!(files["README.md"].starts_with("# ✓ Pass"));
    for name in files.keys().filter(|name| name.ends_with(".svg")) {
        assert!(files["README.md"].contains(&format!("]({name})")), "{name}");
    }
}

/// A report can be moved, so it links to nothing outside its folder. Its README.md is short.
#[test]
fn how_it_was_made_is_named() {
    let files = report("made", &fixture::clean());
    for name in ["METHODOLOGY.md", "BIAS.md"] {
        assert!(files["index.html"].contains(name));
        let harness = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        assert!(harness.join(name).is_file());
    }
    assert!(!files["index.html"].contains("href=\"../"));
    let readme = &files["README.md"];
    assert!(readme.contains("[index.html](index.html)"));
    assert!(readme.split_whitespace().count() < 1_500, "{readme}");
}

#[test]
fn no_rows_leave_sections_out() {
    let files = report("empty", &Records::default());
    assert!(files["README.md"].starts_with("# ∅ Invalid run: nothing was checked"));
    assert_eq!(files.len(), 2);
    let whole = fixture::clean();
    let parts = [
        Records {
            fpr: Vec::new(),
            ..whole.clone()
        },
        Records {
            battery: Vec::new(),
            ..whole.clone()
        },
        Records {
            memory: Vec::new(),
            ..whole.clone()
        },
        Records {
            subjects: Vec::new(),
            datasets: Vec::new(),
            ..whole.clone()
        },
        Records {
            facts: BTreeMap::new(),
            experiments: Vec::new(),
            ..whole
        },
    ];
    for (place, part) in parts.iter().enumerate() {
        let files = report(&format!("part-{place}"), part);
        check_well_formed(&markup(&files["index.html"]));
        assert!(!files["index.html"].contains("NaN"));
    }
}

#[test]
fn the_cost_of_a_filter_comes_from_the_records() {
    let mut records = fixture::many(3, 3_000.0, 7);
    for row in records.fpr.iter_mut().filter(|row| row.x == 1.0) {
        row.sweep = Sweep::TargetFpr;
    }
    let cost = |filter: &str| cost_table(&records, filter, "reports/main").unwrap();
    let counting = cost("counting");
    let rows: Vec<&str> = counting.lines().collect();
    assert!(
        rows[2].starts_with("| 1 % | 38.35 | 5.77 | 7 |"),
        "{counting}"
    );
    assert!(rows[2].ends_with("| 0 of 1,500,000 |"), "{counting}");
    // At the lower target FPRs no FPR was measured, so the last two cells have dashes.
    assert!(rows[3].starts_with("| 0.1 % | 57.52 |") && rows[3].ends_with("| – | – |"));
    assert!(rows[4].starts_with("| 0.01 % |"), "{counting}");
    for part in [
        "for 100,000 keys",
        "From the report `reports/main` by `bouquet evaluate --seed 7`.",
        "After 6 rounds of removals and insertions: FPR ",
        "over all rounds false negatives for 0 of 860,160 members, and 0 of 184,320 removals rejected",
    ] {
        assert!(counting.contains(part), "{part} not in {counting}");
    }
    assert!(!cost("standard").contains("removals"));
    // The baseline filter's size cannot be chosen, so its table has one row, below two heading
    // lines.
    let baseline = cost("cuckoofilter");
    assert_eq!(baseline.lines().filter(|l| l.starts_with('|')).count(), 3);
    assert!(
        baseline.lines().nth(2).unwrap().starts_with("| – |"),
        "{baseline}"
    );
    for nothing in ["tulip", "default"] {
        let error = cost_table(&records, nothing, "reports/main").unwrap_err();
        assert!(
            error.to_string().contains("there are standard, counting"),
            "{error}"
        );
    }
}

/// If not all of forty filters fit on a chart, it says how many are missing. README.md stays short.
#[test]
fn forty_filters_fit() {
    let records = fixture::forty();
    let files = report("forty", &records);
    let names: Vec<&str> = records
        .subjects
        .iter()
        .map(|s| s.subject.as_str())
        .collect();
    assert!(names.len() >= 40, "{names:?}");
    let svg = &files["charts/fpr-by-bits-per-key.svg"];
    let labels = places(svg, |words| {
        names.contains(&words) || words.starts_with("and ")
    });
    check_apart(&labels);
    assert!((10..40).contains(&labels.len()), "{labels:?}");
    assert!(labels.iter().any(|(.., words)| words.ends_with(" more")));
    let readme = &files["README.md"];
    assert!(readme.len() < 30_000, "{} bytes", readme.len());
    // Every table shows its first rows, and says how many more there are.
    assert_eq!(
        readme.matches(" more, in [index.html]").count(),
        1,
        "{readme}"
    );
}
