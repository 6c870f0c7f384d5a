//! Writes charts as SVG: text stays text, colours are classes, numbers have two
//! decimals, and a chart names and describes itself.

use super::{
    html::escape,
    palette::{self, Paint, Stroke},
};

/// Places are whole hundredths of a pixel.
const UNITS: f64 = 100.0;

/// A place in hundredths of a pixel, to the right and down.
pub type Place = (i32, i32);

/// Pixels in hundredths.
pub fn px(pixels: f64) -> i32 {
    (pixels * UNITS).round() as i32
}

/// A place in pixels.
fn pixels((x, y): Place) -> (f64, f64) {
    (f64::from(x) / UNITS, f64::from(y) / UNITS)
}

/// The side of its place on which text begins, or its middle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    Left,
    Center,
    Right,
}

/// How text looks, and how it stands at its place.
#[derive(Clone, Copy)]
pub struct Lettering {
    /// In pixels.
    pub size: f64,
    pub paint: Paint,
    pub side: Side,
    /// From the place to the base line, in sizes.
    pub down: f64,
    /// Read from below.
    pub is_turned: bool,
}

impl Lettering {
    /// The base line lies about a third of an em below the middle.
    const MIDDLE: f64 = 0.35;
    pub const BELOW: f64 = 0.85;
    pub const ABOVE: f64 = -0.15;

    /// Centred in height on its place.
    pub const fn new(size: f64, paint: Paint, side: Side) -> Self {
        Self {
            size,
            paint,
            side,
            down: Self::MIDDLE,
            is_turned: false,
        }
    }
}

/// A chart in the making.
#[derive(Default)]
pub struct Drawing {
    body: String,
}

impl Drawing {
    /// The whole SVG of this size, in pixels, that names and describes itself to
    /// those who cannot see it.
    pub fn document(
        self,
        name: &str,
        title: &str,
        description: &str,
        (width, height): (f64, f64),
    ) -> String {
        let mut background = Self::default();
        background.rect([(0, 0), (px(width), px(height))], Paint::Background);
        let (name, title, description) = (escape(name), escape(title), escape(description));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 {width} \
             {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
             aria-labelledby=\"{name}-title {name}-desc\">\n<title \
             id=\"{name}-title\">{title}</title>\n<desc \
             id=\"{name}-desc\">{description}</desc>\n<style>\n{}</style>\n{}{}</svg>\n",
            palette::style_sheet(),
            background.body,
            self.body
        )
    }

    /// What is drawn within says these words, if any, to whoever points at it.
    pub fn saying(&mut self, words: &str, draw: impl FnOnce(&mut Self)) {
        if words.is_empty() {
            return draw(self);
        }
        let words = escape(words);
        self.body += &format!("<g class=\"mark\"><title>{words}</title>");
        draw(self);
        self.body.truncate(self.body.trim_end().len());
        self.body += "</g>\n";
    }

    pub fn polyline(&mut self, path: &[Place], (paint, stroke): (Paint, Stroke), width: f64) {
        let line = format!("stroke-width=\"{width:.2}\" points=\"{}\"", points(path));
        self.element("polyline", stroke.class(), paint, &line);
    }

    pub fn polygon(&mut self, path: &[Place], paint: Paint) {
        let points = format!("points=\"{}\"", points(path));
        self.element("polygon", "f", paint, &points);
    }

    /// Between two corners.
    pub fn rect(&mut self, [a, b]: [Place; 2], paint: Paint) {
        let (x, y) = pixels((a.0.min(b.0), a.1.min(b.1)));
        let (width, height) = pixels(((b.0 - a.0).abs(), (b.1 - a.1).abs()));
        let place =
            format!("x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\"");
        self.element("rect", "f", paint, &place);
    }

    /// Filled, or a line of this width.
    pub fn circle(&mut self, at: Place, radius: f64, paint: Paint, width: Option<f64>) {
        let (x, y) = pixels(at);
        let place = format!("cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{radius:.2}\"");
        match width {
            None => self.element("circle", "f", paint, &place),
            Some(width) => {
                let line = format!("stroke-width=\"{width:.2}\" {place}");
                self.element("circle", "l", paint, &line);
            }
        }
    }

    pub fn text(&mut self, words: &str, of: Lettering, at: Place) {
        if words.is_empty() {
            return;
        }
        let (x, y) = pixels(at);
        let side = match of.side {
            Side::Left => "start",
            Side::Center => "middle",
            Side::Right => "end",
        };
        let turn = match of.is_turned {
            true => format!(" transform=\"rotate(-90 {x:.2} {y:.2})\""),
            false => String::new(),
        };
        self.body += &format!(
            "<text class=\"f {}\" x=\"{x:.2}\" y=\"{y:.2}\" dy=\"{:.2}\" font-size=\"{:.2}\" \
             text-anchor=\"{side}\"{turn}>{}</text>\n",
            of.paint.class(),
            of.down * of.size,
            of.size,
            escape(words)
        );
    }

    fn element(&mut self, name: &str, kind: &str, paint: Paint, rest: &str) {
        self.body += &format!("<{name} class=\"{kind} {}\" {rest}/>\n", paint.class());
    }
}

fn points(path: &[Place]) -> String {
    let point = |place: &Place| {
        let (x, y) = pixels(*place);
        format!("{x:.2},{y:.2}")
    };
    path.iter().map(point).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
