//! SVG: text stays text, colours are classes, numbers have two decimals.

use super::{html::escape, palette, palette::Pen};

/// A place in pixels, from the upper left corner.
pub type Place = (f64, f64);

/// How a line is drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stroke {
    pub pen: Pen,
    /// In pixels.
    pub width: f64,
    pub dashed: bool,
}

/// On which side of its place a text stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// What a picture is drawn on.
#[derive(Debug, Default)]
pub struct Canvas {
    body: String,
}

/// Draws a picture of this size, in pixels, that names and describes itself to
/// those who cannot see it.
pub fn picture(
    name: &str,
    title: &str,
    description: &str,
    (width, height): Place,
    draw: impl FnOnce(&mut Canvas),
) -> String {
    let mut canvas = Canvas::default();
    draw(&mut canvas);
    let (name, title, description) = (escape(name), escape(title), escape(description));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 {width} \
         {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
         aria-labelledby=\"{name}-title {name}-desc\">\n<title \
         id=\"{name}-title\">{title}</title>\n<desc \
         id=\"{name}-desc\">{description}</desc>\n<style>\n{}</style>\n<rect class=\"f paper\" \
         width=\"{width}\" height=\"{height}\"/>\n{}</svg>\n",
        palette::style_sheet(),
        canvas.body
    )
}

impl Canvas {
    /// A line through these places.
    pub fn line(&mut self, path: &[Place], stroke: Stroke) {
        let start = start("polyline", stroke);
        self.body
            .push_str(&format!("{start} points=\"{}\"/>\n", points(path)));
    }

    /// A filled shape.
    pub fn polygon(&mut self, path: &[Place], pen: Pen) {
        let class = pen.class();
        let points = points(path);
        self.body.push_str(&format!(
            "<polygon class=\"f {class}\" points=\"{points}\"/>\n"
        ));
    }

    /// A filled rectangle between two corners.
    pub fn rectangle(&mut self, a: Place, b: Place, pen: Pen) {
        self.body.push_str(&format!(
            "<rect class=\"f {}\" x=\"{:.2}\" y=\"{:.2}\" width=\"{:.2}\" height=\"{:.2}\"/>\n",
            pen.class(),
            a.0.min(b.0),
            a.1.min(b.1),
            (b.0 - a.0).abs(),
            (b.1 - a.1).abs()
        ));
    }

    /// A filled circle.
    pub fn dot(&mut self, (x, y): Place, radius: f64, pen: Pen) {
        self.body.push_str(&format!(
            "<circle class=\"f {}\" cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{radius:.2}\"/>\n",
            pen.class()
        ));
    }

    /// An open circle.
    pub fn ring(&mut self, (x, y): Place, radius: f64, stroke: Stroke) {
        let start = start("circle", stroke);
        let rest = format!(" cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{radius:.2}\"/>\n");
        self.body.push_str(&format!("{start}{rest}"));
    }

    /// Words, centred in height on their place.
    pub fn text(&mut self, words: &str, (x, y): Place, size: f64, pen: Pen, anchor: Anchor) {
        self.words(words, (x, y), size, pen, anchor, "");
    }

    /// Words that run upwards, centred on their place.
    pub fn upward_text(&mut self, words: &str, (x, y): Place, size: f64, pen: Pen) {
        let turn = format!(" transform=\"rotate(-90 {x:.2} {y:.2})\"");
        self.words(words, (x, y), size, pen, Anchor::Middle, &turn);
    }

    fn words(&mut self, words: &str, (x, y): Place, size: f64, pen: Pen, at: Anchor, more: &str) {
        let anchor = match at {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        // The base line lies about a third of an em below the middle.
        self.body.push_str(&format!(
            "<text class=\"f {}\" x=\"{x:.2}\" y=\"{y:.2}\" dy=\"{:.2}\" font-size=\"{size:.2}\" \
             text-anchor=\"{anchor}\"{more}>{}</text>\n",
            pen.class(),
            0.35 * size,
            escape(words)
        ));
    }
}

/// About how wide these words are: without fonts, six tenths of an em a
/// character.
pub fn width(words: &str, size: f64) -> f64 {
    0.6 * size * words.chars().count() as f64
}

fn start(element: &str, stroke: Stroke) -> String {
    let dashed = if stroke.dashed { " dashed" } else { "" };
    let (class, width) = (stroke.pen.class(), stroke.width);
    format!("<{element} class=\"l {class}{dashed}\" stroke-width=\"{width:.2}\"")
}

fn points(path: &[Place]) -> String {
    path.iter()
        .map(|(x, y)| format!("{x:.2},{y:.2}"))
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_names_itself_and_escapes() {
        let svg = picture("a", "x < y", "how & why", (100.0, 50.0), |canvas| {
            canvas.dot((50.5, 25.0), 4.0, Pen::Standard);
            canvas.line(&[(0.0, 0.0), (100.0, 50.0)], Pen::Cuckoo.dashes(1.5));
            canvas.text("a<b", (1.0, 2.0), 10.0, Pen::Ink, Anchor::End);
        });
        for part in [
            "<title id=\"a-title\">x &lt; y</title>",
            "<desc id=\"a-desc\">how &amp; why</desc>",
            "role=\"img\" aria-labelledby=\"a-title a-desc\"",
            "<circle class=\"f standard\" cx=\"50.50\" cy=\"25.00\" r=\"4.00\"/>",
            "<polyline class=\"l cuckoo dashed\" stroke-width=\"1.50\" points=\"0.00,0.00 \
             100.00,50.00\"/>",
            "font-size=\"10.00\" text-anchor=\"end\">a&lt;b</text>",
        ] {
            assert!(svg.contains(part), "{part}");
        }
    }
}
