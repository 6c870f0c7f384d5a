//! The FPR at capacity, at twice that and at ten times.

use super::{FOOT, LEFT, ROW, SOURCE, TOP};
use crate::{
    document::{Figure, Table},
    estimate::Estimate,
    groups::span,
    number,
    palette::{Marker, Paint, Style, style},
    peers::score::{Filled, Score},
    plot::{self, Axis, Item, Pair, Panel, Side, widened},
};

/// Right of the rows, in pixels.
const RIGHT: f64 = 290.0;

/// Times the capacity, with the FPR.
type Load = (f64, Estimate);

fn loads(score: &Score) -> Vec<Load> {
    let all = [
        (1.0, &score.full),
        (2.0, &score.twice),
        (10.0, &score.tenfold),
    ];
    let measured = all.map(|(load, filled)| Some((load, filled.fpr?)));
    measured.into_iter().flatten().collect()
}

/// The chart; `None` if no filter was filled past its capacity.
pub fn figure(target: f64, scores: &[&Score]) -> Option<Figure> {
    let filled = scores.iter().copied().filter(|s| loads(s).len() > 1);
    let mut filled: Vec<&Score> = filled.collect();
    if filled.is_empty() {
        return None;
    }
    let last = |score: &Score| score.twice.fpr.map_or(1.0, |fpr| fpr.value);
    filled.sort_by(|a, b| last(a).total_cmp(&last(b)));
    let reading = "Of each filter the FPR filled to capacity (dot), with twice as many keys \
                   (square) and, if it grows, with ten times as many (ring), with intervals at 95 %; \
                   the upright line is the target. Short lines on the left are filters that \
                   stay what they were; the words say which of them do so by rejecting keys, and \
                   which have false negatives: those are worse than any FPR.";
    let (title, table) = (finding(&filled, target), table(&filled));
    let name = format!("past-capacity-{target}");
    let panel = panel(&filled, target);
    Some(plot::figure(&[panel], name, &title, reading, table, SOURCE))
}

/// What it did with keys past its capacity, in a few words.
fn behaviour(score: &Score) -> String {
    let mut words = Vec::new();
    if let Some(missing) = score.false_negatives_past.filter(|missing| *missing > 0) {
        words.push(format!("{} false negatives", number::count(missing)));
    }
    let rejected = [("2x", &score.twice), ("10x", &score.tenfold)];
    for (at, filled) in rejected {
        if let Some(share) = filled.rejected.filter(|share| *share > 0.0) {
            words.push(format!("rejects {} at {at}", number::share(share, 2)));
        }
    }
    words.join(", ")
}

fn finding(filled: &[&Score], target: f64) -> String {
    let times = |score: &Score| {
        let [twice, full] = [&score.twice, &score.full].map(|filled| filled.fpr);
        twice.map_or(0.0, |fpr| fpr.value) / full.map_or(1.0, |fpr| fpr.value)
    };
    let of_one_size = filled.iter().filter(|s| s.takes(&s.twice) && !s.grows);
    let of_one_size = of_one_size.map(|s| times(s)).filter(|x| x.is_finite());
    let (least, most) = span((f64::MAX, 0.0), of_one_size);
    let rejecting = filled.iter().filter(|s| s.twice.rejected > Some(0.0));
    let rejecting = rejecting.count();
    let with_false_negatives = filled.iter().filter(|s| s.false_negatives_past > Some(0));
    let with_false_negatives: Vec<&str> =
        with_false_negatives.map(|s| s.of.filter.as_str()).collect();
    let mut words = Vec::new();
    if most > 0.0 {
        words.push(format!(
            "filters of one size have {} to {} times their FPR",
            number::significant(least, 2),
            number::significant(most, 2)
        ));
    }
    if rejecting > 0 {
        let verb = if rejecting == 1 { "rejects" } else { "reject" };
        words.push(format!("{} {verb} keys", number::spelt(rejecting)));
    }
    match with_false_negatives.len() {
        0 => {}
        1 => words.push(format!("{} has false negatives", with_false_negatives[0])),
        _ => words.push(format!(
            "{} have false negatives",
            number::listed(&with_false_negatives)
        )),
    }
    let made = format!(
        "Sized for {}, with twice the keys",
        number::share(target, 3)
    );
    if words.is_empty() {
        made
    } else {
        format!("{made} {}", words.join(", "))
    }
}

/// The FPR where it is drawn: what was not hit at its upper end.
fn shown((_, fpr): &Load, least: f64) -> f64 {
    fpr.at_most().clamp(least, 1.0)
}

fn panel(filled: &[&Score], target: f64) -> Panel {
    let all = filled.iter().flat_map(|score| loads(score));
    let least = all.map(|load| shown(&load, 1e-9)).fold(0.1, f64::min);
    let least = 10_f64.powf(least.log10().floor());
    let x = Axis::new("false-positive rate", widened(least..1.0), 8, 50.0, |v| {
        number::share(v, 2)
    });
    let room = [LEFT, TOP, RIGHT, FOOT];
    let mut panel = Panel::rows(filled.len() as f64, ROW, room, x.log());
    panel.upright(target, Paint::Ink, 1.0);
    let words = Item::note((target, 0.0), "target", Paint::Soft, Side::Center);
    panel.add(words.shifted(0.0, -14.0));
    for (place, score) in filled.iter().enumerate() {
        let y = place as f64 + 0.5;
        add_row(&mut panel, score, y, least);
        let is_bad = score.false_negatives_past > Some(0);
        panel.row_note((1.0, y), &behaviour(score), is_bad, 10.0);
    }
    panel
}

fn add_row(panel: &mut Panel, score: &Score, y: f64, least: f64) {
    let style = style(&score.of.filter);
    panel.row_name((least, y), &score.of.filter, style);
    let loads = loads(score);
    let at = |load: &Load| -> Pair { (shown(load, least), y) };
    let path: Vec<Pair> = loads.iter().map(at).collect();
    panel.add(Item::line(path, style.paint, 1.0));
    for load in &loads {
        let ends = load.1.ends();
        let ends = ends.map(|end| (end.clamp(least, 1.0), y));
        panel.add(Item::line(ends, style.paint, 3.0));
        let marker = match load.0 {
            1.0 => Marker::Circle,
            2.0 => Marker::OpenSquare,
            _ => Marker::Ring,
        };
        let says = format!(
            "{} at {} times its capacity\nFPR {}",
            score.of.filter,
            number::significant(load.0, 2),
            number::share(load.1.value, 3)
        );
        panel.add(Item::mark(at(load), Style { marker, ..style }).saying(says));
    }
}

fn table(filled: &[&Score]) -> Table {
    let share = |x| number::share(x, 3);
    let fpr = |filled: &Filled| filled.fpr.map(|fpr| share(fpr.value));
    Table::of(filled)
        .column("Filter", |score| &score.of.filter)
        .column("#FPR at capacity", |score| fpr(&score.full))
        .column("#FPR at 2x", |score| fpr(&score.twice))
        .column("#FPR at 10x, if it grows", |score| fpr(&score.tenfold))
        .column("#Rejected at 2x", |score| score.twice.rejected.map(share))
        .column("#Rejected at 10x", |score| {
            score.tenfold.rejected.map(share)
        })
        .column("#False negatives past capacity", |s| s.false_negatives_past)
        .table()
}
