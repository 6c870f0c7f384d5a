//! An SVG backend for plotters: text stays text, colours are classes, numbers
//! have two decimals, and a picture names and describes itself.

use std::{cell::RefCell, convert::Infallible, rc::Rc};

use anyhow::Result;
use plotters::{
    coord::Shift,
    drawing::{DrawingArea, DrawingAreaErrorKind},
    style::{Color, ShapeStyle},
};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
    FontTransform,
    text_anchor::{HPos, VPos},
};

use super::{
    html::escape,
    palette::{self, Pen, Stroke},
};

/// Plotters counts in whole units; this backend's are hundredths of a pixel,
/// in widths of lines and sizes of text as well.
const UNITS: f64 = 100.0;

/// A whole picture or a part of it, to draw on.
pub type Area = DrawingArea<SvgBackend, Shift>;

/// What drawing gives.
pub type Drawn<T = ()> = Result<T, DrawingAreaErrorKind<Infallible>>;

pub type Written<T = ()> = Result<T, DrawingErrorKind<Infallible>>;

/// The side of its place on which text stands, or its middle.
pub use plotters_backend::text_anchor::HPos as Side;

impl Color for Pen {
    fn to_backend_color(&self) -> BackendColor {
        BackendColor {
            alpha: 1.0,
            rgb: Pen::rgb(*self),
        }
    }
}

impl Pen {
    /// A line of this width in pixels.
    pub fn line(self, width: f64) -> ShapeStyle {
        self.stroke_width(px(width).unsigned_abs())
    }
}

/// Pixels in units of the backend.
pub fn px(pixels: f64) -> i32 {
    (pixels * UNITS).round() as i32
}

/// A place in units of the backend in pixels.
pub fn pixels((x, y): BackendCoord) -> (f64, f64) {
    (f64::from(x) / UNITS, f64::from(y) / UNITS)
}

/// Draws a picture of this size, in pixels, that names and describes itself to
/// those who cannot see it.
pub fn picture(
    name: &str,
    title: &str,
    description: &str,
    (width, height): (f64, f64),
    draw: impl FnOnce(&Area) -> Drawn,
) -> Result<String> {
    let backend = Rc::new(RefCell::new(SvgBackend {
        size: (px(width).unsigned_abs(), px(height).unsigned_abs()),
        body: String::new(),
    }));
    let area = Area::from(&backend);
    area.fill(&Pen::Paper)?;
    draw(&area)?;
    area.present()?;
    let (name, title, description) = (escape(name), escape(title), escape(description));
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 {width} \
         {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
         aria-labelledby=\"{name}-title {name}-desc\">\n<title \
         id=\"{name}-title\">{title}</title>\n<desc \
         id=\"{name}-desc\">{description}</desc>\n<style>\n{}</style>\n{}</svg>\n",
        palette::style_sheet(),
        backend.borrow().body
    ))
}

/// Writes what plotters draws as elements of SVG. Colours of pens become their
/// classes; any other is written as it is.
#[derive(Debug)]
pub struct SvgBackend {
    size: (u32, u32),
    body: String,
}

impl SvgBackend {
    /// A line through these places, dashed or not.
    pub fn stroked_path(
        &mut self,
        stroke: Stroke,
        path: impl IntoIterator<Item = BackendCoord>,
        style: &impl BackendStyle,
    ) {
        self.polyline(stroke.class(), path, style);
    }

    /// Begins a mark; what is drawn until its end says these words to whoever
    /// points at it.
    pub fn begin_mark(&mut self, words: &str) {
        let words = escape(words);
        self.body
            .push_str(&format!("<g class=\"mark\"><title>{words}</title>"));
    }

    /// Ends the mark.
    pub fn end_mark(&mut self) {
        self.body.truncate(self.body.trim_end().len());
        self.body.push_str("</g>\n");
    }

    fn polyline(
        &mut self,
        kind: &str,
        path: impl IntoIterator<Item = BackendCoord>,
        style: &impl BackendStyle,
    ) {
        let (width, points) = (stroke_width(style), points(path));
        self.element(
            "polyline",
            kind,
            style.color(),
            &format!("{width} points=\"{points}\""),
        );
    }

    fn element(&mut self, name: &str, kind: &str, colour: BackendColor, rest: &str) {
        if colour.alpha > 0.0 {
            let paint = paint(kind, colour);
            self.body.push_str(&format!("<{name} {paint}{rest}/>\n"));
        }
    }
}

impl DrawingBackend for SvgBackend {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Written {
        Ok(())
    }

    fn present(&mut self) -> Written {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, colour: BackendColor) -> Written {
        self.draw_rect((x, y), (x + 1, y + 1), &colour, true)
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Written {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        a: BackendCoord,
        b: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Written {
        let (x, y) = pixels((a.0.min(b.0), a.1.min(b.1)));
        let (width, height) = pixels(((b.0 - a.0).abs(), (b.1 - a.1).abs()));
        let (kind, stroke) = stroke(style, fill);
        let place = format!(
            "{stroke} x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\""
        );
        self.element("rect", kind, style.color(), &place);
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Written {
        self.polyline("l", path, style);
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        at: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Written {
        let ((x, y), radius) = (pixels(at), f64::from(radius) / UNITS);
        let (kind, stroke) = stroke(style, fill);
        let place = format!("{stroke} cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{radius:.2}\"");
        self.element("circle", kind, style.color(), &place);
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Written {
        let points = format!(" points=\"{}\"", points(path));
        self.element("polygon", "f", style.color(), &points);
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        words: &str,
        style: &S,
        at: BackendCoord,
    ) -> Written {
        if words.is_empty() || style.color().alpha <= 0.0 {
            return Ok(());
        }
        let ((x, y), size) = (pixels(at), style.size() / UNITS);
        let anchor = style.anchor();
        let side = match anchor.h_pos {
            HPos::Left => "start",
            HPos::Center => "middle",
            HPos::Right => "end",
        };
        // The base line lies about a third of an em below the middle.
        let down = match anchor.v_pos {
            VPos::Top => 0.85,
            VPos::Center => 0.35,
            VPos::Bottom => -0.15,
        };
        self.body.push_str(&format!(
            "<text {} x=\"{x:.2}\" y=\"{y:.2}\" dy=\"{:.2}\" font-size=\"{size:.2}\" \
             text-anchor=\"{side}\"{}>{}</text>\n",
            paint("f", style.color()),
            down * size,
            turn(style.transform(), x, y),
            escape(words)
        ));
        Ok(())
    }

    /// Without fonts: six tenths of an em a character.
    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        words: &str,
        style: &S,
    ) -> Written<(u32, u32)> {
        let width = 0.6 * style.size() * words.chars().count() as f64;
        Ok((width.round() as u32, style.size().round() as u32))
    }
}

/// The attributes that give an element its colour.
fn paint(kind: &str, colour: BackendColor) -> String {
    let opacity = if colour.alpha < 1.0 {
        format!(" opacity=\"{:.2}\"", colour.alpha)
    } else {
        String::new()
    };
    match (Pen::of(colour.rgb), colour.rgb) {
        (Some(pen), _) => format!("class=\"{kind} {}\"{opacity}", pen.class()),
        (None, (r, g, b)) => {
            format!("class=\"{kind}\" style=\"color:#{r:02x}{g:02x}{b:02x}\"{opacity}")
        }
    }
}

/// The class and the attribute of a shape that is filled or an outline.
fn stroke(style: &impl BackendStyle, fill: bool) -> (&'static str, String) {
    if fill {
        ("f", String::new())
    } else {
        ("l", stroke_width(style))
    }
}

fn stroke_width(style: &impl BackendStyle) -> String {
    format!(
        " stroke-width=\"{:.2}\"",
        f64::from(style.stroke_width()) / UNITS
    )
}

fn turn(transform: FontTransform, x: f64, y: f64) -> String {
    let degrees = match transform {
        FontTransform::None => return String::new(),
        FontTransform::Rotate90 => 90,
        FontTransform::Rotate180 => 180,
        FontTransform::Rotate270 => -90,
    };
    format!(" transform=\"rotate({degrees} {x:.2} {y:.2})\"")
}

fn points(path: impl IntoIterator<Item = BackendCoord>) -> String {
    path.into_iter()
        .map(|place| {
            let (x, y) = pixels(place);
            format!("{x:.2},{y:.2}")
        })
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests;
