//! Tests of a report of forty filters.

use super::{
    fixture,
    report::{check_apart, places, report},
};

/// A chart names as many of forty filters as fit, and says how many more there are; README.md stays
/// short.
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
