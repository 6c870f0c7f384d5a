//! The FPR at capacity, at twice that and at ten times.

use super::{FOOT, LEFT, PHONE_LEFT, ROW, SOURCE, TOP};
use crate::{
    document::{Figure, Table},
    estimate::Estimate,
    groups::span,
    number,
    palette::{Marker, Paint, Style, style},
    peers::score::{Filled, Score},
    plot::{self, Axis, Item, Pair, Panel, Side, note_paint, widened},
};

/// How rows are laid out.
struct Layout {
    /// Pixels of a row, left and right of it.
    row: f64,
    left: f64,
    right: f64,
    /// What it did past its capacity stands below its marks.
    is_below: bool,
}

const PAGE: Layout = Layout {
    row: ROW,
    left: LEFT,
    right: 290.0,
    is_below: false,
};
/// Words beside the rows would leave no room for the axis.
const PHONE: Layout = Layout {
    row: 1.8 * ROW,
    left: PHONE_LEFT,
    right: 34.0,
    is_below: true,
};

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
    let panels = [PAGE, PHONE].map(|layout| panel(&filled, target, &layout));
    let (page, phone) = panels.split_at(1);
    let both = [page, phone];
    Some(plot::figure_for_both(
        both, name, title, reading, table, SOURCE,
    ))
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

fn panel(filled: &[&Score], target: f64, layout: &Layout) -> Panel {
    let all = filled.iter().flat_map(|score| loads(score));
    let least = all.map(|load| shown(&load, 1e-9)).fold(0.1, f64::min);
    let least = 10_f64.powf(least.log10().floor());
    let x = Axis::new("false-positive rate", widened(least..1.0), 8, 50.0, |v| {
        number::share(v, 2)
    });
    let room = [layout.left, TOP, layout.right, FOOT];
    let mut panel = Panel::rows(filled.len() as f64, layout.row, room, x.log());
    // Left of the target, which goes on beside it, or across it where it is too long for that.
    let is_long = |score: &&Score| !is_left_of(&behaviour(score), target, least);
    let crossing = filled.iter().map(|score| layout.is_below && is_long(score));
    for (from, to) in between_notes(&crossing.collect::<Vec<_>>()) {
        panel.add(Item::line([(target, from), (target, to)], Paint::Ink, 1.0));
    }
    let words = Item::note((target, 0.0), "target", Paint::Soft, Side::Center);
    panel.add(words.shifted(0.0, -14.0));
    for (place, score) in filled.iter().enumerate() {
        // Above the middle where words stand below.
        let y = place as f64 + if layout.is_below { 0.3 } else { 0.5 };
        add_row(&mut panel, score, y, least);
        let (words, is_bad) = (behaviour(score), score.false_negatives_past > Some(0));
        if layout.is_below {
            let (end, beside) = match is_left_of(&words, target, least) {
                true => (target, -6.0),
                false => (1.0, 0.0),
            };
            let note = Item::note((end, y), words, note_paint(is_bad), Side::Right);
            panel.add(note.shifted(beside, 0.8 * ROW));
        } else {
            panel.row_note((1.0, y), &words, is_bad, 10.0);
        }
    }
    panel
}

/// Whether there is room for words left of the target, on a phone.
fn is_left_of(words: &str, target: f64, least: f64) -> bool {
    /// Pixels of a letter, and of the axis.
    const LETTER: f64 = 5.8;
    const ACROSS: f64 = 160.0;
    let share = 1.0 - target.ln() / least.ln();
    words.chars().count() as f64 * LETTER < PHONE_LEFT + share * ACROSS
}

/// Where a line down all rows is drawn: it leaves out the lower part of rows that have a note
/// there.
fn between_notes(noted: &[bool]) -> Vec<Pair> {
    /// Of a row, where its note begins and ends.
    const NOTE: Pair = (0.56, 0.94);
    let mut parts = Vec::new();
    let mut from = 0.0;
    let rows = noted.iter().enumerate().filter(|(_, noted)| **noted);
    for (row, _) in rows {
        parts.push((from, row as f64 + NOTE.0));
        from = row as f64 + NOTE.1;
    }
    parts.push((from, noted.len() as f64));
    parts
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_does_not_cross_a_note() {
        let usual = "50,223 false negatives, rejects 18 % at 2x";
        assert!(is_left_of(usual, 0.01, 1e-5) && is_left_of(usual, 0.001, 1e-5));
        assert!(!is_left_of(&usual.repeat(2), 0.01, 1e-5));
        assert_eq!(between_notes(&[false, false]), [(0.0, 2.0)]);
        assert_eq!(
            between_notes(&[true, false, true]),
            [(0.0, 0.56), (0.94, 2.56), (2.94, 3.0)]
        );
    }
}
