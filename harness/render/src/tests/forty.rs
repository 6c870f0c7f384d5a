//! A report of forty filters.

use super::{fixture, report::report};

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
    let upper = svg.split("Measured / theory against").next().unwrap();
    let mut places: Vec<(f64, f64)> = Vec::new();
    for text in upper.split("<text ").skip(1) {
        let number = |key: &str| {
            let rest = text.split(key).nth(1).unwrap();
            rest.split('"').next().unwrap().parse::<f64>().unwrap()
        };
        let words = text.split('>').nth(1).unwrap().split('<').next().unwrap();
        if names.contains(&words) || words.starts_with("and ") {
            places.push((number(" x=\""), number(" y=\"")));
        }
    }
    assert!(upper.contains(">and ") && upper.contains(" more</text>"));
    assert!((10..40).contains(&places.len()), "{places:?}");
    for (at, (x, y)) in places.iter().enumerate() {
        let near = |(other_x, other_y): &(f64, f64)| {
            (x - other_x).abs() < 60.0 && (y - other_y).abs() < 12.0
        };
        assert!(!places[..at].iter().any(near), "{places:?}");
    }
    let readme = &files["README.md"];
    assert!(readme.len() < 30_000, "{} bytes", readme.len());
    // Of the glance and of the details the first are there, and how many there are more.
    assert_eq!(
        readme.matches(" more, in [index.html]").count(),
        3,
        "{readme}"
    );
}
