//! What a second thread brings.

use crate::{
    document::Figure,
    number,
    palette::{self, Marker, Stroke, Style, style},
    plot::{self, Axis, NOTE, Pair, Panel, Point, digits, whole},
    speed::threads::{Shared, capacities, reading, shared, table},
};
use bouquet_ground::record::Records;

const PANEL: Pair = (550.0, 400.0);
const PANELS: [&str; 2] = ["insert", "hit"];

/// One for each capacity.
pub fn figures(records: &Records) -> impl Iterator<Item = Figure> {
    let capacities = capacities(records).into_iter();
    capacities.map(|capacity| figure(records, capacity))
}

fn figure(records: &Records, capacity: u64) -> Figure {
    let all = shared(records, capacity);
    let panels = [0, 1].map(|at| panel(at, &all));
    let title = format!("Threads, {} keys", number::count(capacity));
    let name = format!("threads-{capacity}");
    let source = "records/times.csv";
    plot::figure(&panels, name, &title, reading(&all), table(&all), source)
}

fn panel(at: usize, all: &[Shared<'_>]) -> Panel {
    let operation = PANELS[at];
    let points = |shared: &Shared<'_>| -> Vec<Point> {
        let point = |threads: u32| {
            let rate = shared.rate(operation, threads)?;
            let median = number::decimal(rate.value, 1);
            let label = shared.name.label();
            let says = format!("{label} on {threads}\n{median} million keys per second");
            let at = (f64::from(threads), rate.value);
            Some(Point::new(at, rate.interval, says))
        };
        [1, 2].into_iter().filter_map(point).collect()
    };
    let highest = all.iter().flat_map(points).map(|point| point.ends[1]);
    let most = 1.08 * highest.fold(1.0, f64::max);
    let across = Axis::new(format!("threads, {operation}"), 0.8..2.2, 3, 46.0, whole);
    let up = Axis::new("million keys per second", 0.0..most, 6, 60.0, digits);
    let margins = [68.0, 14.0, 230.0, 54.0];
    let mut panel = Panel::new((at, PANELS.len()), PANEL, margins, (across, up));
    panel.label_size = NOTE;
    for shared in all {
        let style = style_of(shared);
        panel.series(&shared.name.label(), Some(style), points(shared));
    }
    panel
}

/// What shares a standard filter without a type of its own has its colour. As in the other charts
/// ours is dotted one key at a time.
fn style_of(shared: &Shared<'_>) -> Style {
    let mut style = match shared.name.filter {
        "private" => palette::plain(),
        "mutex" => Style {
            marker: Marker::Cross,
            ..palette::plain()
        },
        filter => style(filter),
    };
    if !shared.is_peer && !shared.name.is_batch {
        style.stroke = Stroke::Dotted;
    }
    style
}
