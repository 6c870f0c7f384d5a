//! A report of forty filters.

use super::{
    fixture,
    report::{check_apart, places, report},
};

/// Of forty filters as many are named as there is room for, and how many there are more; the
/// page for a repository stays short.
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
    // Of every table the first rows are there, and how many there are more.
    assert_eq!(
        readme.matches(" more, in [index.html]").count(),
        1,
        "{readme}"
    );
}
