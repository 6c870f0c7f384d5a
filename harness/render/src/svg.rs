//! Writes charts as SVG: text stays text, colours are CSS classes, and each chart has a title and a
//! description.

use super::{
    html::escape,
    palette::{self, Paint, Stroke},
};

/// A position in pixels from the upper left corner, to the right and down.
pub type Place = (f64, f64);

/// Whether a text has its left end, its middle or its right end at its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    Left,
    Center,
    Right,
}

/// The vertical position of a text relative to its place.
#[derive(Clone, Copy)]
pub enum Stand {
    Middle,
    Below,
    Above,
    /// Rotated, to be read from bottom to top.
    Turned,
}

/// A chart that is being drawn.
#[derive(Default)]
pub struct Drawing {
    /// The finished elements.
    done: String,
    path: Option<Path>,
    /// The tooltip of the next shape, after its position.
    says: String,
}

/// Consecutive shapes of the same style, collected into one path element: thousands of points would
/// otherwise be thousands of elements in the browser.
struct Path {
    /// Its class and line width.
    look: String,
    data: String,
    /// The tooltips of its marks, one per line.
    says: Vec<String>,
}

/// A chart as a file of its own, with its styles, which the HTML page has only once.
pub fn file(svg: &str) -> String {
    let styles = format!("</desc>\n<style>\n{}</style>", palette::style_sheet());
    svg.replacen("</desc>", &styles, 1)
}

impl Drawing {
    /// The SVG of this size in pixels, without [styles](palette::style_sheet). The title and the
    /// description are for readers who cannot see it.
    pub fn document(
        mut self,
        name: &str,
        title: &str,
        description: &str,
        (width, height): (f64, f64),
    ) -> String {
        self.end_path();
        let (name, title, description) = (escape(name), escape(title), escape(description));
        let background = Paint::Background.class();
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 {width} \
             {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
             aria-labelledby=\"{name}-title {name}-desc\">\n<title \
             id=\"{name}-title\">{title}</title>\n<desc \
             id=\"{name}-desc\">{description}</desc>\n<rect class=\"f {background}\" \
             width=\"{width}\" height=\"{height}\"/>\n{}</svg>\n",
            self.done
        )
    }

    /// Sets the tooltip of the next shape, which covers `places`; an empty string means none.
    pub fn say(&mut self, words: &str, places: &[Place]) {
        let end = |from: f64, pick: fn(f64, f64) -> f64| {
            let x = places.iter().map(|at| at.0).fold(from, pick);
            pair((x, places.iter().map(|at| at.1).fold(from, pick)))
        };
        let (from, to) = (end(f64::MAX, f64::min), end(f64::MIN, f64::max));
        let place = if from == to { from } else { from + " " + &to };
        self.says = match words {
            "" => String::new(),
            words => format!("{place}\t{}", words.replace('\n', "\t")),
        };
    }

    pub fn polyline(&mut self, path: &[Place], (paint, stroke): (Paint, Stroke), width: f64) {
        self.shape(stroke.class(), paint, Some(width), &line(path));
    }

    /// Draws a polygon, filled or as an outline of this width.
    pub fn polygon(&mut self, path: &[Place], paint: Paint, width: Option<f64>) {
        let class = if width.is_some() { "l" } else { "f" };
        self.shape(class, paint, width, &(line(path) + "z"));
    }

    /// Draws a filled rectangle between two corners.
    pub fn rect(&mut self, [a, b]: [Place; 2], paint: Paint) {
        self.polygon(&[a, (b.0, a.1), b, (a.0, b.1)], paint, None);
    }

    /// Draws a circle, filled or as an outline of this width.
    pub fn circle(&mut self, (x, y): Place, radius: f64, paint: Paint, width: Option<f64>) {
        if width.is_none() {
            // The round cap of a line of length 0.
            let dot = line(&[(x, y)]) + "h0";
            return self.shape("l round", paint, Some(2.0 * radius), &dot);
        }
        let from = line(&[(x - radius, y)]);
        let (radius, across) = (short(radius), short(2.0 * radius));
        let arc = |sign| format!("a{radius} {radius} 0 1 0 {sign}{across} 0");
        self.shape("l", paint, width, &(from + &arc("") + &arc("-")));
    }

    /// Writes words in this size in pixels.
    pub fn text(
        &mut self,
        words: &str,
        size: f64,
        paint: Paint,
        (side, stand): (Side, Stand),
        (x, y): Place,
    ) {
        if words.is_empty() {
            return;
        }
        self.end_path();
        let side = match side {
            Side::Left => "",
            Side::Center => " text-anchor=\"middle\"",
            Side::Right => " text-anchor=\"end\"",
        };
        // The baseline lies about a third of an em below the middle.
        let down = match stand {
            Stand::Middle => 0.35,
            Stand::Below | Stand::Turned => 0.85,
            Stand::Above => -0.15,
        } * size;
        let place = match stand {
            Stand::Turned => {
                format!("transform=\"translate({x:.1} {y:.1})rotate(-90)\" y=\"{down:.1}\"")
            }
            _ => format!("x=\"{x:.1}\" y=\"{:.1}\"", y + down),
        };
        let (class, words) = (paint.class(), escape(words));
        self.done += &format!(
            "<text class=\"f {class}\" {place} font-size=\"{size}\"{side}>{words}</text>\n"
        );
    }

    /// Adds a shape to the last path if that has the same style, else begins a new path.
    fn shape(&mut self, class: &str, paint: Paint, width: Option<f64>, data: &str) {
        let width = width.map(|width| format!(" stroke-width=\"{}\"", short(width)));
        let (paint, width) = (paint.class(), width.unwrap_or_default());
        let look = format!("class=\"{class} {paint}\"{width}");
        if self.path.as_ref().is_some_and(|path| path.look != look) {
            self.end_path();
        }
        let path = self.path.get_or_insert_with(|| Path {
            look,
            data: String::new(),
            says: Vec::new(),
        });
        path.data += data;
        if !self.says.is_empty() {
            path.says.push(std::mem::take(&mut self.says));
        }
    }

    fn end_path(&mut self) {
        if let Some(Path { look, data, says }) = self.path.take() {
            let says = match says.as_slice() {
                [] => String::new(),
                says => format!(" data-says=\"{}\"", escape(&says.join("\n"))),
            };
            self.done += &format!("<path {look}{says} d=\"{data}\"/>\n");
        }
    }
}

/// The path data of a line through these places.
fn line(places: &[Place]) -> String {
    // Coordinates are rounded to tenths of a pixel, so that rounding errors of relative moves do
    // not add up.
    let tenths = |at: f64| (10.0 * at).round() / 10.0;
    let (mut data, mut from) = (String::new(), (0.0, 0.0));
    for (at, place) in places.iter().enumerate() {
        let to = (tenths(place.0), tenths(place.1));
        data += &match (at, (to.0 - from.0, to.1 - from.1)) {
            (0, _) => format!("M{}", pair(to)),
            (_, (across, 0.0)) => format!("h{}", short(across)),
            (_, (0.0, down)) => format!("v{}", short(down)),
            (_, by) => format!("l{}", pair(by)),
        };
        from = to;
    }
    data
}

fn pair((x, y): Place) -> String {
    format!("{} {}", short(x), short(y))
}

/// A number with one decimal, or none if that is 0.
fn short(number: f64) -> String {
    let words = format!("{number:.1}");
    let words = words.trim_end_matches(".0");
    if words == "-0" { "0" } else { words }.to_owned()
}
