//! Draws growth.

use super::{super::point, Growth};
use crate::{
    judge::Point,
    number,
    palette::{Pen, Stroke, look},
    plot::{Axis, Item, Label, Pair, Panel, Side, digits, percent},
};

/// Of both panels, in pixels.
const HEIGHT: f64 = 700.0;
const LOWER: f64 = 370.0;
/// The axis ends at so many times the target: who is beyond has broken it.
const MOST_TARGETS: f64 = 2.5;

/// Rates above and bits per key below.
pub fn panels(growth: &Growth<'_>) -> [Panel; 2] {
    [rates(growth), bits(growth)]
}

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
        let end = panel.level(target, (Pen::Bad, Stroke::Solid), 1.2);
        let words = format!("target {}", number::share(target, 3));
        panel.labels.push(Label::note(words, end, Pen::Bad));
    }
    for (filter, line) in &growth.sweep.lines {
        let end = add_line(&mut panel, filter, line, most);
        if line.iter().all(|p| p.of.expected_fpr <= most) {
            panel.labels.push(Label::filter(filter, end));
        } else {
            // It goes on above the picture: its name stands where it leaves.
            let name = Item::note(end, format!("{filter} ↑"), look(filter).pen, Side::Left);
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
    let look = look(filter);
    let path = clipped(line.iter().map(|p| (p.of.x, p.of.expected_fpr)), most);
    let end = path.last().copied().unwrap_or_default();
    panel.add(Item::stroked(path, (look.pen, look.stroke), 1.2));
    let shown = line.iter().filter(|p| p.rate.value <= most);
    panel.points(look, shown.map(|p| point("load", p)));
    end
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

fn bits(growth: &Growth<'_>) -> Panel {
    let all = growth.bits.iter().flatten();
    let highest = all.map(|(_, bits)| *bits).fold(1.0, f64::max);
    let up = Axis::new("bits per key", 0.0..1.1 * highest, 8, 90.0, digits);
    let axes = (across(growth, "keys / first capacity", 50.0), up);
    let margins = [98.0, 14.0, 190.0, 58.0];
    let mut panel = Panel::wide(HEIGHT - LOWER, margins, axes).lower(LOWER);
    if let Some(target) = growth.target {
        let least = std::f64::consts::LOG2_E * -target.log2();
        let end = panel.level(least, (Pen::Soft, Stroke::Dotted), 1.2);
        let label = Label::note("made for the keys", end, Pen::Soft);
        panel.labels.push(label);
    }
    for ((filter, _), line) in growth.sweep.lines.iter().zip(&growth.bits) {
        let look = look(filter);
        panel.add(Item::stroked(line.clone(), (look.pen, look.stroke), 0.8));
        for at in line {
            let (load, bits) = (number::significant(at.0, 4), number::decimal(at.1, 2));
            let says = format!("{filter} at load {load}\n{bits} bits per key");
            panel.add(Item::mark(*at, look).saying(says));
        }
        let label = line.last().map(|end| Label::filter(filter, *end));
        panel.labels.extend(label);
    }
    panel
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
