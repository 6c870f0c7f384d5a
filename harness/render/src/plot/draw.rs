//! Draws the panels: axes, what stands on them, labels at the ends of lines.

use std::ops::Range;

use plotters::coord::{
    combinators::{IntoLogRange, LogCoord},
    ranged1d::Ranged,
    types::RangedCoordf64,
};

use super::{Axis, Label, Pair, Panel, marks::marker};
use crate::{
    palette::{Paint, Stroke},
    svg::{Drawing, Lettering, Place, Side, px},
};

/// The least distance of two labels at the ends of lines, in pixels.
const LABEL_STEP: f64 = 17.5;
/// From what is drawn to a label beside it, in pixels.
const BESIDE: f64 = 8.0;
/// The length of the thread from a line's end to its label, in pixels.
const THREAD: f64 = 12.0;

impl Axis {
    /// Where a value lies if the axis goes from one place to another.
    fn place(&self, value: f64, ends: (i32, i32)) -> i32 {
        let range = self.range.clone();
        if self.is_log {
            LogCoord::from(range.log_scale()).map(&value, ends)
        } else {
            RangedCoordf64::from(range).map(&value, ends)
        }
    }

    fn ticks(&self) -> Vec<f64> {
        let range = self.range.clone();
        match self.most_ticks {
            0 => Vec::new(),
            _ if !self.has_steps() => Vec::new(),
            most if self.is_log => LogCoord::from(range.log_scale()).key_points(most),
            most => RangedCoordf64::from(range).key_points(most),
        }
    }

    /// Whether there are ticks to be found. In records made by hand the ends of an axis may be anything:
    /// between ends that are no numbers, nearly the same, or too far apart for a number, the search
    /// would not end.
    fn has_steps(&self) -> bool {
        let Range { start, end } = self.range;
        let (least, most) = (start.min(end), start.max(end));
        if self.is_log && !(least > 0.0 && (most / least).is_finite()) {
            return false;
        }
        (most - least).is_finite() && most - least > 1e-9 * most.max(-least)
    }
}

/// A panel, and where on the chart its axes lie.
struct Frame<'a> {
    panel: &'a Panel,
    x: Range<i32>,
    y: Range<i32>,
}

impl Frame<'_> {
    // Both axes end a hundredth of a pixel before the frame does.
    fn across(&self, x: f64) -> i32 {
        self.panel.x.place(x, (self.x.start, self.x.end - 1))
    }

    fn up(&self, y: f64) -> i32 {
        self.panel.y.place(y, (self.y.end - 1, self.y.start))
    }

    /// What lies beyond the axes is drawn at their end.
    fn place(&self, (x, y): Pair) -> Place {
        (
            self.across(x).clamp(self.x.start, self.x.end),
            self.up(y).clamp(self.y.start, self.y.end),
        )
    }
}

/// Draws a panel of a figure, its axes at this place.
pub fn draw(drawing: &mut Drawing, panel: &Panel, place: [f64; 4]) {
    let [left, top, right, bottom] = place.map(px);
    let (x, y) = (left..right, top..bottom);
    let frame = Frame { panel, x, y };
    let place = |at| frame.place(at);
    for item in &panel.under {
        item.draw(drawing, place);
    }
    if panel.x.most_ticks > 0 {
        mesh(drawing, &frame);
    }
    for item in &panel.items {
        item.draw(drawing, place);
    }
    end_labels(drawing, &frame);
}

/// Draws grid, ticks and names; without ticks up the side upright lines alone.
fn mesh(drawing: &mut Drawing, frame: &Frame<'_>) {
    let Frame { panel, x, y } = frame;
    let name = Lettering::new(panel.x.size, Paint::Ink, Side::Center);
    let beside = Lettering {
        down: Lettering::BELOW,
        is_turned: true,
        ..name
    };
    let place = (x.start - px(panel.y.room), y.start + (y.end - y.start) / 2);
    drawing.text(&panel.y.name, beside, place);
    let below = Lettering {
        down: Lettering::ABOVE,
        ..name
    };
    let place = (x.start + (x.end - x.start) / 2, y.end + px(panel.x.room));
    drawing.text(&panel.x.name, below, place);
    let across = panel.x.ticks().into_iter().map(|v| (frame.across(v), v));
    let across: Vec<_> = across.filter(|(at, _)| x.contains(at)).collect();
    let up = panel.y.ticks().into_iter().map(|v| (frame.up(v), v));
    let up: Vec<_> = up.filter(|(at, _)| y.contains(at)).collect();
    // The grid shows where ticks are: marks on the axes would only make ink.
    let lines = across
        .iter()
        .map(|(at, _)| [(*at, y.end - 1), (*at, y.start)]);
    let levels = up.iter().map(|(at, _)| [(x.start, *at), (x.end - 1, *at)]);
    for line in lines.chain(levels) {
        drawing.polyline(&line, (Paint::Grid, Stroke::Solid), 0.8);
    }
    let tick = Lettering::new(panel.x.size, Paint::Soft, Side::Right);
    for (at, v) in &up {
        drawing.text(&(panel.y.format)(*v), tick, (x.start - px(BESIDE), *at));
    }
    let tick = Lettering {
        side: Side::Center,
        down: Lettering::BELOW,
        ..tick
    };
    for (at, v) in &across {
        drawing.text(&(panel.x.format)(*v), tick, (*at, y.end + px(BESIDE)));
    }
    if panel.y.most_ticks > 0 {
        let (Range { start, end }, foot) = (&panel.x.range, panel.y.range.start);
        let foot = [*start, *end].map(|x| frame.place((x, foot)));
        drawing.polyline(&foot, (Paint::Soft, Stroke::Solid), 1.0);
    }
}

/// Writes labels right of the axes, each as near to its line's end as the
/// others let it.
fn end_labels(drawing: &mut Drawing, frame: &Frame<'_>) {
    let (panel, right) = (frame.panel, frame.x.end);
    let height = |label: &Label| frame.up(label.at.1) + px(label.down);
    let room = frame.y.end - frame.y.start;
    let shown = thinned(&panel.labels, (room / px(LABEL_STEP)) as usize + 1);
    let mut labels: Vec<_> = shown.iter().map(|l| (height(l), l)).collect();
    labels.sort_by(|(y, a), (other, b)| y.cmp(other).then_with(|| a.words.cmp(&b.words)));
    let wanted: Vec<i32> = labels.iter().map(|(y, _)| *y).collect();
    let heights = apart(&wanted, px(LABEL_STEP), frame.y.clone());
    for ((end, label), y) in labels.iter().zip(heights) {
        let mut left = right + px(BESIDE);
        if let Some(style) = label.style {
            let thread = [(right + px(2.0), *end), (left + px(THREAD), y)];
            drawing.polyline(&thread, (label.paint, Stroke::Solid), 0.7);
            marker(
                drawing,
                (left + px(THREAD + 6.0), y),
                style.marker,
                style.paint,
            );
            left += px(THREAD + 14.0);
        }
        let style = Lettering::new(panel.label_size, label.paint, Side::Left);
        drawing.text(&label.words, style, (left, y));
    }
}

/// The first labels, and in the place of the last how many there are more, where there is no
/// room for all: that stands at the foot.
fn thinned(labels: &[Label], room: usize) -> Vec<Label> {
    if labels.len() <= room {
        return labels.to_vec();
    }
    let mut shown = labels[..room.saturating_sub(1)].to_vec();
    let more = format!("and {} more", labels.len() - shown.len());
    shown.extend(labels.last().map(|last| Label {
        at: last.at,
        down: f64::from(i16::MAX),
        ..Label::note(more, last.at, Paint::Soft)
    }));
    shown
}

/// Heights in ascending order moved as little as it takes to lie a step apart
/// and within a range: the isotonic regression of what is left of each when the
/// steps before it are taken off.
fn apart(wanted: &[i32], step: i32, range: Range<i32>) -> Vec<i32> {
    let mut blocks: Vec<(i64, i64)> = Vec::new();
    for (place, &y) in (0_i64..).zip(wanted) {
        blocks.push((i64::from(y) - place * i64::from(step), 1));
        while let [.., (sum, many), (next, more)] = blocks[..]
            && sum * more > next * many
        {
            blocks.truncate(blocks.len() - 2);
            blocks.push((sum + next, many + more));
        }
    }
    let last = step * (wanted.len() as i32 - 1).max(0);
    let most = (range.end - last).max(range.start);
    let rest = blocks.iter().flat_map(|&(sum, many)| {
        let mean = ((sum / many) as i32).clamp(range.start, most);
        std::iter::repeat_n(mean, many as usize)
    });
    (0..).zip(rest).map(|(place, y)| y + place * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        document::Table,
        palette::style,
        plot::{Item, Point, Shape, figure, widened},
    };

    /// 300 by 100 pixels with these axes, and so much room right of them.
    fn small(axes: (Axis, Axis), right: f64, fill: impl FnOnce(&mut Panel)) -> String {
        let size = (300.0, 100.0);
        let mut panel = Panel::new((0, 1), size, [100.0, 0.0, right, 20.0], axes);
        fill(&mut panel);
        let table = Table::default();
        let figure = figure(&[panel], "a", "b", "c", table, "d");
        figure.svg
    }

    fn unit() -> Axis {
        Axis::new("", 0.0..1.0, 0, 0.0, |v| format!("<{v}>"))
    }

    #[test]
    fn labels_keep_their_distance() {
        let svg = small((unit(), unit()), 100.0, |panel| {
            let label = |y: f64| Label::note(format!("at {y}"), (1.0, y), Paint::Soft);
            panel.labels = vec![label(0.02), label(0.04), label(0.0)];
        });
        for y in ["y=\"84.9\"", "y=\"67.4\"", "y=\"49.9\""] {
            assert!(svg.contains(y), "{y} in {svg}");
        }
    }

    #[test]
    fn labels_move_no_farther_than_they_must() {
        assert_eq!(apart(&[], 10, 0..100), Vec::<i32>::new());
        assert_eq!(apart(&[50], 10, 0..100), [50]);
        assert_eq!(apart(&[50, 50, 50], 10, 0..100), [40, 50, 60]);
        assert_eq!(apart(&[10, 50, 52, 90], 10, 0..100), [10, 46, 56, 90]);
        assert_eq!(apart(&[1, 1], 10, 0..100), [0, 10]);
        // Without room for all they begin at the top and go on.
        assert_eq!(apart(&[5, 5, 5], 10, 0..10), [0, 10, 20]);
    }

    #[test]
    fn a_filter_is_labelled_with_its_marker() {
        let svg = small((unit(), unit()), 100.0, |panel| {
            panel.labels = vec![Label::filter("standard", (1.0, 0.5))];
        });
        assert!(svg.contains("<path class=\"l round standard\""), "{svg}");
    }

    #[test]
    fn axes_map_and_clamp_and_name_their_ticks() {
        let x = Axis::new("", 0.0..10.0, 3, 20.0, |v| format!("<{v}>"));
        let y = Axis::new("", widened(1e-4..1.0), 0, 0.0, |_| String::new()).log();
        let svg = small((x, y), 100.0, |panel| {
            let dot = |at| Item::new(Shape::Ring(2.0), [at], Paint::Ink);
            panel.add(dot((5.0, 1e-2)).saying("a & b"));
            panel.add(dot((20.0, 1e-9)));
            panel.add(dot((0.0, 1e-2)).shifted(-20.0, 10.0));
        });
        for part in [
            "data-says=\"150 40\ta &amp; b\"",
            "d=\"M148 40a2 2 0 1 0 4 0a2 2 0 1 0 -4 0M198 80a2",
            "text-anchor=\"middle\">&lt;0&gt;<",
            ">&lt;10&gt;<",
        ] {
            assert!(svg.contains(part), "{part} in {svg}");
        }
    }

    /// Of which plotters would look for ticks without end, or panic.
    #[test]
    fn axes_of_no_width_have_no_ticks() {
        let axis = |range| Axis::new("", range, 5, 20.0, |v| v.to_string());
        for range in [
            f64::NAN..f64::NAN,
            f64::NAN..1.0,
            0.0..f64::INFINITY,
            f64::MIN..f64::MAX,
            1.0..1.0 + f64::EPSILON,
            1e300..1e300,
        ] {
            assert!(axis(range.clone()).ticks().is_empty(), "{range:?}");
            assert!(axis(range.clone()).log().ticks().is_empty(), "{range:?}");
        }
        for range in [0.0..1.0, -1.0..1.0, 1e-300..1e300] {
            assert!(axis(range.clone()).log().ticks().is_empty(), "{range:?}");
        }
        assert!(!axis(1e-150..1e150).log().ticks().is_empty());
        assert!(!axis(-1e300..1e300).ticks().is_empty());
    }

    #[test]
    fn axes_without_ticks_have_no_grid_and_points_beyond_no_mark() {
        let svg = small((unit(), unit()), 100.0, |panel| {
            assert_eq!(panel.corner(), (0.0, 1.0));
            let point = |y, says: &str| Point {
                at: (0.5, y),
                ends: [0.25, 0.75],
                says: says.to_owned(),
            };
            let points = [point(0.5, "within"), point(1.5, "beyond")];
            panel.points(style("standard"), points);
        });
        assert!(!svg.contains("class=\"l grid\""));
        assert!(svg.contains("\twithin\"") && !svg.contains("beyond"));
        let bars = svg.split("<path class=\"l standard\"").nth(1).unwrap();
        assert_eq!(bars.split("/>").next().unwrap().matches('M').count(), 2);
    }
}
