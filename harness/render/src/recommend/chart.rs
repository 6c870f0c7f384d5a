//! The expected cost per lookup over the cost of a backing lookup.

use crate::{
    document::{Figure, Table},
    groups::grouped,
    number,
    palette::{Paint, Stroke, style},
    plot::{self, Axis, Item, Label, NOTE, Pair, Panel, widened},
};
use bouquet_ground::record::Recommendation;
use bouquet_ground::units::time;

const HEIGHT: f64 = 600.0;
/// Work costs: nine decades.
const FROM: f64 = 1.0;
const TO: f64 = 1e9;
const STEPS: i32 = 90;
const STEPS_A_DECADE: usize = 10;

/// Overheads below this are drawn as this.
const LEAST: f64 = 0.5;

/// Of every candidate the best of its sizes at each cost of a backing lookup.
pub fn figure(answer: &Recommendation) -> Figure {
    let all_series = all_series(answer);
    let reading = "Each line is a candidate at the best of its sizes: what a lookup takes in it, and \
        the unnecessary backing lookups that it lets through; building it is shared out over the \
        lookups. The backing lookups that hits need anyway are in none of them. The lowest line wins; where a line is shaded, \
        it is closer to the lowest than 5 % or than their intervals: too close to call. The upright \
        line is the given cost of a backing lookup.";
    let (title, table) = (finding(answer), table(&all_series));
    let name = "cost-over-work-cost";
    let panel = panel(&all_series, answer);
    plot::figure(&[panel], name, title, reading, table, "records/lines.csv")
}

struct Series<'a> {
    candidate: &'a str,
    path: Vec<Pair>,
    /// The parts of it that are too close to the lowest line.
    shaded: Vec<Vec<Pair>>,
    is_choice: bool,
}

fn all_series(answer: &Recommendation) -> Vec<Series<'_>> {
    grouped(&answer.lines, |line| line.candidate.as_str())
        .into_iter()
        .map(|(candidate, own)| {
            let least = |work: f64| {
                let costs = own.iter().map(|line| line.base_ns + line.slope * work);
                costs.fold(f64::INFINITY, f64::min).max(LEAST)
            };
            let bands = answer.bands.iter();
            let bands = bands.filter(|band| band.candidate == candidate);
            let shaded = bands.map(|band| {
                let (from, to) = (band.from_ns, band.to_ns);
                let inside = works().filter(|work| (from..to).contains(work));
                let all = [from].into_iter().chain(inside).chain([to]);
                all.map(|work| (work, least(work))).collect()
            });
            Series {
                candidate,
                shaded: shaded.collect(),
                path: works().map(|work| (work, least(work))).collect(),
                is_choice: candidate == answer.choice,
            }
        })
        .collect()
}

fn works() -> impl Iterator<Item = f64> {
    (0..=STEPS).map(|i| FROM * (TO / FROM).powf(f64::from(i) / f64::from(STEPS)))
}

fn finding(answer: &Recommendation) -> String {
    let rows = answer.envelope.iter();
    let pieces = rows.map(|row| format!("{} up to {}", row.candidate, time(row.to_ns)));
    format!("Least cost: {}", number::joined(pieces, ", "))
}

fn panel(all_series: &[Series<'_>], answer: &Recommendation) -> Panel {
    let costs = all_series.iter().flat_map(|series| &series.path);
    let most = costs.map(|point| point.1).fold(10.0, f64::max);
    let name = "cost of a backing lookup";
    let across = Axis::new(name, widened(FROM..TO), 10, 50.0, time).log();
    let up = Axis::new(
        "expected cost per lookup",
        widened(LEAST..most),
        10,
        80.0,
        time,
    )
    .log();
    let mut panel = Panel::wide(HEIGHT, [88.0, 14.0, 170.0, 58.0], (across, up));
    panel.label_size = NOTE;
    let asked = [LEAST, most].map(|cost| (answer.work_cost_ns.clamp(FROM, TO), cost));
    panel.add(Item::stroked(asked, (Paint::Soft, Stroke::Dotted), 1.2));
    for path in all_series.iter().flat_map(|series| &series.shaded) {
        panel.add(Item::line(path.clone(), Paint::Band, 12.0));
    }
    for series in all_series {
        let style = style(series.candidate);
        let width = if series.is_choice { 2.6 } else { 1.2 };
        let (path, paint) = (series.path.clone(), (style.paint, style.stroke));
        panel.add(Item::stroked(path, paint, width));
        marks(series).for_each(|mark| panel.add(mark));
        let end = series.path.last();
        let label = end.map(|end| Label::filter(series.candidate, *end));
        panel.labels.extend(label);
    }
    panel
}

/// One a decade, which the table has too: a line alone gives no figure to a pointer.
fn marks(series: &Series<'_>) -> impl Iterator<Item = Item> {
    let style = style(series.candidate);
    let decades = series.path.iter().step_by(STEPS_A_DECADE);
    decades.map(move |&(work, cost)| {
        let (candidate, cost_of_one) = (series.candidate, time(cost));
        let says = format!(
            "{candidate}\nexpected cost per lookup {cost_of_one}\nbacking lookup {}",
            time(work)
        );
        Item::mark((work, cost), style).saying(says)
    })
}

fn table<'a>(all_series: &'a [Series<'a>]) -> Table {
    let path = |series: &'a Series<'a>| {
        series
            .path
            .iter()
            .step_by(STEPS_A_DECADE)
            .map(move |at| (series, at))
    };
    Table::of(all_series.iter().flat_map(path))
        .column("Candidate", |(series, _)| series.candidate)
        .column("#Work", |(_, (work, _))| time(*work))
        .column("#Expected cost per lookup, ns", |(_, (_, cost))| {
            number::significant(*cost, 3)
        })
        .table()
}
