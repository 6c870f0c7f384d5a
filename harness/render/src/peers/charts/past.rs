//! The FPR at capacity, at twice that and at ten times.

use super::{FOOT, LEFT, SOURCE, TOP, WIDTH, height, named, target};
use crate::{
    document::{Figure, Table},
    number,
    palette::{Look, Marker, Pen, look},
    peers::score::Score,
    plot::{self, Axis, Item, Pair, Panel, Side, widened},
};

const RIGHT: f64 = 290.0;

/// Times the capacity, with the FPR and its interval.
type Load = (f64, f64, Option<[f64; 2]>);

fn loads(score: &Score) -> Vec<Load> {
    let ends = |low: Option<f64>, high: Option<f64>| low.zip(high).map(|(low, high)| [low, high]);
    let all = [
        (
            1.0,
            score.measured_fpr,
            ends(score.measured_fpr_low, score.measured_fpr_high),
        ),
        (
            2.0,
            score.fpr_at_2,
            ends(score.fpr_at_2_low, score.fpr_at_2_high),
        ),
        (
            10.0,
            score.fpr_at_10,
            ends(score.fpr_at_10_low, score.fpr_at_10_high),
        ),
    ];
    all.into_iter()
        .filter_map(|(load, fpr, ends)| Some((load, fpr?, ends)))
        .collect()
}

/// The picture; `None` if no filter was filled past its capacity.
pub fn figure(scores: &[&Score]) -> Option<Figure> {
    let mut filled: Vec<&Score> = scores
        .iter()
        .copied()
        .filter(|s| loads(s).len() > 1)
        .collect();
    if filled.is_empty() {
        return None;
    }
    let last = |score: &Score| score.fpr_at_2.unwrap_or(1.0);
    filled.sort_by(|a, b| last(a).total_cmp(&last(b)));
    let reading = "Of each filter the FPR filled to capacity (dot), with twice as many keys \
                   (square) and, if it grows, with ten times as many (ring), with intervals at 95 %; \
                   the upright line is what was asked for. Short lines on the left are filters that \
                   stay what they were; the words say which of them do so by refusing keys, and \
                   which denied keys that they had taken: those are worse than any FPR.";
    let (title, table) = (finding(&filled, scores), table(&filled));
    let name = named("past-capacity", scores);
    let panel = panel(&filled);
    Some(plot::figure(&[panel], name, title, reading, table, SOURCE))
}

/// What it did with keys past its capacity, in a few words.
fn behaviour(score: &Score) -> String {
    let mut words = Vec::new();
    if let Some(lost) = score.false_negatives_past.filter(|lost| *lost > 0) {
        words.push(format!("denies {} keys", number::count(lost)));
    }
    let refused = [("2x", score.refused_at_2), ("10x", score.refused_at_10)];
    for (at, share) in refused {
        if let Some(share) = share.filter(|share| *share > 0.0) {
            words.push(format!("refuses {} at {at}", number::share(share, 2)));
        }
    }
    words.join(", ")
}

fn finding(filled: &[&Score], scores: &[&Score]) -> String {
    let times = |score: &Score| score.fpr_at_2.unwrap_or(0.0) / score.measured_fpr.unwrap_or(1.0);
    let of_one_size = filled.iter().filter(|s| s.takes_twice() && !s.grows);
    let of_one_size = of_one_size.map(|s| times(s)).filter(|x| x.is_finite());
    let (least, most) = of_one_size.fold((f64::MAX, 0.0), |(least, most), x| {
        (x.min(least), x.max(most))
    });
    let refusing = filled.iter().filter(|s| s.refused_at_2 > Some(0.0)).count();
    let denying = filled.iter().filter(|s| s.false_negatives_past > Some(0));
    let denying: Vec<&str> = denying.map(|s| s.filter.as_str()).collect();
    let mut words = vec![format!("Made for {}, with twice the keys", target(scores))];
    if most > 0.0 {
        words.push(format!(
            "filters of one size have {} to {} times their FPR",
            number::significant(least, 2),
            number::significant(most, 2)
        ));
    }
    if refusing > 0 {
        let verb = if refusing == 1 { "refuses" } else { "refuse" };
        words.push(format!("{} {verb} keys", number::spelt(refusing)));
    }
    match denying.len() {
        0 => {}
        1 => words.push(format!("{} denies keys it took", denying[0])),
        _ => words.push(format!("{} deny keys they took", number::listed(&denying))),
    }
    let (first, rest) = words.split_at(1);
    if rest.is_empty() {
        first.join("")
    } else {
        format!("{} {}", first.join(""), rest.join(", "))
    }
}

/// The FPR where it is drawn: what was not hit at its upper end.
fn shown((_, fpr, ends): &Load, least: f64) -> f64 {
    let fpr = if *fpr > 0.0 {
        *fpr
    } else {
        ends.map_or(least, |[_, high]| high)
    };
    fpr.clamp(least, 1.0)
}

fn panel(filled: &[&Score]) -> Panel {
    let all = filled.iter().flat_map(|score| loads(score));
    let least = all.map(|load| shown(&load, 1e-9)).fold(0.1, f64::min);
    let least = 10_f64.powf(least.log10().floor());
    let (size, margins) = ((WIDTH, height(filled.len())), [LEFT, TOP, RIGHT, FOOT]);
    let x = Axis::new("false-positive rate", widened(least..1.0), 8, 50.0, |v| {
        number::share(v, 2)
    });
    let axes = (x.log(), Axis::down(filled.len() as f64));
    let mut panel = Panel::new((0, 1), size, margins, axes);
    if let Some(asked) = filled.first().map(|score| score.target_fpr) {
        panel.upright(asked, Pen::Ink, 1.0);
        let words = Item::note((asked, 0.0), "asked for", Pen::Soft, Side::Center);
        panel.add(words.shifted(0.0, -14.0));
    }
    for (place, score) in filled.iter().enumerate() {
        add_row(&mut panel, score, place as f64 + 0.5, least);
    }
    panel
}

fn add_row(panel: &mut Panel, score: &Score, y: f64, least: f64) {
    let look = look(&score.filter);
    panel.row_name((least, y), &score.filter, look);
    let loads = loads(score);
    let at = |load: &Load| -> Pair { (shown(load, least), y) };
    let path: Vec<Pair> = loads.iter().map(at).collect();
    panel.add(Item::line(path, look.pen, 1.0));
    for load in &loads {
        if let (_, _, Some(ends)) = load {
            let ends = ends.map(|end| (end.clamp(least, 1.0), y));
            panel.add(Item::line(ends, look.pen, 3.0));
        }
        let marker = match load.0 {
            1.0 => Marker::Circle,
            2.0 => Marker::OpenSquare,
            _ => Marker::Ring,
        };
        let says = format!(
            "{} at {} times its capacity\nFPR {}",
            score.filter,
            number::significant(load.0, 2),
            number::share(load.1, 3)
        );
        panel.add(Item::mark(at(load), Look { marker, ..look }).saying(says));
    }
    let denies = score.false_negatives_past > Some(0);
    panel.row_note((1.0, y), &behaviour(score), denies, 10.0);
}

fn table(filled: &[&Score]) -> Table {
    let share = |x| number::share(x, 3);
    Table::of(filled)
        .column("Filter", |score| &score.filter)
        .column("#FPR at capacity", |score| score.measured_fpr.map(share))
        .column("#FPR at 2x", |score| score.fpr_at_2.map(share))
        .column("#FPR at 10x, if it grows", |s| s.fpr_at_10.map(share))
        .column("#Refused at 2x", |score| score.refused_at_2.map(share))
        .column("#Refused at 10x", |score| score.refused_at_10.map(share))
        .column("#Members denied past capacity", |s| s.false_negatives_past)
        .table()
}
