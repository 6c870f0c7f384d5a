//! The page that draws a history: each figure of each filter, run by run.

use bouquet_record::{
    GateVerdict,
    groups::{distinct, grouped},
    units,
};

use super::{Entry, Measured};
use crate::{
    document::{Block, Document, Figure, Table},
    html,
    looks::{Marker, Paint, Stroke, Style},
    number::{self, Estimate},
    plot::{self, Axis, Pair, Panel, Place, whole},
};

/// The largest number of runs on the page.
const DRAWN: usize = 100;
const READING: &str = "Every panel begins at 0. Bars are 95 % intervals; above are the revisions of the \
     first and the newest run. Lines join runs. Times are joined on the newest run's machine alone: \
     grey rings are times on others, which cannot be compared with them.";

const HERE: Style = Style {
    paint: Paint::INK,
    marker: Marker::CIRCLE,
    stroke: Stroke::Solid,
};
const ELSEWHERE: Style = Style {
    paint: Paint::SOFT,
    marker: Marker::RING,
    ..HERE
};

/// A run with its number, which is that of its line in the file.
type Run<'a> = (u32, &'a Entry);

type Words = fn(f64) -> String;

/// A figure of a filter.
struct Value {
    what: String,
    words: Words,
    value: Estimate,
    is_time: bool,
}

fn values(of: &Measured) -> Vec<Value> {
    let new = |what: &str, words, value, is_time| Value {
        what: what.to_owned(),
        words,
        value,
        is_time,
    };
    let fpr = of
        .fpr
        .map(|fpr| Estimate::new(fpr.rate, [fpr.low, fpr.high]));
    let bytes = of.memory_bytes.map(|bytes| Estimate::exact(bytes as f64));
    let sizes: [(_, Words, _); 3] = [
        ("FPR at capacity", |v| number::share(v, 3), fpr),
        (
            "bits per key",
            |v| number::significant(v, 4),
            of.bits_per_key.map(Estimate::exact),
        ),
        ("memory", units::bytes, bytes),
    ];
    let sizes = sizes.into_iter();
    let sizes = sizes.filter_map(|(what, words, value)| Some(new(what, words, value?, false)));
    let times = of.ns.iter();
    let times = times.map(|(what, ns)| new(what, units::time, Estimate::exact(*ns), true));
    sizes.chain(times).collect()
}

/// The page of a history whose newest run has this verdict.
pub fn page(verdict: &GateVerdict, entries: &[Entry]) -> String {
    let before = entries.len().saturating_sub(DRAWN);
    let runs: Vec<Run<'_>> = (1..).zip(entries).skip(before).collect();
    let filters = runs.iter().rev().flat_map(|(_, run)| &run.filters);
    let names = distinct(filters.map(|filter| &*filter.name));
    let all = number::plural(entries.len() as u64, "run");
    let words = format!("The newest {} of {all} in the file.", runs.len());
    let table = Table::of(runs.iter().copied())
        .column("#Run", |(number, _)| number)
        .column("Date", |(_, run)| &run.date)
        .column("Revision", |(_, run)| &run.revision)
        .column("Verdict", |(_, run)| run.verdict)
        .column("Machine", |(_, run)| &run.machine)
        .column("Build", |(_, run)| &run.build)
        .column("Profile", |(_, run)| &run.profile)
        .column("Program", |(_, run)| &run.program)
        .table();
    let figures = names.into_iter().enumerate();
    let mut blocks = vec![Block::Paragraph(verdict.sentence.as_str().into())];
    blocks.extend(Block::table("Runs", words, table));
    html::document(&Document {
        title: verdict.standing.headline("the gate's figures, run by run"),
        blocks,
        figures: figures
            .filter_map(|(at, name)| figure(at, name, &runs))
            .collect(),
        ..Document::default()
    })
}

/// `None` if nothing of the filter was measured.
fn figure(at: usize, name: &str, runs: &[Run<'_>]) -> Option<Figure> {
    let all = runs.iter().flat_map(|run| {
        let own = run.1.filters.iter();
        let own = own.filter(move |filter| filter.name == name);
        own.flat_map(values).map(move |value| (*run, value))
    });
    let groups = grouped(all, |(_, value)| value.what.clone());
    let newest = groups.iter().filter_map(|(what, own)| {
        let (_, last) = own.last()?;
        Some(format!("{what} {}", last.value.words(last.words)))
    });
    let finding = format!("Last measured: {}.", number::joined(newest, ", "));
    let panels = groups.iter().enumerate();
    let panels = panels.map(|(at, (what, own))| panel(at, [name, what], own, runs));
    let (id, panels) = (format!("filter-{at}"), panels.collect());
    let words = [&*id, name, &finding, READING];
    (!groups.is_empty()).then(|| plot::figure(panels, words))
}

fn panel(
    at: usize,
    [name, what]: [&str; 2],
    values: &[(Run<'_>, Value)],
    runs: &[Run<'_>],
) -> Panel {
    let (first, last) = (runs[0], runs[runs.len() - 1]);
    let across = Axis::new("", f64::from(first.0) - 0.5..f64::from(last.0) + 0.5, 4);
    let run = |x| match whole(x).as_str() {
        "" => String::new(),
        number => format!("run {number}"),
    };
    let most = values.iter().map(|(_, of)| of.value.high);
    let words = values[0].1.words;
    let up = Axis::new("", 0.0..1.15 * most.fold(1e-12, f64::max), 4);
    let axes = (across.ticks(run).words(run), up.ticks(words).words(words));
    let room = [800, 480, 440, 420];
    let mut panel = Panel::beside(at, (3200, 2000), 0, room, axes);
    panel.heading(what, Paint::INK, 330);
    for (number, run) in distinct([first, last].into_iter()) {
        let revision: String = run.revision.chars().take(12).collect();
        panel.upright(number.into(), &revision, Paint::SOFT);
    }
    let is_here = |(run, of): &&(Run<'_>, Value)| !of.is_time || run.1.machine == last.1.machine;
    let (here, elsewhere): (Vec<_>, Vec<_>) = values.iter().partition(is_here);
    let places = |of: &[&(Run<'_>, Value)]| -> Vec<Place> {
        let place = |(run, of): &&(Run<'_>, Value)| (run.0.into(), of.value, None);
        of.iter().map(place).collect()
    };
    let own = places(&here);
    let path: Vec<Pair> = own.iter().map(|(x, y, _)| (*x, y.value)).collect();
    panel.line(&path, (HERE.paint, HERE.stroke), 13);
    panel.points(name, HERE, &own);
    let others = format!("{name}, another machine");
    panel.points(&others, ELSEWHERE, &places(&elsewhere));
    // The table below the chart names what the headings and the table of runs say.
    for (datum, ((_, run), _)) in panel.data.iter_mut().zip(here.into_iter().chain(elsewhere)) {
        what.clone_into(&mut datum.quantity);
        datum.at = format!("{}, {}", datum.at, run.revision);
    }
    panel
}
