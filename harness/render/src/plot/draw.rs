//! Draws the panels: axes, what stands on them, labels at the ends of lines.

use std::ops::Range;

use plotters::{
    chart::{ChartBuilder, ChartContext},
    coord::{
        cartesian::Cartesian2d,
        combinators::{IntoLogRange, LogCoord},
        ranged1d::{DefaultFormatting, KeyPointHint, Ranged},
        types::RangedCoordf64,
    },
    style::{
        Color, FontFamily, TRANSPARENT, TextStyle,
        text_anchor::{Pos, VPos},
    },
};

use super::{Axis, Item, Label, Pair, Panel};
use crate::{
    palette::Pen,
    svg::{Area, Drawn, Side, SvgBackend, pixels, px},
};

/// The least distance of two labels at the ends of lines, in pixels.
const LABEL_STEP: f64 = 17.5;
/// From what is drawn to a label beside it, in pixels.
const BESIDE: f64 = 8.0;
/// The length of the thread from a line's end to its label, in pixels.
const THREAD: f64 = 12.0;

type Chart<'a> = ChartContext<'a, SvgBackend, Cartesian2d<Scale, Scale>>;

/// The scale of an axis.
enum Scale {
    Linear(RangedCoordf64),
    Log(LogCoord<f64>),
}

impl Scale {
    fn of(axis: &Axis) -> Self {
        let range = axis.range.clone();
        if axis.is_log {
            Self::Log(range.log_scale().into())
        } else {
            Self::Linear(range.into())
        }
    }
}

impl Ranged for Scale {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        match self {
            Self::Linear(scale) => scale.map(value, limit),
            Self::Log(scale) => scale.map(value, limit),
        }
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        match self {
            Self::Linear(scale) => scale.key_points(hint),
            Self::Log(scale) => scale.key_points(hint),
        }
    }

    fn range(&self) -> Range<f64> {
        match self {
            Self::Linear(scale) => scale.range(),
            Self::Log(scale) => scale.range(),
        }
    }
}

/// Text of this size in pixels, centred in height on its place.
pub fn words(size: f64, pen: Pen, side: Side) -> TextStyle<'static> {
    TextStyle {
        font: (FontFamily::SansSerif, px(size)).into(),
        color: pen.to_backend_color(),
        pos: Pos::new(side, VPos::Center),
    }
}

/// Draws a panel of a figure of this size.
pub fn draw(area: &Area, (width, height): Pair, panel: &Panel) -> Drawn {
    let ([left, top, right, bottom], Panel { x, y, .. }) = (panel.place, panel);
    let mut chart = ChartBuilder::on(area)
        .margin_left(px(left - y.room))
        .margin_top(px(top))
        .margin_right(px(width - right))
        .margin_bottom(px(height - bottom - x.room))
        .x_label_area_size(px(x.room))
        .y_label_area_size(px(y.room))
        .build_cartesian_2d(Scale::of(x), Scale::of(y))?;
    chart.draw_series::<_, Item, _, _>(&panel.under)?;
    if x.most_ticks > 0 {
        mesh(&mut chart, x, y)?;
    }
    chart.draw_series::<_, Item, _, _>(&panel.items)?;
    end_labels(area, &chart, panel)
}

/// Draws grid, ticks and names; without ticks up the side upright lines alone.
fn mesh(chart: &mut Chart<'_>, x: &Axis, y: &Axis) -> Drawn {
    let (across, up) = (|v: &f64| (x.format)(*v), |v: &f64| (y.format)(*v));
    let mut mesh = chart.configure_mesh();
    // The grid shows where ticks are: marks on the axes would only make ink.
    mesh.bold_line_style(Pen::Grid.line(0.8))
        .light_line_style(TRANSPARENT)
        // They are not drawn, and to place many of them plotters may take for ever.
        .max_light_lines(1)
        .axis_style(TRANSPARENT)
        .set_all_tick_mark_size(px(BESIDE / 2.0))
        .label_style(words(x.size, Pen::Soft, Side::Center))
        .axis_desc_style(words(x.size, Pen::Ink, Side::Center))
        .x_labels(x.most_ticks)
        .x_label_formatter(&across)
        .x_desc(x.name.as_str());
    if y.most_ticks == 0 {
        mesh.disable_y_mesh().disable_y_axis();
        return mesh.draw();
    }
    mesh.y_labels(y.most_ticks)
        .y_label_formatter(&up)
        .y_desc(y.name.as_str())
        .draw()?;
    let foot = [x.range.start, x.range.end].map(|x| (x, y.range.start));
    chart.draw_series([Item::line(foot, Pen::Soft, 1.0)])?;
    Ok(())
}

/// Writes labels right of the axes, each as near to its line's end as the
/// others let it.
fn end_labels(area: &Area, chart: &Chart<'_>, panel: &Panel) -> Drawn {
    let (x, y) = chart.plotting_area().get_pixel_range();
    let height = |label: &Label| chart.backend_coord(&label.at).1 + px(label.down);
    let mut labels: Vec<_> = panel.labels.iter().map(|l| (height(l), l)).collect();
    labels.sort_by(|(y, a), (other, b)| y.cmp(other).then_with(|| a.words.cmp(&b.words)));
    let wanted: Vec<i32> = labels.iter().map(|(y, _)| *y).collect();
    for ((end, label), y) in labels.iter().zip(apart(&wanted, px(LABEL_STEP), y)) {
        let mut left = x.end + px(BESIDE);
        if let Some(look) = label.look {
            let thread = [(x.end + px(2.0), *end), (left + px(THREAD), y)].map(pixels);
            area.draw(&Item::line(thread, label.pen, 0.7))?;
            area.draw(&Item::mark(pixels((left + px(THREAD + 6.0), y)), look))?;
            left += px(THREAD + 14.0);
        }
        let style = words(panel.label_size, label.pen, Side::Left);
        area.draw_text(&label.words, &style, (left, y))?;
    }
    Ok(())
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
        palette::look,
        plot::{Point, Shape, figure, widened},
    };

    /// 300 by 100 pixels with these axes, and so much room right of them.
    fn small(axes: (Axis, Axis), right: f64, fill: impl FnOnce(&mut Panel)) -> String {
        let size = (300.0, 100.0);
        let mut panel = Panel::new((0, 1), size, [100.0, 0.0, right, 20.0], axes);
        fill(&mut panel);
        let table = Table::default();
        let figure = figure(&[panel], "a", "b".to_owned(), "c", table, "d");
        figure.unwrap().svg
    }

    fn unit() -> Axis {
        Axis::new("", 0.0..1.0, 0, 0.0, |v| format!("<{v}>"))
    }

    #[test]
    fn labels_keep_their_distance() {
        let svg = small((unit(), unit()), 100.0, |panel| {
            let label = |y: f64| Label::note(format!("at {y}"), (1.0, y), Pen::Soft);
            panel.labels = vec![label(0.02), label(0.04), label(0.0)];
        });
        for y in ["y=\"80.00\"", "y=\"62.50\"", "y=\"45.00\""] {
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
        assert!(svg.contains("<circle class=\"f standard\""), "{svg}");
    }

    #[test]
    fn axes_map_and_clamp_and_name_their_ticks() {
        let x = Axis::new("", 0.0..10.0, 3, 20.0, |v| format!("<{v}>"));
        let y = Axis::new("", widened(1e-4..1.0), 0, 0.0, |_| String::new()).log();
        let svg = small((x, y), 100.0, |panel| {
            let dot = |at| Item::new(Shape::Dot, [at], Pen::Ink);
            panel.add(dot((5.0, 1e-2)).saying("a & b"));
            panel.add(dot((20.0, 1e-9)));
            panel.add(dot((0.0, 1e-2)).shifted(-20.0, 10.0));
        });
        for part in [
            "<title>a &amp; b</title><circle class=\"f ink\" cx=\"149.99\" cy=\"40.00\"",
            "cx=\"200.00\" cy=\"80.00\"",
            "cx=\"80.00\" cy=\"50.00\"",
            "text-anchor=\"middle\">&lt;0&gt;<",
            ">&lt;10&gt;<",
        ] {
            assert!(svg.contains(part), "{part} in {svg}");
        }
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
            panel.points(look("standard"), points);
        });
        assert!(!svg.contains("class=\"l grid\""));
        assert!(svg.contains("<title>within</title>") && !svg.contains("beyond"));
        assert_eq!(svg.matches("<polyline class=\"l standard\"").count(), 2);
    }
}
