//! Measured by theory, a small panel a filter: a dozen filters at one x would
//! hide each other, and an error of 20 % cannot be seen on a logarithmic axis.

use std::ops::Range;

use plotters::{
    chart::ChartBuilder,
    coord::types::RangedCoordf64,
    element::{Circle, EmptyElement, Rectangle},
    style::{Color, text_anchor::HPos},
};

use super::Sweep;
use crate::{
    charts::{
        frame::{self, Chart, NOTE, TEXT, Ticks},
        marks::{Bar, Mark, tell},
    },
    judge::{DELTA, Point},
    number,
    palette::{Pen, look},
    svg::{Area, Drawn, px},
};

const COLUMNS: usize = 4;
/// The heading above the panels and a panel, in pixels.
const HEADING: f64 = 40.0;
const PANEL: f64 = 150.0;
/// The range of the ratio's axis.
const RATIO: Range<f64> = 0.8..1.2;

type Ratios<'a> = Chart<'a, RangedCoordf64, RangedCoordf64>;

fn rows(sweep: &Sweep<'_>) -> usize {
    sweep.lines.len().div_ceil(COLUMNS)
}

/// Of all panels, in pixels.
pub fn height(sweep: &Sweep<'_>) -> f64 {
    HEADING + PANEL * rows(sweep) as f64
}

/// Draws a panel a filter, all with the same axes.
pub fn draw(area: &Area, sweep: &Sweep<'_>, x: Range<f64>) -> Drawn {
    let (heading, below) = area.split_vertically(px(HEADING));
    let words = format!(
        "Measured / theory against {}; the band is ±{} %",
        super::axis(sweep.kind),
        number::significant(DELTA * 100.0, 2)
    );
    let style = frame::words(TEXT, Pen::Ink, HPos::Left);
    heading.draw_text(&words, &style, (px(20.0), px(HEADING / 2.0)))?;
    let panels = below.split_evenly((rows(sweep), COLUMNS));
    for ((filter, line), panel) in sweep.lines.iter().zip(&panels) {
        let failed = sweep.failed.iter().copied();
        let failed: Vec<&Point> = failed.filter(|p| p.filter == *filter).collect();
        draw_one(panel, sweep.kind, (filter, line), &failed, x.clone())?;
    }
    Ok(())
}

fn draw_one(
    panel: &Area,
    kind: &str,
    (filter, line): (&str, &[Point]),
    failed: &[&Point],
    x: Range<f64>,
) -> Drawn {
    let look = look(filter);
    panel.draw(&Mark {
        at: (px(58.0), px(14.0)),
        aside: 0.0,
        look,
    })?;
    let style = frame::words(TEXT, look.pen, HPos::Left);
    panel.draw_text(filter, &style, (px(68.0), px(14.0)))?;
    let mut chart = ChartBuilder::on(panel)
        .margin_top(px(27.0))
        .margin_right(px(12.0))
        .margin_left(px(8.0))
        .margin_bottom(px(10.0))
        .x_label_area_size(px(20.0))
        .y_label_area_size(px(40.0))
        .build_cartesian_2d(x, RATIO)?;
    let ends = chart.x_range();
    let corners = [(ends.start, 1.0 + DELTA), (ends.end, 1.0 - DELTA)];
    chart.draw_series([Rectangle::new(corners, Pen::Band.filled())])?;
    let ticks = |most, format| Ticks {
        name: "",
        most,
        size: NOTE,
        format,
    };
    let across = ticks(6, &|v| number::significant(*v, 3));
    let up = ticks(5, &|v| number::decimal(*v, 1));
    frame::mesh(&mut chart, &across, Some(&up))?;
    frame::level(&mut chart, 1.0)?;
    draw_points(&mut chart, kind, (filter, line), failed)
}

fn draw_points(
    chart: &mut Ratios<'_>,
    kind: &str,
    (filter, line): (&str, &[Point]),
    failed: &[&Point],
) -> Drawn {
    let look = look(filter);
    let told = || line.iter().filter(|p| p.hits > 0 && p.expected_fpr > 0.0);
    chart.draw_series(told().map(|p| Bar {
        ends: [p.interval.low, p.interval.high].map(|rate| (p.x, rate / p.expected_fpr)),
        aside: 0.0,
        pen: look.pen,
    }))?;
    let ratio = |p: &Point| p.measured() / p.expected_fpr;
    let inside = told().filter(|p| RATIO.contains(&ratio(p)));
    let mark = |p: &Point| Mark {
        at: (p.x, ratio(p)),
        aside: 0.0,
        look,
    };
    let words = |p: &Point| {
        let ratio = number::decimal(ratio(p), 3);
        format!("{}\nmeasured / theory {ratio}", super::words(kind, p))
    };
    tell(chart, inside.map(|p| (mark(p), words(p))))?;
    chart.draw_series(failed.iter().map(|p| {
        EmptyElement::at((p.x, p.measured() / p.expected_fpr))
            + Circle::new((0, 0), px(5.0), Pen::Bad.line(1.4))
    }))?;
    Ok(())
}
