//! Sorted p-values against the line they lie on if locations are uniform: a
//! panel a filter and a scheme.

use anyhow::Result;
use plotters::{
    chart::ChartBuilder,
    element::{Circle, Polygon},
    series::{LineSeries, PointSeries},
    style::{Color, text_anchor::HPos},
};

use super::frame::{self, NOTE, TEXT, Ticks};
use crate::{
    record::Records,
    render::{
        document::{Figure, Table, Text},
        judge::{CONFIDENCE, FAMILY_ALPHA, Family, Judgement, Outcome, subject},
        number,
        palette::{Pen, look},
        svg::{Area, Drawn, picture, px},
    },
    stats::order_statistic_band,
};

const COLUMNS: usize = 4;
/// Width and height of a panel in pixels.
const PANEL: (f64, f64) = (240.0, 274.0);
/// From the left of a panel to its axis: room, then ticks and their name.
const ROOM: f64 = 6.0;
const LABELS: f64 = 44.0;
/// Above the axes: the name and two lines of parts.
const HEAD: f64 = 64.0;
/// So many parts are named.
const NAMED: usize = 2;

/// A filter or a scheme, as it is drawn.
struct Panel<'a> {
    name: &'a str,
    pen: Pen,
    /// Each part of its locations, and its tests.
    parts: Vec<(&'a str, usize)>,
    /// Sorted.
    p: Vec<f64>,
}

/// The picture of all filters and schemes that must be uniform; `None` without any.
pub fn figure(records: &Records, judgement: &Judgement) -> Result<Option<Figure>> {
    let families: Vec<&Family> = judgement
        .families
        .iter()
        .filter(|f| !f.expects_flag && !f.p.is_empty())
        .collect();
    if families.is_empty() {
        return Ok(None);
    }
    let panels = panels(records, &families);
    let title = finding(&families, panels.len());
    let reading = reading(records);
    let rows = panels.len().div_ceil(COLUMNS);
    let size = (PANEL.0 * COLUMNS as f64, PANEL.1 * rows as f64);
    let description = format!("{title}. {reading}");
    let svg = picture("uniformity", &title, &description, size, |area| {
        let places = area.split_evenly((rows, COLUMNS));
        let mut each = panels.iter().zip(&places);
        each.try_for_each(|(panel, place)| draw(place, panel))
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

/// How to read the picture, and whose locations are not in it.
fn reading(records: &Records) -> String {
    let hidden = records.subjects.iter();
    let hidden = hidden.filter(|s| s.kind == "filter" && !s.exposes_locations);
    let hidden: Vec<&str> = hidden.map(|s| s.subject.as_str()).collect();
    let hidden = if hidden.is_empty() {
        String::new()
    } else {
        format!(
            " The locations of {} are not exposed.",
            number::listed(&hidden)
        )
    };
    format!(
        "Each point is one chi-square test of one probe index on one data set; sorted, they lie \
         along the diagonal if locations are uniform, mostly within the shaded range ({} % for \
         each point by itself). Points in the lower right corner are too uneven or too even. A \
         few points outside the range are no fault: tests of one run share their keys, and the \
         verdict is Holm's at {} over all tests. Where a layout keeps the slots of a key \
         together, each part of a location that must be even is tested by itself.{hidden}",
        number::significant(CONFIDENCE * 100.0, 2),
        number::significant(FAMILY_ALPHA, 1)
    )
}

/// A panel a subject, in the order of the records.
fn panels<'a>(records: &Records, families: &[&'a Family]) -> Vec<Panel<'a>> {
    let mut panels: Vec<Panel<'a>> = Vec::new();
    for family in families {
        let name = family.subject.as_str();
        let at = panels.iter().position(|panel| panel.name == name);
        let at = at.unwrap_or_else(|| {
            let filter = subject(records, name).is_some_and(|s| s.kind == "filter");
            panels.push(Panel {
                name,
                pen: if filter { look(name).pen } else { Pen::Ink },
                parts: Vec::new(),
                p: Vec::new(),
            });
            panels.len() - 1
        });
        let panel = &mut panels[at];
        panel.p.extend(&family.p);
        match panel
            .parts
            .iter_mut()
            .find(|(part, _)| *part == family.part)
        {
            Some((_, tests)) => *tests += family.p.len(),
            None => panel.parts.push((&family.part, family.p.len())),
        }
    }
    for panel in &mut panels {
        panel.p.sort_by(f64::total_cmp);
    }
    panels
}

fn finding(families: &[&Family], subjects: usize) -> String {
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
    match (failed.as_slice(), subjects) {
        ([], 1) => format!("{} spreads its locations evenly: {of}", families[0].subject),
        ([], n) => format!(
            "All {} filters and schemes spread their locations evenly: {of}",
            number::spelt(n)
        ),
        (failed, _) => format!(
            "Locations are not uniform in {}: {of}",
            number::listed(failed)
        ),
    }
}

/// What was tested, a line a part.
fn heading(place: &Area, panel: &Panel<'_>) -> Drawn {
    let left = px(ROOM + LABELS);
    let style = frame::words(TEXT, panel.pen, HPos::Left);
    place.draw_text(panel.name, &style, (left, px(16.0)))?;
    let named = if panel.parts.len() > NAMED {
        NAMED - 1
    } else {
        NAMED
    };
    let tests = |n: usize| format!("{} tests", number::count(n as u64));
    let shown = panel.parts.iter().take(named);
    let mut lines: Vec<String> = shown
        .map(|(part, n)| format!("{part}: {}", tests(*n)))
        .collect();
    if let [rest @ .., _] = &panel.parts[named.min(panel.parts.len())..] {
        let rest = &panel.parts[panel.parts.len() - rest.len() - 1..];
        let n = rest.iter().map(|(_, n)| n).sum();
        lines.push(format!(
            "{} more parts: {}",
            number::spelt(rest.len()),
            tests(n)
        ));
    }
    for (line, words) in lines.iter().enumerate() {
        let style = frame::words(NOTE, Pen::Soft, HPos::Left);
        place.draw_text(words, &style, (left, px(33.0 + 15.0 * line as f64)))?;
    }
    Ok(())
}

fn draw(place: &Area, panel: &Panel<'_>) -> Drawn {
    heading(place, panel)?;
    let (n, p) = (panel.p.len(), &panel.p);
    let mut chart = ChartBuilder::on(place)
        .margin_top(px(HEAD))
        .margin_right(px(14.0))
        .margin_bottom(px(8.0))
        .margin_left(px(ROOM))
        .x_label_area_size(px(47.0))
        .y_label_area_size(px(LABELS))
        .build_cartesian_2d(0.0..1.0, 0.0..1.0)?;
    chart.draw_series([Polygon::new(band(n), Pen::Band.filled())])?;
    let ticks = |name| Ticks {
        name,
        most: 6,
        size: NOTE,
        format: &|v| number::decimal(*v, 1),
    };
    let (x, y) = (ticks("share of the tests"), ticks("p-value"));
    frame::mesh(&mut chart, &x, Some(&y))?;
    let diagonal = [(0.0, 0.0), (1.0, 1.0)];
    chart.draw_series(LineSeries::new(diagonal, Pen::Soft.line(1.0)))?;
    let points = p.iter().enumerate().map(|(i, &p)| (rank(i + 1, n), p));
    chart.draw_series(PointSeries::<_, _, Circle<_, _>, _>::new(
        points,
        px(1.8),
        panel.pen.filled(),
    ))?;
    Ok(())
}

/// Where the i-th of n sorted p-values lies on average if all is well.
fn rank(i: usize, n: usize) -> f64 {
    i as f64 / (n + 1) as f64
}

/// The outline of where sorted p-values mostly lie if all is well.
fn band(n: usize) -> Vec<(f64, f64)> {
    // A hundred steps show the band as well as ten thousand.
    let steps: Vec<usize> = (1..=n).step_by((n / 100).max(1)).collect();
    let at = |i: usize| (rank(i, n), order_statistic_band(i, n, CONFIDENCE));
    let bands: Vec<_> = steps.into_iter().map(at).collect();
    let upper = bands.iter().map(|(x, band)| (*x, band.high));
    let lower = bands.iter().map(|(x, band)| (*x, band.low));
    upper.chain(lower.rev()).collect()
}

/// The table of families, of whichever expectation.
pub(super) fn table(families: &[&Family]) -> Table {
    let mut table = Table::new(&[
        "Filter or scheme",
        "Data set",
        "#Slots",
        "Part",
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
            family.part.clone(),
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
