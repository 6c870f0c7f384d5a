//! Tests of the gate with made-up rows.

use super::{
    documents::{SUMMARY, comment, junit, page},
    time::suspects,
    *,
};
use bouquet_record::{AGAIN, Figure, TimingRow};

/// A row of the exact tier: the value named `what` of the filter `subject` is `count` bytes.
fn exact(subject: &str, what: &str, count: u64) -> GateRow {
    let unit = "bytes".into();
    GateRow::new(Tier::Exact, subject, what, String::new()).has(Figure::Count { count, unit })
}

/// Records of the filter `a`: exact values, each with a name and a number of bytes.
fn sized(rows: &[(&str, u64)]) -> GateRecords {
    let rows = rows.iter().map(|(what, count)| exact("a", what, *count));
    GateRecords {
        rows: rows.collect(),
        ..GateRecords::default()
    }
}

/// 31 rounds of times: `a` takes about `ratio` times as long as the reference, the control as long.
fn rounds(ratio: f64, attempt: u32) -> Vec<TimingRow> {
    let row = |subject: &str, round: u32, ratio: f64| TimingRow {
        subject: subject.into(),
        operation: format!("hit{}", if attempt == 0 { "" } else { AGAIN }),
        repetition: round,
        ns_per_key: 10.0 * ratio * (1.0 + 0.001 * f64::from(round % 7)),
        reference_ns_per_key: Some(10.0),
        ..TimingRow::default()
    };
    let round = |round| [row("reference", round, 1.0), row("a", round, ratio)];
    (0..31).flat_map(round).collect()
}

fn judged(records: &GateRecords, baseline: Option<&GateDocument>, cpu: &str) -> GateDocument {
    judge(run(records, baseline, cpu))
}

fn run<'a>(records: &'a GateRecords, baseline: Option<&'a GateDocument>, cpu: &str) -> Run<'a> {
    let facts = [("times_cpu", cpu), ("revision", "r")];
    Run {
        facts: facts
            .map(|(name, value)| (name.into(), value.into()))
            .into(),
        definition: "bouquet.toml",
        configuration: Vec::new(),
        keys: Vec::new(),
        records,
        baseline,
        tiers: &Tier::ALL,
        is_narrowed: false,
        no_times: None,
        tolerance: None,
    }
}

fn timed(times: Vec<TimingRow>) -> GateRecords {
    GateRecords {
        times,
        ..GateRecords::default()
    }
}

/// Judges the times of lookups in `a` against a baseline whose time ratio is 1; returns the row.
fn hit(times: Vec<TimingRow>, cpu: &str) -> GateRow {
    let first = judged(&timed(rounds(1.0, 0)), None, "here");
    let baseline = accept(first, None, "a test");
    let document = judged(&timed(times), Some(&baseline), cpu);
    document.row((Tier::Time, "a", "hit")).unwrap().clone()
}

#[test]
fn slower_fails_only_when_it_is_seen_twice() {
    let both = |ratio, again| [rounds(ratio, 0), rounds(again, 1)].concat();
    assert_eq!(hit(rounds(1.0, 0), "here").standing, Outcome::Pass);
    assert_eq!(hit(rounds(1.2, 0), "here").standing, Outcome::Pass);
    assert_eq!(hit(rounds(1.5, 0), "here").standing, Outcome::Inconclusive);
    assert_eq!(hit(both(1.5, 1.0), "here").standing, Outcome::Inconclusive);
    assert_eq!(hit(both(1.5, 1.5), "here").standing, Outcome::Fail);
    // If the baseline was measured on another CPU, the tolerance is larger.
    assert_eq!(hit(both(1.5, 1.5), "elsewhere").standing, Outcome::Pass);
    assert_eq!(hit(both(2.5, 2.5), "elsewhere").standing, Outcome::Fail);
    let faster = hit(rounds(0.5, 0), "here");
    assert!(faster.changed && faster.standing == Outcome::Pass);
}

#[test]
fn suspects_are_those_beyond_the_tolerance() {
    let baseline = accept(judged(&timed(rounds(1.0, 0)), None, "here"), None, "a test");
    let of = |ratio| suspects(&timed(rounds(ratio, 0)), &baseline, "here", None);
    assert_eq!(of(1.2), []);
    assert_eq!(of(1.5), [("a".to_owned(), "hit".to_owned())]);
}

#[test]
fn an_unquiet_machine_fails_nothing() {
    // The whole interval of the control's time ratio must be near 1, not only a part of it.
    for low in [0.7, 0.95] {
        let mut times = [rounds(3.0, 0), rounds(3.0, 1)].concat();
        for row in times.iter_mut().filter(|row| row.subject == "reference") {
            row.ns_per_key *= if row.repetition % 2 == 0 { low } else { 1.4 };
        }
        let row = hit(times.clone(), "here");
        assert_eq!(row.standing, Outcome::Inconclusive, "{low}");
        let document = judged(&timed(times), None, "here");
        assert!(!has_figures(&document, Tier::Time), "{low}");
    }
    let baseline = accept(judged(&timed(rounds(1.0, 0)), None, "here"), None, "a test");
    let mut times = rounds(1.0, 0);
    times.iter_mut().for_each(|row| row.ns_per_key *= 1.5);
    let document = judged(&timed(times), Some(&baseline), "here");
    let [_, _, tier] = &document.verdict.tiers[..] else {
        panic!("three tiers")
    };
    assert!(tier.note.contains("unquiet"), "{}", tier.note);
}

/// A document with thousands of rows whose texts contain everything that could break a page.
fn large() -> GateDocument {
    let name = |i: u32| {
        format!(
            "f{i} | <b>&amp; @someone `x` \u{1}\u{7f} \"ü\" {}",
            "long ".repeat(30)
        )
    };
    let records = |count| GateRecords {
        rows: (0..9_000)
            .map(|i| exact(&name(i), "memory", count))
            .collect(),
        ..GateRecords::default()
    };
    let baseline = accept(judged(&records(8), None, ""), None, "a test");
    judged(&records(9), Some(&baseline), "")
}

#[test]
fn pages_fit_whatever_is_in_them() {
    let document = large();
    let summary = page(&document, SUMMARY);
    let comment = comment(&document);
    let (marker, comment) = comment.split_once('\n').unwrap();
    assert_eq!(marker, "<!-- bouquet gate: exact, statistical, time -->");
    assert!(
        summary.len() < 1 << 20 && summary.len() > 900_000,
        "{}",
        summary.len()
    );
    assert!(
        comment.len() < 1 << 16 && comment.len() > 60_000,
        "{}",
        comment.len()
    );
    for page in [&*summary, comment] {
        assert!(page.starts_with("### Fail: f"), "{}", &page[..80]);
        assert!(page.ends_with("there is no room for them here.\n"));
        assert!(!page.contains('\u{1}') && !page.contains("<b>"));
        let lines = page.lines().filter(|line| line.starts_with("| fail"));
        for line in lines {
            let bars = line.replace("\\|", "").matches('|').count();
            assert_eq!(bars, 8, "{line}");
        }
    }
    let json = document.text().unwrap();
    let again: GateDocument = serde_json::from_str(&json).unwrap();
    assert_eq!(again.rows.len(), 9_000);
}

/// An independent parser accepts the file, whatever characters the names contain.
#[test]
fn junit_is_xml() {
    let xml = junit(&large());
    let document = roxmltree::Document::parse(&xml).unwrap();
    let root = document.root_element();
    assert_eq!(root.attribute("tests"), Some("9000"));
    assert_eq!(root.attribute("failures"), Some("9000"));
    let suites: Vec<_> = root.children().filter(|node| node.is_element()).collect();
    let names: Vec<_> = suites.iter().map(|suite| suite.attribute("name")).collect();
    assert_eq!(names, [Some("exact"), Some("statistical"), Some("time")]);
    let cases = suites[0].children().filter(|node| node.is_element());
    let cases: Vec<_> = cases.collect();
    assert_eq!(cases.len(), 9_000);
    let name = cases[0].attribute("classname").unwrap();
    let shown = "exact.f0 | <b>&amp; @someone `x` \u{fffd}\u{fffd} \"ü\" long ";
    assert!(name.starts_with(shown), "{name}");
    let failure = cases[0].first_element_child().unwrap();
    assert_eq!(failure.tag_name().name(), "failure");
    assert_eq!(failure.text(), Some("baseline 8 bytes, now 9 bytes"));
}

/// A row with an error cannot become a baseline, even if the old baseline has a value for it.
#[test]
fn an_error_is_never_acceptable() {
    let baseline = accept(judged(&sized(&[("memory", 8)]), None, ""), None, "a test");
    let other = judged(&sized(&[("memory", 9)]), Some(&baseline), "");
    assert_eq!(unacceptable(&other), Vec::<String>::new());
    let mut bad = sized(&[("memory", 9)]);
    bad.rows[0] = bad.rows[0].clone().error("no room");
    let error = judged(&bad, Some(&baseline), "");
    assert_eq!(unacceptable(&error), ["a: memory: no room"]);
}

#[test]
fn another_digest_fails() {
    let records = |sha256: &str| GateRecords {
        rows: vec![
            GateRow::new(Tier::Exact, "a", "stored bytes", String::new()).has(Figure::Digest {
                sha256: sha256.into(),
            }),
        ],
        ..GateRecords::default()
    };
    let baseline = accept(judged(&records("aa"), None, ""), None, "a test");
    for (now, standing) in [("aa", Outcome::Pass), ("ab", Outcome::Fail)] {
        let row = &judged(&records(now), Some(&baseline), "").rows[0];
        assert_eq!((row.standing, row.changed), (standing, now != "aa"));
    }
}

/// More keys than the capacity are a failure, even if the baseline has the same value.
#[test]
fn what_failed_by_itself_is_never_excused() {
    let load = Figure::Load {
        keys: 101,
        capacity: 100,
        load: 1.01,
        expected_fpr: 0.25,
    };
    assert_eq!(figure(&load), "101 of 100 keys, FPR 25 %");
    let row = GateRow::new(Tier::Exact, "a", "keys / capacity", String::new());
    let records = GateRecords {
        rows: vec![row.has(load).failed("more keys than its capacity")],
        ..GateRecords::default()
    };
    let first = judged(&records, None, "");
    let forged = accept(first, None, "a test");
    let again = judged(&records, Some(&forged), "");
    let row = &again.rows[0];
    assert_eq!((row.standing, row.changed), (Outcome::Fail, false));
    assert_eq!(
        unacceptable(&again),
        ["a: keys / capacity: more keys than its capacity"]
    );
}

#[test]
fn a_sentence_says_what_is_not_as_before() {
    let first = accept(judged(&sized(&[("x", 1), ("y", 1)]), None, ""), None, "r");
    let said = |document: &GateDocument| document.verdict.sentence.clone();
    assert_eq!(said(&first), "Accepted: 2 figures, the first baseline.");
    for (rows, judgement, acceptance) in [
        (
            &[("x", 1), ("y", 1)][..],
            "Pass: nothing changed. 0 of 2 checks failed, 0 inconclusive, 0 changed since the baseline.",
            "Accepted: 2 figures, of which 0 changed and 0 are new; 0 gone.",
        ),
        (
            &[("x", 1), ("y", 1), ("z", 1)],
            "Inconclusive: a: z (not in the baseline). 0 of 3 checks failed, 1 inconclusive, 1 changed since the baseline.",
            "Accepted: 3 figures, of which 0 changed and 1 are new; 0 gone.",
        ),
        (
            &[("x", 2), ("z", 1)],
            "Fail: a: x +100 %, z (not in the baseline), y (the baseline has it, this run has not). 2 of 3 checks failed, 1 inconclusive, 3 changed since the baseline.",
            "Accepted: 2 figures, of which 1 changed and 1 are new; 1 gone.",
        ),
    ] {
        let report = judge(Run {
            tiers: &[Tier::Exact],
            ..run(&sized(rows), Some(&first), "")
        });
        assert_eq!(said(&report), judgement);
        assert_eq!(said(&accept(report, Some(&first), "r")), acceptance);
    }
}

/// If a run does not measure a tier, the new baseline keeps the old values of this tier.
#[test]
fn a_baseline_keeps_the_tiers_that_a_run_left_out() {
    let whole = GateRecords {
        rows: vec![exact("a", "memory", 8)],
        ..timed(rounds(1.0, 0))
    };
    let first = accept(judged(&whole, None, "here"), None, "first");
    let report = judge(Run {
        facts: BTreeMap::from([("revision".into(), "later".into())]),
        tiers: &[Tier::Exact],
        ..run(&sized(&[("memory", 16)]), Some(&first), "")
    });
    let second = accept(report, Some(&first), "a word more");
    assert_eq!(
        second.row((Tier::Time, "a", "hit")),
        first.row((Tier::Time, "a", "hit"))
    );
    assert_eq!(second.fact("times_cpu"), "here");
    let row = second.row((Tier::Exact, "a", "memory")).unwrap();
    let bytes = |count| {
        Some(Figure::Count {
            count,
            unit: "bytes".into(),
        })
    };
    assert_eq!((&row.value, &row.baseline), (&bytes(16), &bytes(8)));
    assert!(row.changed);
    assert_eq!(second.acceptance.unwrap().replaces, "r");
}

/// The first sentence says by how much, and what was defined otherwise.
#[test]
fn the_first_sentence_is_the_news() {
    let rate = |rate: f64| Figure::Rate {
        rate,
        low: 0.9 * rate,
        high: 1.1 * rate,
        hits: (1e6 * rate) as u64,
        asked: 1_000_000,
        expected: rate,
    };
    let records = |fpr: f64, bytes: u64| GateRecords {
        rows: vec![
            GateRow::new(Tier::Exact, "seen", "FPR at capacity", String::new()).has(rate(fpr)),
            exact("seen", "memory", bytes),
        ],
        ..GateRecords::default()
    };
    let made = |target_fpr: Option<f64>, bits_per_key: Option<f64>| Configuration {
        name: "seen".into(),
        filter: "blocked".into(),
        capacity: 1_000_000,
        target_fpr,
        bits_per_key,
        keys: "urls".into(),
        chosen: bouquet_record::Chosen::default(),
    };
    let first = judge(Run {
        configuration: vec![made(Some(0.001), None)],
        ..run(&records(0.001, 200), None, "")
    });
    let baseline = accept(first, None, "a test");
    let now = judge(Run {
        configuration: vec![made(None, Some(7.8))],
        ..run(&records(0.033, 100), Some(&baseline), "")
    });
    let said = "Fail: seen: FPR at capacity 0.1 % -> 3.3 %, memory -50 %; fpr = 0.001 became \
                bits_per_key = 7.8 in bouquet.toml. 2 of 2 checks failed";
    assert!(
        now.verdict.sentence.starts_with(said),
        "{}",
        now.verdict.sentence
    );
    let none = judge(run(&GateRecords::default(), Some(&baseline), ""));
    let said = "Fail: seen: the baseline has it, this run has not. 2 of 2";
    assert!(
        none.verdict.sentence.starts_with(said),
        "{}",
        none.verdict.sentence
    );
}

/// Two rates 8 % apart, of which chance explains the difference, but whose intervals exclude each
/// other.
#[test]
fn another_definition_excuses_no_rate_outside_the_interval_of_the_baseline() {
    let rate = |hits: u64| Figure::Rate {
        rate: hits as f64 / 4e6,
        low: 0.97 * hits as f64 / 4e6,
        high: 1.03 * hits as f64 / 4e6,
        hits,
        asked: 4_000_000,
        expected: 0.001,
    };
    let standing = |is_same| statistical::near(&rate(4000), &rate(4320), is_same, 0.0, 4.0).1;
    assert_eq!([true, false].map(standing), [Outcome::Pass, Outcome::Fail]);
}
