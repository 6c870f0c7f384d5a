//! What growing costs: the FPR of a filter that is filled to many times its
//! first capacity, and below it the bits per key that it then takes.

use std::ops::Range;

use anyhow::Result;
use plotters::{
    chart::ChartBuilder, coord::types::RangedCoordf64, series::LineSeries, style::text_anchor::HPos,
};

use super::{Sweep, failed, lines, table};
use crate::{
    record::Records,
    render::{
        charts::{
            frame::{self, Chart, EndLabel, NOTE, TEXT, Ticks},
            marks::{Bar, Line, Mark, Pair},
        },
        document::Figure,
        judge::{Point, subject},
        number,
        palette::{Pen, Stroke, look},
        svg::{Area, Drawn, picture, px},
    },
};

const SIZE: (f64, f64) = (960.0, 700.0);
const LOWER: f64 = 370.0;
const ROOM: f64 = 8.0;
const LEFT: f64 = 90.0;
const RIGHT: f64 = 190.0;
/// The axis ends at so many times the target: who is beyond has broken it.
const MOST_TARGETS: f64 = 2.5;

type Rates<'a> = Chart<'a, RangedCoordf64, RangedCoordf64>;

/// The sweep with what it is held against.
struct Growth<'a> {
    sweep: Sweep<'a>,
    target: Option<f64>,
    /// Of each line: keys / first capacity, bits per key.
    bits: Vec<Vec<Pair>>,
}

/// The picture of one experiment.
pub fn figure(
    records: &Records,
    name: &str,
    experiment: &str,
    points: &[&Point],
) -> Result<Figure> {
    let sweep = Sweep {
        kind: "load",
        lines: lines(points),
        failed: points.iter().copied().filter(|p| failed(p)).collect(),
    };
    let bits = sweep
        .lines
        .iter()
        .map(|(filter, line)| bits_per_key(records, experiment, filter, line))
        .collect();
    let growth = Growth {
        target: points.iter().find_map(|p| p.target_fpr),
        bits,
        sweep,
    };
    let title = finding(records, &growth);
    let reading = "Points are measured and pooled over the data sets, bars are 95 % intervals, \
                   lines above are theory. Above, the rate climbs with every stage and must stay \
                   below the target; a filter of one size leaves the picture where its rate does. \
                   Below, the bits per key that are really allocated: between the points they go \
                   in steps, highest just after a stage was added, most of which is empty. The \
                   dotted line is 1.44 log2(1/FPR), a classic filter made for just so many keys."
        .to_owned();
    let description = format!("{title}. {reading}");
    let svg = picture(name, &title, &description, SIZE, |area| draw(area, &growth))?;
    Ok(Figure {
        name: name.to_owned(),
        title,
        svg,
        reading,
        table: table::table("load", points),
        source: "records/fpr.csv".to_owned(),
    })
}

/// Bits per key allocated, the mean of the replicates.
fn bits_per_key(records: &Records, experiment: &str, filter: &str, line: &[Point]) -> Vec<Pair> {
    let at = |x: f64| {
        let own = records.fpr.iter().filter(|row| {
            row.experiment == experiment
                && row.filter == filter
                && row.sweep == "load"
                && row.x == x
                && row.error.is_empty()
                && row.keys > row.refused
        });
        let (sum, many) = own.fold((0.0, 0.0), |(sum, many), row| {
            let keys = (row.keys - row.refused) as f64;
            (sum + 8.0 * row.memory_bytes as f64 / keys, many + 1.0)
        });
        (many > 0.0).then_some((x, sum / many))
    };
    line.iter().filter_map(|p| at(p.x)).collect()
}

/// Of each filter that grows, or of all if none does.
fn finding(records: &Records, growth: &Growth<'_>) -> String {
    let grows = |name: &str| subject(records, name).is_some_and(|s| s.grows);
    let any = growth.sweep.lines.iter().any(|(name, _)| grows(name));
    let lines = growth.sweep.lines.iter().zip(&growth.bits);
    let told = lines.filter(|((name, _), _)| !any || grows(name));
    let clauses: Vec<String> = told
        .filter_map(|((name, line), bits)| clause(name, line, bits, growth.target))
        .collect();
    let fault = growth.sweep.failed.first();
    let fault = fault.map(|p| format!("{} departs from theory", p.filter));
    fault
        .into_iter()
        .chain(clauses)
        .collect::<Vec<_>>()
        .join("; ")
}

fn clause(name: &str, line: &[Point], bits: &[Pair], target: Option<f64>) -> Option<String> {
    let last = line.last()?;
    let most = line
        .iter()
        .max_by(|a, b| a.measured().total_cmp(&b.measured()))?;
    let x = number::significant(last.x, 3);
    let rate = number::measured(most.measured(), most.interval);
    let rates = match target {
        Some(target) if most.measured() <= target => format!(
            "{name} stays below {} up to {x} times its first capacity (at most {rate})",
            number::share(target, 3)
        ),
        Some(target) => format!(
            "{name} passes {}: {rate} at {} times its first capacity",
            number::share(target, 3),
            number::significant(most.x, 3)
        ),
        None => format!("{name} has at most {rate} up to {x} times its first capacity"),
    };
    let full = bits.iter().filter(|(x, _)| *x >= 1.0);
    let (low, high) = full.fold((f64::MAX, f64::MIN), |(low, high), (_, bits)| {
        (low.min(*bits), high.max(*bits))
    });
    Some(if low <= high {
        let (low, high) = (number::decimal(low, 1), number::decimal(high, 1));
        format!("{rates} and takes {low} to {high} bits per key")
    } else {
        rates
    })
}

fn draw(area: &Area, growth: &Growth<'_>) -> Drawn {
    let points = growth.sweep.lines.iter().flat_map(|(_, line)| line);
    let x = 0.0..1.02 * points.map(|p| p.x).fold(1.0, f64::max);
    let (upper, lower) = area.split_vertically(px(LOWER));
    draw_rates(&upper, growth, x.clone())?;
    draw_bits(area, &lower, growth, x)
}

fn axes<'a>(panel: &Area, x: Range<f64>, most: f64, labels: f64) -> Drawn<Rates<'a>> {
    ChartBuilder::on(panel)
        .margin_top(px(14.0))
        .margin_right(px(RIGHT))
        .margin_left(px(ROOM))
        .margin_bottom(px(ROOM))
        .x_label_area_size(px(labels))
        .y_label_area_size(px(LEFT))
        .build_cartesian_2d(x, 0.0..most)
}

fn across(name: &str) -> Ticks<'_> {
    Ticks {
        name,
        most: 12,
        size: TEXT,
        format: &|v| number::significant(*v, 3),
    }
}

fn draw_rates(panel: &Area, growth: &Growth<'_>, x: Range<f64>) -> Drawn {
    let points = growth.sweep.lines.iter().flat_map(|(_, line)| line);
    let highest = points
        .map(|p| p.interval.high.max(p.expected_fpr))
        .fold(0.0, f64::max);
    let most = growth.target.map_or(1.1 * highest, |target| {
        (1.1 * highest).clamp(1.15 * target, MOST_TARGETS * target)
    });
    let mut chart = axes(panel, x, most, 26.0)?;
    let up = Ticks {
        name: "false-positive rate",
        most: 8,
        size: TEXT,
        format: &|v| number::percent(*v, 2),
    };
    frame::mesh(&mut chart, &across(""), Some(&up))?;
    let mut labels = Vec::new();
    if let Some(target) = growth.target {
        let ends = chart.x_range();
        let path = [(ends.start, target), (ends.end, target)];
        chart.draw_series(LineSeries::new(path, Pen::Bad.line(1.2)))?;
        let (_, y) = chart.backend_coord(&path[1]);
        labels.push(EndLabel {
            pen: Pen::Bad,
            ..EndLabel::note(format!("target {}", number::share(target, 3)), y)
        });
    }
    for (filter, line) in &growth.sweep.lines {
        let (look, shown) = (look(filter), line.iter().filter(|p| p.measured() <= most));
        let path = clipped(line.iter().map(|p| (p.x, p.expected_fpr)), most);
        let end = path.last().copied().unwrap_or_default();
        let ends = [(look, path)];
        chart.draw_series(ends.map(|(look, path)| Line {
            path,
            stroke: look.stroke,
            style: look.pen.line(1.2),
        }))?;
        let shown: Vec<&Point> = shown.collect();
        chart.draw_series(shown.iter().map(|p| Bar {
            ends: [(p.x, p.interval.low), (p.x, p.interval.high)],
            aside: 0.0,
            pen: look.pen,
        }))?;
        chart.draw_series(shown.iter().map(|p| Mark {
            at: (p.x, p.measured()),
            aside: 0.0,
            look,
        }))?;
        let (at, y) = chart.backend_coord(&end);
        if end.0 < line.last().map_or(0.0, |p| p.x) {
            let style = frame::words(NOTE, look.pen, HPos::Left);
            panel.draw_text(&format!("{filter} ↑"), &style, (at + px(8.0), y + px(10.0)))?;
        } else {
            labels.push(EndLabel::filter(filter, y));
        }
    }
    let place = chart.plotting_area().get_pixel_range();
    frame::end_labels(panel, place, TEXT, labels)
}

/// A line as far as it stays below a height.
fn clipped(path: impl Iterator<Item = Pair>, most: f64) -> Vec<Pair> {
    let mut kept: Vec<Pair> = Vec::new();
    for (x, y) in path {
        if y > most {
            if let Some(&(from, low)) = kept.last() {
                kept.push((from + (x - from) * (most - low) / (y - low), most));
            }
            break;
        }
        kept.push((x, y));
    }
    kept
}

fn draw_bits(area: &Area, panel: &Area, growth: &Growth<'_>, x: Range<f64>) -> Drawn {
    let all = growth.bits.iter().flatten();
    let highest = all.map(|(_, bits)| *bits).fold(1.0, f64::max);
    let mut chart = axes(panel, x, 1.1 * highest, 50.0)?;
    let up = Ticks {
        name: "bits per key",
        most: 8,
        size: TEXT,
        format: &|v| number::significant(*v, 3),
    };
    frame::mesh(&mut chart, &across("keys / first capacity"), Some(&up))?;
    let mut labels = Vec::new();
    if let Some(target) = growth.target {
        let least = std::f64::consts::LOG2_E * -target.log2();
        let ends = chart.x_range();
        let path = vec![(ends.start, least), (ends.end, least)];
        let (_, y) = chart.backend_coord(&(ends.end, least));
        chart.draw_series([Line {
            path,
            stroke: Stroke::Dotted,
            style: Pen::Soft.line(1.2),
        }])?;
        labels.push(EndLabel::note("made for the keys", y));
    }
    for ((filter, _), line) in growth.sweep.lines.iter().zip(&growth.bits) {
        let look = look(filter);
        chart.draw_series([Line {
            path: line.clone(),
            stroke: look.stroke,
            style: look.pen.line(0.8),
        }])?;
        chart.draw_series(line.iter().map(|&at| Mark {
            at,
            aside: 0.0,
            look,
        }))?;
        let ends = line.last().map(|end| chart.backend_coord(end));
        labels.extend(ends.map(|(_, y)| EndLabel::filter(filter, y)));
    }
    let place = chart.plotting_area().get_pixel_range();
    frame::end_labels(area, place, TEXT, labels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_where_it_leaves_the_picture() {
        let path = [(0.0, 1.0), (2.0, 3.0), (3.0, 9.0)];
        assert_eq!(clipped(path.into_iter(), 2.0), [(0.0, 1.0), (1.0, 2.0)]);
        assert_eq!(clipped(path.into_iter(), 10.0), path);
        assert_eq!(clipped(path.into_iter(), 0.5), []);
    }
}
