//! The verdict, the report and its tables.

use super::*;

#[test]
fn ours_may_have_no_false_negative_and_not_break() {
    let failed = |change: fn(&mut PeerRow)| {
        let mut records = records(filter("own", change));
        records.subjects[0].role = "ours".into();
        records.subjects[0].promises_no_false_negatives = true;
        let failed = text(&records, Screen::default()).matches("fail: ").count();
        records.subjects[0].promises_no_false_negatives = false;
        assert!(!text(&records, Screen::default()).contains("fail: "));
        failed
    };
    assert_eq!(failed(|_| {}), 0);
    assert_eq!(
        failed(|row| row.false_negatives = u64::from(row.load == 2.0)),
        1
    );
    assert_eq!(failed(|row| row.error = "panicked".into()), 6);
}

#[test]
fn no_table_for_a_terminal_is_wider_than_one() {
    let names = ["probabilistic-collections", "scalable_cuckoo_filter", "any"];
    let rows = names.map(|name| {
        filter(name, |row| {
            row.release = "probabilistic-collections 0.7.0".into();
            row.chooses_fpr = false;
            row.false_negatives = 25_103 * u64::from(row.load > 1.0);
            row.false_positives = 3;
            row.rejected = 123;
        })
    });
    let text = text(&records(rows.concat()), Screen::default());
    let widest = text
        .lines()
        .max_by_key(|line| line.chars().count())
        .unwrap();
    assert!(widest.chars().count() <= 120, "{widest}");
}

#[test]
fn the_report_of_an_evaluation_has_the_scoreboard_as_a_section() {
    assert!(section(&Records::default()).is_empty());
    let records = records(filter("good", |_| {}));
    let judgement = judge::judge(&records);
    let document = crate::compose::document(&records, &judgement);
    let page = markdown::document(&document);
    assert!(page.contains("## Ours and other crates"), "{page}");
    assert!(page.contains("### At 1 %, for 1,000 keys"), "{page}");
    // It is judged nowhere else, so no other table has it.
    assert!(!page.contains("| good (peer) |"), "{page}");
}

#[test]
fn few_hits_get_the_exact_interval_and_many_filters_their_spread() {
    let mut one = row("any", "load", 1.0);
    one.false_positives = 0;
    let Estimate {
        value: share,
        interval,
    } = score::rate(&[&one]).unwrap();
    assert!(
        share == 0.0 && (2.9e-5..3.1e-5).contains(&interval.high),
        "{interval:?}"
    );
    let rows: Vec<PeerRow> = [800, 900, 1_100, 1_200]
        .map(|false_positives| PeerRow {
            false_positives,
            ..row("any", "load", 1.0)
        })
        .into();
    let Estimate {
        value: share,
        interval,
    } = score::rate(&rows.iter().collect::<Vec<_>>()).unwrap();
    assert!((share - 0.01).abs() < 1e-12);
    // Student: 3.182 * sqrt(1e-4^2 * 100_000 / 3 / 4) = 0.0029.
    assert!(
        (interval.half_width() - 0.002_905).abs() < 1e-5,
        "{interval:?}"
    );
    one.non_members_asked = 0;
    assert!(score::rate(&[&one]).is_none());
}

#[test]
fn what_is_written_is_read_and_gives_the_same_report() {
    let root = std::env::temp_dir().join(format!("bouquet-peers-{}", std::process::id()));
    let folder = root.join("records");
    fs::create_dir_all(&folder).unwrap();
    let records = records(filter("good", |_| {}));
    fn store<R: Row>(folder: &Path, rows: &[R]) {
        let mut writer = Writer::new(folder.to_path_buf());
        writer.write(rows).unwrap();
        writer.finish().unwrap();
    }
    store(&folder, &records.run);
    store(&folder, &records.experiments);
    store(&folder, &records.subjects);
    store(&folder, &records.datasets);
    let read = || {
        let source = Source::new(std::slice::from_ref(&folder)).unwrap();
        source.read()
    };
    assert!(read().is_err());
    store(&folder, &records.peers);
    store::<FprRow>(&folder, &[]);
    assert!(read().is_err(), "an evaluation's, but not all of it");
    fs::remove_file(folder.join(FprRow::FILE)).unwrap();
    let of_scoreboard = Records {
        kind: Kind::Scoreboard,
        ..records.clone()
    };
    assert_eq!(read().unwrap(), of_scoreboard);
    assert_eq!(write_report(&records, &root).unwrap(), Outcome::Pass);
    let page = fs::read_to_string(root.join("index.html")).unwrap();
    assert!(
        page.contains("<h1 id=\"top\">None of ours took part") && page.contains("good 1.0.0"),
        "{page}"
    );
    assert!(
        fs::read_to_string(root.join("README.md"))
            .unwrap()
            .contains("About good")
    );
    assert!(
        lines(&records)
            .json(None)
            .unwrap()
            .contains("\"times_target\": 1.0")
    );
    assert_eq!(lines(&records).csv().unwrap().lines().count(), 2);
    fs::remove_dir_all(root).unwrap();
}
