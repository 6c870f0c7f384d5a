//! The battery in charts: sorted p-values of what must pass, and how far
//! below the threshold those of what must be flagged lie.

use super::{COLUMNS, Judgement, TESTS, Tested};
use crate::{
    document::{Figure, Table},
    groups::grouped,
    number,
    palette::{Paint, style},
    plot::{self, Axis, Item, Shape, Side},
    sorted::{self, Panel},
};
use bouquet_ground::Outcome;
use bouquet_ground::record::BatteryRow;

const SOURCE: &str = "records/battery.csv";

/// Powers of ten that the axis of known faults reaches down to; what lies below is
/// drawn at its end.
const DECADES: f64 = 30.0;
const ROW: f64 = 34.0;
/// Left of the rows, above, right and below, in pixels.
const ROOM: [f64; 4] = [220.0, 30.0, 60.0, 70.0];

/// Every chart that the records suffice for.
pub fn all(rows: &[BatteryRow], judgement: &Judgement) -> Vec<Figure> {
    let figures = [even(rows, judgement), found_out(rows, judgement)];
    figures.into_iter().flatten().collect()
}

/// The names of those that have a cell that is so.
fn with<'a>(subjects: &[(&'a str, Vec<&Tested>)], is: impl Fn(&Tested) -> bool) -> Vec<&'a str> {
    let own = subjects
        .iter()
        .filter(|(_, cells)| cells.iter().any(|cell| is(cell)));
    own.map(|(name, _)| *name).collect()
}

/// Ours, baselines and those that are known to be good.
fn must_pass(row: &BatteryRow) -> bool {
    ["ours", "baseline", "known-good"].contains(&row.role.as_str())
}

fn even(rows: &[BatteryRow], judgement: &Judgement) -> Option<Figure> {
    let good = judgement
        .tested()
        .filter(|cell| must_pass(&rows[cell.rows.start]));
    let subjects = grouped(good, |cell| &*cell.subject);
    if subjects.is_empty() {
        return None;
    }
    let panels: Vec<Panel> = subjects
        .iter()
        .map(|(name, cells)| panel(name, cells, rows, judgement))
        .collect();
    let title = even_finding(&subjects, judgement);
    let thinned = if sorted::thinned(&panels) {
        " Of many tests the smallest p-values are drawn and then every n-th."
    } else {
        ""
    };
    let reading = format!(
        "Each point is one test of one probe or pair on one key set at one m; sorted, they lie \
         along the diagonal if the scheme does what it claims, mostly within the shaded range. \
         Tests of one cell share their keys, so that a few points beside the range are no fault: \
         a finding is a p-value below {}, which is the left lower corner.{thinned}",
        number::significant(judgement.threshold, 2)
    );
    let table = smallest(&subjects, rows, judgement);
    let panels = sorted::panels(&panels);
    let figure = plot::figure(&panels, "even", title, reading, table, SOURCE);
    Some(figure)
}

fn panel(name: &str, cells: &[&Tested], rows: &[BatteryRow], judgement: &Judgement) -> Panel {
    let each = cells.iter().flat_map(|cell| cell.rows.clone());
    let tests: Vec<(f64, String)> = each
        .map(|at| {
            let BatteryRow { test, item, .. } = &rows[at];
            let (set, m) = (&rows[at].dataset, number::count(rows[at].slots));
            let words = format!("{name} on {set}, m {m}\n{test}, {item}");
            (judgement.p[at], words)
        })
        .collect();
    let ours = cells
        .first()
        .is_some_and(|cell| rows[cell.rows.start].role == "ours");
    let count = |n: usize, what: &str| format!("{} {what}", number::count(n as u64));
    Panel {
        name: name.to_owned(),
        paint: if ours { style(name).paint } else { Paint::Ink },
        notes: vec![count(cells.len(), "cells"), count(tests.len(), "tests")],
        tests,
    }
}

fn even_finding(subjects: &[(&str, Vec<&Tested>)], judgement: &Judgement) -> String {
    // A baseline's findings fail nothing.
    let failed = with(subjects, |cell| {
        cell.outcome > Outcome::Inconclusive || !cell.findings.is_empty()
    });
    let each = || subjects.iter().flat_map(|(_, cells)| cells);
    let of_all = each().flat_map(|cell| cell.rows.clone());
    let smallest = of_all.map(|at| judgement.p[at]).fold(1.0, f64::min);
    let tests: usize = each().map(|cell| cell.rows.len()).sum();
    let of = format!(
        "the smallest of {} p-values is {}, a finding begins at {}",
        number::count(tests as u64),
        number::p_value(smallest),
        number::significant(judgement.threshold, 2)
    );
    match (failed.as_slice(), subjects) {
        ([], [(one, _)]) => format!("{one} does what it claims: {of}"),
        ([], many) => format!(
            "All {} filters and sound schemes do what they claim: {of}",
            number::spelt(many.len())
        ),
        (failed, _) => format!("Not uniform: {}; {of}", number::listed(failed)),
    }
}

/// The smallest p-value of each test of each subject.
fn smallest(
    subjects: &[(&str, Vec<&Tested>)],
    rows: &[BatteryRow],
    judgement: &Judgement,
) -> Table {
    let each = |cells: &[&Tested]| -> Vec<usize> {
        cells.iter().flat_map(|cell| cell.rows.clone()).collect()
    };
    let mut table = Table::of(subjects)
        .column("Scheme", |(name, _)| *name)
        .column("#Cells", |(_, cells)| cells.len())
        .column("#Tests", |(_, cells)| each(cells).len());
    for (test, (heading, _)) in TESTS.iter().zip(COLUMNS) {
        table = table.column(heading, |(_, cells)| {
            let own = each(cells).into_iter().filter(|at| rows[*at].test == *test);
            own.map(|at| judgement.p[at])
                .reduce(f64::min)
                .map(number::p_value)
        });
    }
    table.table()
}

fn found_out(rows: &[BatteryRow], judgement: &Judgement) -> Option<Figure> {
    let bad = judgement.tested().filter(|cell| cell.must_flag);
    let subjects = grouped(bad, |cell| &*cell.subject);
    if subjects.is_empty() {
        return None;
    }
    let title = found_finding(&subjects);
    let reading = format!(
        "Each point is a known fault in one cell: of the tests that must find it the p-value that \
         is nearest to missing it. It must lie left of the line at {}, or the run is invalid. Points \
         below 1e-{DECADES} are drawn at the left end. How far left a point lies shows how many \
         keys were located, not how bad the scheme is.",
        number::significant(judgement.threshold, 2)
    );
    let panel = below(&subjects, rows, judgement.threshold);
    let table = faults(&subjects, rows);
    let figure = plot::figure(&[panel], "found-out", title, reading, table, SOURCE);
    Some(figure)
}

/// How far below the threshold p-values lie: a row a subject.
fn below(subjects: &[(&str, Vec<&Tested>)], rows: &[BatteryRow], threshold: f64) -> plot::Panel {
    // Powers, not values: of so small values ticks would be left out.
    let x = Axis::new("p-value", -DECADES..0.0, 7, 52.0, decade);
    let mut panel = plot::Panel::rows(subjects.len() as f64, ROW, ROOM, x);
    let limit = threshold.log10();
    panel.upright(limit, Paint::Bad, 1.4);
    let words = format!("flagged below {}", number::significant(threshold, 2));
    let words = Item::note((limit, 0.0), words, Paint::Bad, Side::Center);
    panel.add(words.shifted(0.0, -13.0));
    for (place, (name, cells)) in subjects.iter().enumerate() {
        let y = place as f64 + 0.5;
        let name = Item::text((-DECADES, y), *name, Paint::Ink, Side::Right);
        panel.add(name.shifted(-14.0, 0.0));
        for cell in cells {
            let is_kept = cell.outcome == Outcome::Pass;
            let paint = if is_kept { Paint::Ink } else { Paint::Bad };
            let ring = Item::new(Shape::Ring(4.2), [(cell.nearest_miss.log10(), y)], paint);
            panel.add(ring.saying(words_of(cell, &rows[cell.rows.start])));
        }
    }
    panel
}

fn decade(power: f64) -> String {
    match power.round() {
        0.0 => "1".to_owned(),
        power if power == -DECADES => format!("≤ 1e{power}"),
        power => format!("1e{power}"),
    }
}

fn words_of(cell: &Tested, first: &BatteryRow) -> String {
    format!(
        "{} on {} keys of {}\nm {}\np {}, flagged by {}",
        first.subject,
        number::count(first.keys),
        first.dataset,
        number::count(first.slots),
        number::p_value(cell.nearest_miss),
        flagged_by(cell)
    )
}

fn flagged_by(cell: &Tested) -> String {
    if cell.findings.is_empty() {
        "none".to_owned()
    } else {
        cell.findings.join(" ")
    }
}

fn found_finding(subjects: &[(&str, Vec<&Tested>)]) -> String {
    let unseen = with(subjects, |cell| cell.outcome != Outcome::Pass);
    if !unseen.is_empty() {
        let unseen = number::listed(unseen);
        return format!("A known fault was not found as it must be: {unseen}");
    }
    let all = subjects.iter().flat_map(|(_, cells)| cells);
    let most = all.map(|cell| cell.nearest_miss).fold(0.0, f64::max);
    let most = match number::p_value(most) {
        p if p.starts_with('<') => p,
        p => format!("at most {p}"),
    };
    match subjects {
        [(one, _)] => format!("{one}, known to be bad, is found out: p {most}"),
        many => format!(
            "All {} schemes with a known fault are found out: p {most}",
            number::count(many.len() as u64)
        ),
    }
}

fn faults(subjects: &[(&str, Vec<&Tested>)], rows: &[BatteryRow]) -> Table {
    let cells = subjects.iter().flat_map(|(_, cells)| cells);
    let expected = |row: &BatteryRow| match row.expected_tests.as_str() {
        "" => "any".to_owned(),
        tests => tests.to_owned(),
    };
    Table::of(cells.map(|cell| (*cell, &rows[cell.rows.start])))
        .column("Scheme", |(_, row)| &row.subject)
        .column("Data set", |(_, row)| &row.dataset)
        .column("#m", |(_, row)| row.slots)
        .column("#Keys", |(_, row)| row.keys)
        .column("#Replicate", |(_, row)| row.replicate)
        .column("Must be flagged by", |(_, row)| expected(row))
        .column("Flagged by", |(cell, _)| flagged_by(cell))
        .column("#p nearest to missing it", |(cell, _)| {
            number::p_value(cell.nearest_miss)
        })
        .column("Verdict", |(cell, _)| cell.outcome)
        .table()
}
