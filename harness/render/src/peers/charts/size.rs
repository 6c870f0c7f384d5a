//! Bits per key really allocated, against the information bound of the FPR that
//! was measured; and that FPR over what was asked for.

use super::{FOOT, LEFT, ROW, SOURCE, TOP};
use crate::{
    document::{Figure, Table},
    number,
    palette::{Paint, style},
    peers::{score::Score, words::measured},
    plot::{self, Axis, Item, Panel, Shape, Side, WIDTH, digits, widened},
};

/// What lies beyond so many bits per key is drawn at the end.
const MOST_BITS: f64 = 40.0;
/// The same of the FPR over what was asked for.
const RATIO: std::ops::Range<f64> = 0.01..20.0;
/// Between the two halves, and right of them, in pixels.
const GAP: f64 = 86.0;
const RIGHT: f64 = 150.0;

/// A filter whose size and FPR are known.
struct Measured<'a> {
    score: &'a Score,
    bits: f64,
    fpr: f64,
    /// The least bits for that FPR.
    bound: f64,
}

/// The chart; `None` if nothing was measured.
pub fn figure(target: f64, scores: &[&Score]) -> Option<Figure> {
    let mut lines: Vec<Measured<'_>> = scores.iter().filter_map(|score| line(score)).collect();
    if lines.is_empty() {
        return None;
    }
    lines.sort_by(|a, b| (a.bits / a.bound).total_cmp(&(b.bits / b.bound)));
    let title = finding(&lines, target);
    let reading = format!(
        "Left, from the tick to the mark: from the information bound, log2(1/FPR) for the FPR that \
         was measured, to the bits per key that are really allocated; the shortest way is the best \
         use of memory, and it is on top. Right: the measured FPR over the target, with its \
         interval at 95 %; right of the line a promise is not kept. A filter far left there gives \
         more than was asked for and takes the bits for it. Sizes that go by powers of two look \
         good or bad by the capacity: the table has the span. Beyond {MOST_BITS} bits a mark is \
         drawn at the end."
    );
    let (name, table) = (format!("size-{target}"), table(&lines));
    let panels = panels(&lines, beside(&lines));
    Some(plot::figure(&panels, name, &title, reading, table, SOURCE))
}

fn line(score: &Score) -> Option<Measured<'_>> {
    let (bits, fpr) = (score.bits_per_key?, score.full.fpr?.at_most());
    (fpr > 0.0 && fpr < 1.0).then(|| Measured {
        score,
        bits,
        fpr,
        bound: -fpr.log2(),
    })
}

fn finding(lines: &[Measured<'_>], target: f64) -> String {
    let kept = lines.iter().filter(|line| line.score.keeps_its_promise());
    let label = |line: &Measured<'_>| {
        format!(
            "{} takes {} times the bound",
            line.score.of.filter,
            number::decimal(line.bits / line.bound, 2)
        )
    };
    let best = |of: &dyn Fn(&Score) -> bool| kept.clone().find(|line| of(line.score)).map(label);
    let of_static = best(&|score| score.of.is_static);
    let of_static = of_static.map(|words| format!("{words}, but is built once"));
    let words = [best(&|score| !score.of.is_static), of_static];
    let mut words: Vec<String> = words.into_iter().flatten().collect();
    let broken = lines.iter().filter(|line| line.score.is_above());
    let broken = number::listed(broken.map(|line| &line.score.of.filter));
    if !broken.is_empty() {
        words.push(format!("above the target: {broken}"));
    }
    format!("At {}, {}", number::share(target, 3), words.join("; "))
}

/// The halves beside each other, under the same names.
fn beside(lines: &[Measured<'_>]) -> [Panel; 2] {
    let half = (WIDTH - LEFT - RIGHT - GAP) / 2.0;
    let rows = lines.len() as f64;
    let [bits, ratio] = axes(lines);
    [
        Panel::rows(rows, ROW, [LEFT, TOP, WIDTH - LEFT - half, FOOT], bits),
        Panel::rows(rows, ROW, [LEFT + half + GAP, TOP, RIGHT, FOOT], ratio),
    ]
}

/// Without ticks: the grid is drawn once, before all rows.
fn axes(lines: &[Measured<'_>]) -> [Axis; 2] {
    let most = lines.iter().map(|line| line.bits.max(line.bound));
    let most = (1.08 * most.fold(1.0, f64::max)).min(MOST_BITS);
    let tick = |v| number::significant(v, 2);
    [
        Axis::new("bits per key", 0.0..most, 0, 50.0, digits),
        Axis::new("measured FPR / target FPR", widened(RATIO), 0, 50.0, tick).log(),
    ]
}

fn panels(lines: &[Measured<'_>], [left, right]: [Panel; 2]) -> Vec<Panel> {
    let mut panels = vec![left.clone(), right.clone(), left.clone(), right.clone()];
    for (panel, ticks) in panels.iter_mut().zip([6, 5]) {
        panel.x.most_ticks = ticks;
    }
    panels[1].upright(1.0, Paint::Ink, 1.0);
    let heads = [
        (0.0, "bound, and allocated"),
        (RATIO.start, "promise, and kept"),
    ];
    for (panel, (at, words)) in panels[2..].iter_mut().zip(heads) {
        let head = Item::note((at, 0.0), words, Paint::Ink, Side::Left);
        panel.add(head.shifted(0.0, -16.0));
    }
    for (place, line) in lines.iter().enumerate() {
        let y = place as f64 + 0.5;
        panels.extend([bits(left.clone(), line, y), ratio(right.clone(), line, y)]);
    }
    panels
}

fn bits(mut panel: Panel, line: &Measured<'_>, y: f64) -> Panel {
    let (style, end) = (style(&line.score.of.filter), panel.x.range.end);
    let at = line.bits.min(end);
    panel.row_name((0.0, y), &line.score.of.filter, style);
    panel.add(Item::line([(line.bound, y), (at, y)], style.paint, 2.2));
    panel.add(Item::new(
        Shape::Tick(0.3 * ROW),
        [(line.bound, y)],
        Paint::Ink,
    ));
    let says = format!(
        "{}\n{} bits per key allocated\n{} at least for an FPR of {}",
        line.score.of.filter,
        number::decimal(line.bits, 2),
        number::decimal(line.bound, 2),
        number::share(line.fpr, 3)
    );
    panel.add(Item::mark((at, y), style).saying(says));
    let words = format!("{}×", number::decimal(line.bits / line.bound, 2));
    panel.row_note((end, y), &words, false, 8.0);
    panel
}

fn ratio(mut panel: Panel, line: &Measured<'_>, y: f64) -> Panel {
    let (score, style) = (line.score, style(&line.score.of.filter));
    let at = |fpr: f64| ((fpr / score.of.target_fpr).clamp(RATIO.start, RATIO.end), y);
    if let Some(fpr) = score.full.fpr {
        panel.add(Item::line(fpr.ends().map(at), style.paint, 1.4));
    }
    let says = format!("{}\n{}", score.of.filter, measured(score));
    panel.add(Item::mark(at(line.fpr), style).saying(says));
    let label = number::share(line.fpr, 2);
    let label = if score.measured_fpr() == Some(0.0) {
        format!("< {label}")
    } else {
        label
    };
    let fixed = if score.of.chooses_fpr { "" } else { " (fixed)" };
    let label = format!("{label}{fixed}");
    panel.row_note((RATIO.end, y), &label, score.is_above(), 8.0);
    panel
}

fn table(lines: &[Measured<'_>]) -> Table {
    let decimal = |x| number::decimal(x, 2);
    Table::of(lines)
        .column("Filter", |line| &line.score.of.filter)
        .column("#Bits per key", |line| decimal(line.bits))
        .column("#Information bound", |line| decimal(line.bound))
        .column("#Times the bound", |line| decimal(line.bits / line.bound))
        .column("#Least over capacities", |line| {
            line.score.least_bits_per_key.map(decimal)
        })
        .column("#Most over capacities", |line| {
            line.score.most_bits_per_key.map(decimal)
        })
        .column("#FPR measured (95 % interval)", |line| measured(line.score))
        .column("#Times target", |line| {
            number::significant(line.fpr / line.score.of.target_fpr, 3)
        })
        .table()
}
