//! What the pictures share: axes, text, labels at the ends of lines.

use std::ops::Range;

use plotters::{
    chart::ChartContext,
    coord::{
        cartesian::Cartesian2d,
        ranged1d::{Ranged, ValueFormatter},
    },
    element::PathElement,
    series::LineSeries,
    style::{
        Color, FontFamily, TRANSPARENT, TextStyle,
        text_anchor::{HPos, Pos, VPos},
    },
};

use super::marks::Mark;
use crate::{
    palette::{Look, Pen, look},
    svg::{Area, Drawn, SvgBackend, px},
};

/// Text sizes in pixels: of axes and labels, and of small notes.
pub const TEXT: f64 = 14.0;
pub const NOTE: f64 = 12.5;
/// The least distance of two labels at the ends of lines, in pixels.
const LABEL_STEP: f64 = 17.5;
/// From what is drawn to a label beside it, in pixels.
const BESIDE: f64 = 8.0;
/// The length of the thread from a line's end to its label, in pixels.
const THREAD: f64 = 12.0;

/// A pair of axes on a picture.
pub type Chart<'a, X, Y> = ChartContext<'a, SvgBackend, Cartesian2d<X, Y>>;

/// The words and ticks of one axis.
pub struct Ticks<'a> {
    /// Empty for none.
    pub name: &'a str,
    pub most: usize,
    /// Of the text, in pixels.
    pub size: f64,
    pub format: &'a dyn Fn(&f64) -> String,
}

/// Text of this size in pixels, centred in height on its place.
pub fn words(size: f64, pen: Pen, side: HPos) -> TextStyle<'static> {
    TextStyle {
        font: (FontFamily::SansSerif, px(size)).into(),
        color: pen.to_backend_color(),
        pos: Pos::new(side, VPos::Center),
    }
}

/// The range of a logarithmic axis, widened a little, or rounding would cost
/// the ticks at its ends.
pub fn widened(range: Range<f64>) -> Range<f64> {
    range.start * 0.999..range.end * 1.001
}

/// Draws grid, ticks and names; without `y` upright lines alone.
pub fn mesh<X, Y>(chart: &mut Chart<'_, X, Y>, x: &Ticks<'_>, y: Option<&Ticks<'_>>) -> Drawn
where
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let mut mesh = chart.configure_mesh();
    // The grid shows where ticks are: marks on the axes would only make ink.
    mesh.bold_line_style(Pen::Grid.line(0.8))
        .light_line_style(TRANSPARENT)
        // They are not drawn, and to place many of them plotters may take for ever.
        .max_light_lines(1)
        .axis_style(TRANSPARENT)
        .set_all_tick_mark_size(px(BESIDE / 2.0))
        .label_style(words(x.size, Pen::Soft, HPos::Center))
        .axis_desc_style(words(x.size, Pen::Ink, HPos::Center))
        .x_labels(x.most)
        .x_label_formatter(x.format)
        .x_desc(x.name);
    match y {
        Some(y) => mesh
            .y_labels(y.most)
            .y_label_formatter(y.format)
            .y_desc(y.name),
        None => mesh.disable_y_mesh().disable_y_axis(),
    };
    mesh.draw()?;
    if y.is_some() {
        level(chart, chart.y_range().start)?;
    }
    Ok(())
}

/// A line from end to end at this height.
pub fn level<X, Y>(chart: &mut Chart<'_, X, Y>, y: f64) -> Drawn
where
    X: Ranged<ValueType = f64>,
    Y: Ranged<ValueType = f64>,
{
    let x = chart.x_range();
    let path = [(x.start, y), (x.end, y)];
    chart.draw_series(LineSeries::new(path, Pen::Soft.line(1.0)))?;
    Ok(())
}

/// A label at the end of a line.
pub struct EndLabel {
    /// In units of the backend.
    pub y: i32,
    pub words: String,
    pub pen: Pen,
    /// Of a filter: its marker stands before its name, with a thread to where
    /// its line ends.
    pub look: Option<Look>,
}

impl EndLabel {
    /// The label of a filter whose line ends at this height.
    pub fn filter(name: &str, y: i32) -> Self {
        let look = look(name);
        Self {
            y,
            words: name.to_owned(),
            pen: look.pen,
            look: Some(look),
        }
    }

    /// A note.
    pub fn note(words: impl Into<String>, y: i32) -> Self {
        Self {
            y,
            words: words.into(),
            pen: Pen::Soft,
            look: None,
        }
    }
}

/// Writes labels right of a part of the picture, each as near to its line's
/// end as the others let it. Places are those on the whole picture.
pub fn end_labels(
    area: &Area,
    (x, y): (Range<i32>, Range<i32>),
    size: f64,
    mut labels: Vec<EndLabel>,
) -> Drawn {
    labels.sort_by(|a, b| a.y.cmp(&b.y).then_with(|| a.words.cmp(&b.words)));
    let wanted: Vec<i32> = labels.iter().map(|label| label.y).collect();
    for (label, y) in labels.iter().zip(apart(&wanted, px(LABEL_STEP), y)) {
        let mut left = x.end + px(BESIDE);
        if let Some(look) = label.look {
            let thread = [(x.end + px(2.0), label.y), (left + px(THREAD), y)];
            area.draw(&PathElement::new(thread, label.pen.line(0.7)))?;
            area.draw(&Mark {
                at: (left + px(THREAD + 6.0), y),
                aside: 0.0,
                look,
            })?;
            left += px(THREAD + 14.0);
        }
        area.draw_text(&label.words, &words(size, label.pen, HPos::Left), (left, y))?;
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
    use plotters::{chart::ChartBuilder, coord::combinators::IntoLogRange, element::Circle};

    use super::*;
    use crate::svg::picture;

    fn small(draw: impl FnOnce(&Area) -> Drawn) -> String {
        picture("a", "b", "c", (300.0, 100.0), draw).unwrap()
    }

    #[test]
    fn labels_keep_their_distance() {
        let label = |y: f64| EndLabel::note(format!("at {y}"), px(y));
        let svg = small(|area| {
            let labels = vec![label(95.0), label(99.0), label(97.0)];
            end_labels(area, (0..0, 0..px(100.0)), TEXT, labels)
        });
        for y in ["y=\"100.00\"", "y=\"82.50\"", "y=\"65.00\""] {
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
        let svg = small(|area| {
            let labels = vec![EndLabel::filter("standard", px(50.0))];
            end_labels(area, (0..px(100.0), 0..px(100.0)), TEXT, labels)
        });
        assert!(svg.contains("<circle class=\"f standard\""), "{svg}");
    }

    #[test]
    fn axes_map_and_clamp_and_name_their_ticks() {
        let svg = small(|area| {
            let mut chart = ChartBuilder::on(area)
                .margin_right(px(100.0))
                .margin_left(px(100.0))
                .x_label_area_size(px(20.0))
                .y_label_area_size(px(0.0))
                .build_cartesian_2d(0.0..10.0, widened(1e-4..1.0).log_scale())?;
            let tick = |v: &f64| format!("<{v}>");
            let ticks = Ticks {
                name: "",
                most: 3,
                size: TEXT,
                format: &tick,
            };
            mesh(&mut chart, &ticks, None)?;
            let (x, y) = chart.backend_coord(&(5.0, 1e-2));
            assert!((x - px(150.0)).abs() <= 2 && (y - px(40.0)).abs() <= 2);
            let beyond = Circle::new((20.0, 0.0), px(1.0), look("standard").pen.filled());
            chart.plotting_area().draw(&beyond)
        });
        assert!(svg.contains("cx=\"200.00\" cy=\"79.99\""), "{svg}");
        for part in ["text-anchor=\"middle\">&lt;0&gt;<", ">&lt;10&gt;<"] {
            assert!(svg.contains(part), "{part} in {svg}");
        }
    }
}
