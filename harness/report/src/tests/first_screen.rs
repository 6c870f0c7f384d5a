//! Tests of what a reader sees first of a report, on a page and in a terminal.

use super::{
    fixture,
    report::{check_well_formed, markup, report},
};
use crate::{Screen, markdown_tables, plain, summary};

#[test]
fn the_first_screen_says_what_failed_and_how_to_repeat_it() {
    let mut records = fixture::run(300_000, 7);
    for row in records
        .fpr
        .iter_mut()
        .filter(|r| r.filter == "standard" && r.key_set == "urls")
    {
        row.false_positives = row.false_positives * 5 / 4;
    }
    records.battery[9].statistic = 1400.0;
    let files = report("failed", &records);
    let readme = &files["README.md"];
    assert!(readme.starts_with("# ✗ Fail: "));
    let first = readme.split("## At a glance").next().unwrap();
    for part in [
        "## What failed",
        "locations of default on urls",
        "at 4 bits per key",
        ": +2",
    ] {
        assert!(first.contains(part), "{part} not in {first}");
    }
    assert!(files["index.html"].contains("<td>exact, Bose et al. 2008"));
    assert!(readme.contains("Departing from theory: standard."));
    assert!(first.contains("more of its kind"));
    assert!(first.contains("`bouquet evaluate --filters standard --datasets urls --seed 7`"));
}

#[test]
fn names_from_outside_stay_text() {
    let mut records = fixture::clean();
    for row in &mut records.fpr {
        row.key_set = "<i>&\"a|b".into();
    }
    let files = report("wild", &records);
    check_well_formed(&markup(&files["index.html"]));
    assert!(!files["README.md"].contains("<i>"));
}

#[test]
fn the_glance_has_every_format() {
    let records = fixture::clean();
    let table = summary(&records, Screen::default());
    assert!(table.contains("locations not exposed"));
    let csv = plain(&records).csv().unwrap();
    assert!(csv.starts_with("filter,role,verdict,") && csv.lines().count() == 3);
    let json: serde_json::Value =
        serde_json::from_str(&plain(&records).json(None).unwrap()).unwrap();
    assert_eq!(json["rows"][0]["filter"], "standard");
    assert_eq!(json["rows"][0]["target_fpr"], 0.01);
    assert!(markdown_tables(&records).contains("| standard | pass |"));
}

#[test]
fn the_terminal_is_coloured_only_if_asked() {
    let records = fixture::clean();
    let plain = summary(&records, Screen::default());
    assert!(plain.starts_with("✓ Pass") && !plain.contains('\u{1b}'));
    assert!(
        summary(
            &records,
            Screen {
                colour: true,
                ..Screen::default()
            }
        )
        .starts_with("\u{1b}[1;32m✓ Pass")
    );
}
