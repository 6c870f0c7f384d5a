//! Sorted p-values against the line they lie on if locations are uniform: a
//! panel a scheme.

use super::frame::{Axes, Scale, TEXT, Ticks};
use crate::{
    render::{
        document::{Figure, Table, Text},
        judge::{CONFIDENCE, FAMILY_ALPHA, Family, Judgement, Outcome},
        number,
        palette::Pen,
        svg::{Anchor, Canvas, Place, picture},
    },
    stats::order_statistic_band,
};

const COLUMNS: usize = 3;
const PANEL: Place = (320.0, 320.0);

/// The picture of all schemes that must be uniform; `None` without any.
pub fn figure(judgement: &Judgement) -> Option<Figure> {
    let families: Vec<&Family> = judgement
        .families
        .iter()
        .filter(|f| !f.expects_flag && !f.p.is_empty())
        .collect();
    if families.is_empty() {
        return None;
    }
    let schemes = schemes(&families);
    let title = finding(&families, schemes.len());
    let reading = format!(
        "Each point is one chi-square test of one probe index on one data set; sorted, they lie \
         along the diagonal if locations are uniform, mostly within the shaded range ({} % for \
         each point by itself). Points in the lower right corner are too uneven or too even. A \
         few points outside the range are no fault: tests of one run share their keys, and the \
         verdict is Holm's at {} over all tests.",
        number::significant(CONFIDENCE * 100.0, 2),
        number::significant(FAMILY_ALPHA, 1)
    );
    let rows = schemes.len().div_ceil(COLUMNS);
    let size = (PANEL.0 * COLUMNS as f64, PANEL.1 * rows as f64);
    let description = format!("{title}. {reading}");
    let svg = picture("uniformity", &title, &description, size, |canvas| {
        for (place, (scheme, p)) in schemes.iter().enumerate() {
            let (row, column) = (place / COLUMNS, place % COLUMNS);
            draw(
                canvas,
                (PANEL.0 * column as f64, PANEL.1 * row as f64),
                scheme,
                p,
            );
        }
    });
    Some(Figure {
        name: "uniformity".to_owned(),
        title,
        svg,
        reading,
        table: table(&families),
        source: "records/uniformity.csv".to_owned(),
    })
}

/// Each scheme with its p-values, sorted.
fn schemes<'a>(families: &[&'a Family]) -> Vec<(&'a str, Vec<f64>)> {
    let mut schemes: Vec<(&str, Vec<f64>)> = Vec::new();
    for family in families {
        match schemes.iter_mut().find(|(name, _)| *name == family.subject) {
            Some((_, p)) => p.extend(&family.p),
            None => schemes.push((&family.subject, family.p.clone())),
        }
    }
    for (_, p) in &mut schemes {
        p.sort_by(f64::total_cmp);
    }
    schemes
}

fn finding(families: &[&Family], schemes: usize) -> String {
    let tests: usize = families.iter().map(|f| f.p.len()).sum();
    let smallest = families
        .iter()
        .map(|f| f.worst_adjusted)
        .fold(1.0, f64::min);
    let of = format!(
        "smallest of {} p-values after Holm {}",
        number::count(tests as u64),
        number::p_value(smallest)
    );
    let mut failed: Vec<&str> = Vec::new();
    for family in families.iter().filter(|f| f.outcome == Outcome::Fail) {
        if !failed.contains(&family.subject.as_str()) {
            failed.push(&family.subject);
        }
    }
    match (failed.is_empty(), schemes) {
        (true, 1) => format!("The one scheme spreads its locations evenly: {of}"),
        (true, n) => format!("All {n} schemes spread their locations evenly: {of}"),
        (false, _) => format!("Locations are not uniform in {}: {of}", failed.join(", ")),
    }
}

fn draw(canvas: &mut Canvas, (left, top): Place, scheme: &str, p: &[f64]) {
    let axes = Axes {
        x: Scale::linear(0.0..1.0),
        y: Scale::linear(0.0..1.0),
        left: left + 62.0,
        top: top + 40.0,
        right: left + PANEL.0 - 18.0,
        bottom: top + PANEL.1 - 55.0,
    };
    let n = p.len();
    let x = |i: usize| i as f64 / (n + 1) as f64;
    // A hundred steps show the band as well as ten thousand.
    let steps: Vec<usize> = (1..=n).step_by((n / 100).max(1)).collect();
    let bands: Vec<_> = steps
        .iter()
        .map(|&i| order_statistic_band(i, n, CONFIDENCE))
        .collect();
    let upper = steps
        .iter()
        .zip(&bands)
        .map(|(&i, band)| axes.at(x(i), band.high));
    let lower = steps
        .iter()
        .zip(&bands)
        .map(|(&i, band)| axes.at(x(i), band.low));
    canvas.polygon(&upper.chain(lower.rev()).collect::<Vec<_>>(), Pen::Band);
    let format = |v: f64| number::decimal(v, 1);
    let ticks = |name| Ticks {
        name,
        most: 6,
        format: &format,
    };
    axes.draw(canvas, &ticks("share of the tests"), &ticks("p-value"));
    canvas.line(&[axes.at(0.0, 0.0), axes.at(1.0, 1.0)], Pen::Soft.line(1.0));
    for (i, &value) in p.iter().enumerate() {
        canvas.dot(axes.at(x(i + 1), value), 1.8, Pen::Standard);
    }
    let words = format!("{scheme} ({} tests)", number::count(n as u64));
    canvas.text(
        &words,
        (axes.left, top + 20.0),
        TEXT,
        Pen::Ink,
        Anchor::Start,
    );
}

/// The table of families, of whichever expectation.
pub(super) fn table(families: &[&Family]) -> Table {
    let mut table = Table::new(&[
        "Scheme",
        "Data set",
        "#Slots",
        "#Keys a test",
        "#Tests",
        "#Smallest p",
        "#Smallest p after Holm",
        "#At probe",
        "Verdict",
    ]);
    for family in families {
        let smallest = family.p.iter().copied().fold(1.0, f64::min);
        let cells = [
            family.subject.clone(),
            family.dataset.clone(),
            number::count(family.slots),
            number::count(family.keys),
            family.p.len().to_string(),
            number::p_value(smallest),
            number::p_value(family.worst_adjusted),
            family.worst_probe.to_string(),
            match (family.expects_flag, family.outcome) {
                (true, Outcome::Pass) => "flagged, as it must be".to_owned(),
                (_, outcome) => outcome.word().to_owned(),
            },
        ];
        table.row(cells.map(Text::from));
    }
    table
}
