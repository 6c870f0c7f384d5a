//! What growing costs: the FPR of a filter that is filled to many times its
//! first capacity, and below it the bits per key that it then takes.

use super::{Chart, SOURCE, finding, point, table};
use crate::{
    document::Figure,
    judge::Point,
    number,
    palette::{Paint, Stroke, style},
    plot::{self, Axis, Item, Label, Pair, Panel, Side, digits, percent},
};
use bouquet_ground::record::{Records, Sweep};

/// The sweep with what it is compared with.
struct Growth<'a> {
    sweep: Chart<'a>,
    target: Option<f64>,
    /// Of each line: keys / first capacity, bits per key.
    bits: Vec<Vec<Pair>>,
}

/// The chart of one experiment.
pub fn figure(records: &Records, name: &str, experiment: &str, points: &[&Point]) -> Figure {
    let sweep = Chart::new(Sweep::Load, points);
    let bits = sweep
        .lines
        .iter()
        .map(|(filter, line)| bits_per_key(records, experiment, filter, line))
        .collect();
    let growth = Growth {
        target: points.iter().find_map(|p| p.of.target_fpr),
        bits,
        sweep,
    };
    let reading = "Points are measured and pooled over the data sets, bars are 95 % intervals, \
                   lines above are theory. Above, the rate climbs with every stage and must stay \
                   below the target; a filter of one size leaves the chart where its rate does. \
                   Below, the bits per key that are really allocated: between the points they go \
                   in steps, highest just after a stage was added, most of which is empty. The \
                   dotted line is 1.44 log2(1/FPR), a classic filter sized for just so many keys.";
    let panels = [rates(&growth), sizes(&growth)];
    let (title, table) = (
        "FPR and bits per key while growing",
        table::table(&growth.sweep),
    );
    plot::figure(&panels, name, title, reading, table, SOURCE).finding(finding(points))
}

/// Bits per key allocated, the mean of the replicates.
fn bits_per_key(records: &Records, experiment: &str, filter: &str, line: &[Point]) -> Vec<Pair> {
    let at = |x: f64| {
        let own = records.fpr.iter().filter(|row| {
            row.experiment == experiment
                && row.filter == filter
                && row.sweep == Sweep::Load
                && row.x == x
                && row.error.is_empty()
                && row.keys > row.rejected
        });
        let (sum, many) = own.fold((0.0, 0.0), |(sum, many), row| {
            let keys = (row.keys - row.rejected) as f64;
            (sum + 8.0 * row.memory_bytes as f64 / keys, many + 1.0)
        });
        (many > 0.0).then_some((x, sum / many))
    };
    line.iter().filter_map(|p| at(p.of.x)).collect()
}

/// Of both panels, in pixels.
const HEIGHT: f64 = 700.0;
const LOWER: f64 = 370.0;
/// The axis ends at so many times the target: who is beyond has broken it.
const MOST_TARGETS: f64 = 2.5;

fn across(growth: &Growth<'_>, name: &str, room: f64) -> Axis {
    let points = growth.sweep.lines.iter().flat_map(|(_, line)| line);
    let range = 0.0..1.02 * points.map(|p| p.of.x).fold(1.0, f64::max);
    Axis::new(name, range, 12, room, digits)
}

fn rates(growth: &Growth<'_>) -> Panel {
    let most = most_rate(growth);
    let up = Axis::new("false-positive rate", 0.0..most, 8, 90.0, percent);
    let axes = (across(growth, "", 26.0), up);
    let margins = [98.0, 14.0, 190.0, 34.0];
    let mut panel = Panel::wide(LOWER, margins, axes);
    if let Some(target) = growth.target {
        let end = panel.level(target, (Paint::Bad, Stroke::Solid), 1.2);
        let words = format!("target {}", number::share(target, 3));
        panel.labels.push(Label::note(words, end, Paint::Bad));
    }
    for (filter, line) in &growth.sweep.lines {
        let end = add_line(&mut panel, filter, line, most);
        if line.iter().all(|p| p.of.expected_fpr <= most) {
            panel.labels.push(Label::filter(filter, end));
        } else {
            // It goes on above the chart: its name stands where it leaves.
            let name = Item::note(end, format!("{filter} ↑"), style(filter).paint, Side::Left);
            panel.add(name.shifted(8.0, 10.0));
        }
    }
    panel
}

/// Where the axis of rates ends.
fn most_rate(growth: &Growth<'_>) -> f64 {
    let points = growth.sweep.lines.iter().flat_map(|(_, line)| line);
    let highest = points
        .map(|p| p.rate.interval.high.max(p.of.expected_fpr))
        .fold(0.0, f64::max);
    growth.target.map_or(1.1 * highest, |target| {
        (1.1 * highest).clamp(1.15 * target, MOST_TARGETS * target)
    })
}

/// Theory as a line, measurements as points; gives the line's end.
fn add_line(panel: &mut Panel, filter: &str, line: &[Point], most: f64) -> Pair {
    let style = style(filter);
    let theory = line.iter().map(|p| (p.of.x, p.of.expected_fpr));
    let path: Vec<Pair> = theory.take_while(|(_, rate)| *rate <= most).collect();
    let end = path.last().copied().unwrap_or_default();
    panel.add(Item::stroked(path, (style.paint, style.stroke), 1.2));
    let shown = line.iter().filter(|p| p.rate.value <= most);
    panel.points(style, shown.map(|p| point(Sweep::Load, p)));
    end
}

fn sizes(growth: &Growth<'_>) -> Panel {
    let all = growth.bits.iter().flatten();
    let highest = all.map(|(_, bits)| *bits).fold(1.0, f64::max);
    let up = Axis::new("bits per key", 0.0..1.1 * highest, 8, 90.0, digits);
    let axes = (across(growth, "keys / first capacity", 50.0), up);
    let margins = [98.0, 14.0, 190.0, 58.0];
    let mut panel = Panel::wide(HEIGHT - LOWER, margins, axes).lower(LOWER);
    if let Some(target) = growth.target {
        let least = std::f64::consts::LOG2_E * -target.log2();
        let end = panel.level(least, (Paint::Soft, Stroke::Dotted), 1.2);
        let label = Label::note("sized for the keys", end, Paint::Soft);
        panel.labels.push(label);
    }
    for ((filter, _), line) in growth.sweep.lines.iter().zip(&growth.bits) {
        let style = style(filter);
        panel.add(Item::stroked(
            line.clone(),
            (style.paint, style.stroke),
            0.8,
        ));
        for at in line {
            let (load, bits) = (number::significant(at.0, 4), number::decimal(at.1, 2));
            let says = format!("{filter} at load {load}\n{bits} bits per key");
            panel.add(Item::mark(*at, style).saying(says));
        }
        let label = line.last().map(|end| Label::filter(filter, *end));
        panel.labels.extend(label);
    }
    panel
}
