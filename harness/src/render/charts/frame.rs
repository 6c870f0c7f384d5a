//! What the pictures share: axes, text, labels at the ends of lines.

use std::ops::Range;

use plotters::{
    chart::ChartContext,
    coord::{
        cartesian::Cartesian2d,
        ranged1d::{Ranged, ValueFormatter},
    },
    series::LineSeries,
    style::{
        Color, FontFamily, TRANSPARENT, TextStyle,
        text_anchor::{HPos, Pos, VPos},
    },
};

use crate::render::{
    palette::Pen,
    svg::{Area, Drawn, SvgBackend, px},
};

/// Text sizes in pixels: of axes and labels, and of small notes.
pub const TEXT: f64 = 14.0;
pub const NOTE: f64 = 12.5;
/// The least distance of two labels at the ends of lines, in pixels.
const LABEL_STEP: f64 = 17.5;
/// From what is drawn to a label beside it, in pixels.
const BESIDE: f64 = 8.0;

/// A pair of axes on a picture.
pub type Chart<'a, X, Y> = ChartContext<'a, SvgBackend, Cartesian2d<X, Y>>;

/// The words and ticks of one axis.
pub struct Ticks<'a> {
    /// Empty for none.
    pub name: &'a str,
    pub most: usize,
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
        .axis_style(TRANSPARENT)
        .set_all_tick_mark_size(px(BESIDE / 2.0))
        .label_style(words(TEXT, Pen::Soft, HPos::Center))
        .axis_desc_style(words(TEXT, Pen::Ink, HPos::Center))
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
}

/// Writes labels right of a part of the picture, each as near to its line's
/// end as the others let it.
pub fn end_labels(
    area: &Area,
    (x, y): (Range<i32>, Range<i32>),
    size: f64,
    mut labels: Vec<EndLabel>,
) -> Drawn {
    labels.sort_by(|a, b| a.y.cmp(&b.y).then_with(|| a.words.cmp(&b.words)));
    let mut least = y.start;
    for label in &mut labels {
        label.y = label.y.max(least);
        least = label.y + px(LABEL_STEP);
    }
    let mut most = y.end;
    for label in labels.iter_mut().rev() {
        label.y = label.y.min(most);
        most = label.y - px(LABEL_STEP);
    }
    for label in labels {
        let place = (x.end + px(BESIDE), label.y);
        area.draw_text(&label.words, &words(size, label.pen, HPos::Left), place)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use plotters::{chart::ChartBuilder, coord::combinators::IntoLogRange, element::Circle};

    use super::*;
    use crate::render::svg::picture;

    fn small(draw: impl FnOnce(&Area) -> Drawn) -> String {
        picture("a", "b", "c", (300.0, 100.0), draw).unwrap()
    }

    #[test]
    fn labels_keep_their_distance() {
        let label = |y: f64| EndLabel {
            y: px(y),
            words: format!("at {y}"),
            pen: Pen::Ink,
        };
        let svg = small(|area| {
            let labels = vec![label(95.0), label(99.0), label(97.0)];
            end_labels(area, (0..0, 0..px(100.0)), TEXT, labels)
        });
        for y in ["y=\"100.00\"", "y=\"82.50\"", "y=\"65.00\""] {
            assert!(svg.contains(y), "{y} in {svg}");
        }
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
                format: &tick,
            };
            mesh(&mut chart, &ticks, None)?;
            let (x, y) = chart.backend_coord(&(5.0, 1e-2));
            assert!((x - px(150.0)).abs() <= 2 && (y - px(40.0)).abs() <= 2);
            let beyond = Circle::new((20.0, 0.0), px(1.0), Pen::Standard.filled());
            chart.plotting_area().draw(&beyond)
        });
        assert!(svg.contains("cx=\"200.00\" cy=\"79.99\""), "{svg}");
        for part in ["text-anchor=\"middle\">&lt;0&gt;<", ">&lt;10&gt;<"] {
            assert!(svg.contains(part), "{part} in {svg}");
        }
    }
}
