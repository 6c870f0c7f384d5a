//! Sorted p-values against the line they lie on if locations are uniform: a
//! panel a scheme.

use anyhow::Result;
use plotters::{
    chart::ChartBuilder,
    element::{Circle, Polygon},
    series::{LineSeries, PointSeries},
    style::{Color, text_anchor::HPos},
};

use super::frame::{self, TEXT, Ticks};
use crate::{
    render::{
        document::{Figure, Table, Text},
        judge::{CONFIDENCE, FAMILY_ALPHA, Family, Judgement, Outcome},
        number,
        palette::Pen,
        svg::{Area, Drawn, picture, px},
    },
    stats::order_statistic_band,
};

const COLUMNS: usize = 3;
/// Width and height of a panel in pixels.
const PANEL: (f64, f64) = (320.0, 320.0);
/// From the left of a panel to its axis: room, then ticks and their name.
const ROOM: f64 = 14.0;
const LABELS: f64 = 48.0;

/// The picture of all schemes that must be uniform; `None` without any.
pub fn figure(judgement: &Judgement) -> Result<Option<Figure>> {
    let families: Vec<&Family> = judgement
        .families
        .iter()
        .filter(|f| !f.expects_flag && !f.p.is_empty())
        .collect();
    if families.is_empty() {
        return Ok(None);
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
    let svg = picture("uniformity", &title, &description, size, |area| {
        let panels = area.split_evenly((rows, COLUMNS));
        let mut each = schemes.iter().zip(&panels);
        each.try_for_each(|((scheme, p), panel)| draw(panel, scheme, p))
    })?;
    Ok(Some(Figure {
        name: "uniformity".to_owned(),
        title,
        svg,
        reading,
        table: table(&families),
        source: "records/uniformity.csv".to_owned(),
    }))
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

fn draw(panel: &Area, scheme: &str, p: &[f64]) -> Drawn {
    let n = p.len();
    let words = format!("{scheme} ({} tests)", number::count(n as u64));
    let style = frame::words(TEXT, Pen::Ink, HPos::Left);
    panel.draw_text(&words, &style, (px(ROOM + LABELS), px(20.0)))?;
    let mut chart = ChartBuilder::on(panel)
        .margin_top(px(40.0))
        .margin_right(px(18.0))
        .margin_bottom(px(8.0))
        .margin_left(px(ROOM))
        .x_label_area_size(px(47.0))
        .y_label_area_size(px(LABELS))
        .build_cartesian_2d(0.0..1.0, 0.0..1.0)?;
    chart.draw_series([Polygon::new(band(n), Pen::Band.filled())])?;
    let ticks = |name| Ticks {
        name,
        most: 6,
        format: &|v| number::decimal(*v, 1),
    };
    let (x, y) = (ticks("share of the tests"), ticks("p-value"));
    frame::mesh(&mut chart, &x, Some(&y))?;
    let diagonal = [(0.0, 0.0), (1.0, 1.0)];
    chart.draw_series(LineSeries::new(diagonal, Pen::Soft.line(1.0)))?;
    let points = p.iter().enumerate().map(|(i, &p)| (place(i + 1, n), p));
    chart.draw_series(PointSeries::<_, _, Circle<_, _>, _>::new(
        points,
        px(1.8),
        Pen::Standard.filled(),
    ))?;
    Ok(())
}

/// Where the i-th of n sorted p-values lies on average if all is well.
fn place(i: usize, n: usize) -> f64 {
    i as f64 / (n + 1) as f64
}

/// The outline of where sorted p-values mostly lie if all is well.
fn band(n: usize) -> Vec<(f64, f64)> {
    // A hundred steps show the band as well as ten thousand.
    let steps: Vec<usize> = (1..=n).step_by((n / 100).max(1)).collect();
    let at = |i: usize| (place(i, n), order_statistic_band(i, n, CONFIDENCE));
    let bands: Vec<_> = steps.into_iter().map(at).collect();
    let upper = bands.iter().map(|(x, band)| (*x, band.high));
    let lower = bands.iter().map(|(x, band)| (*x, band.low));
    upper.chain(lower.rev()).collect()
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
