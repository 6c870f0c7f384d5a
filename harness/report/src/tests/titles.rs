//! The title of a report is its verdict, in one short sentence.

use std::path::Path;

use super::fixture;
use crate::{evaluation, finish, judge::judge, speed};
use bouquet_record::{Kind, Outcome, Records, Source};

/// The title of the report of these records, which says that the run was interrupted.
fn title(mut records: Records) -> String {
    records.facts.insert("interrupted".into(), "true".into());
    let document = match records.kind {
        Kind::Evaluation => evaluation::document(&records, &judge(&records)),
        Kind::Speed => speed::document(&records).1,
    };
    finish(document, &records).title
}

#[test]
fn a_title_has_at_most_25_words_whatever_the_verdict() {
    let reports = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports");
    let speed = Source::new(&reports.join("speed")).unwrap().read().unwrap();
    let mut slow = speed.clone();
    for row in &mut slow.times {
        row.false_negatives = 1_000_000;
        "out of memory".clone_into(&mut row.error);
    }
    let mut wrong = fixture::run(300_000, 7);
    for row in &mut wrong.fpr {
        row.false_positives = row.false_positives * 5 / 4;
        row.false_negatives = 1;
    }
    let all = [
        (fixture::clean(), Outcome::Pass),
        (wrong, Outcome::Fail),
        (speed, Outcome::Pass),
        (slow, Outcome::Fail),
    ];
    for (records, outcome) in all {
        let title = title(records);
        let words = title.split_whitespace().count();
        let first = format!("Interrupted: {}", outcome.headline(""));
        assert!(title.starts_with(&first), "{title}");
        assert!((5..=25).contains(&words), "{words} words: {title}");
    }
}
