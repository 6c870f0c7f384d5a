//! Writes charts as SVG: text stays text, colours are classes, and a chart names and describes
//! itself.

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
    /// The elements that are done.
    done: String,
    path: Option<Path>,
    /// What the next shape says to whoever points at it, and from where to where it reaches.
    says: Option<(String, [Place; 2])>,
}

/// Shapes that look alike and follow each other, as one path: a browser keeps an element for each,
/// and a chart of thousands of points would be thousands of elements.
struct Path {
    manner: Manner,
    data: String,
    /// For each mark that has something to say: where it lies and the words, a line each.
    says: String,
}

/// What shapes must share to be one path.
#[derive(Clone, Copy, PartialEq)]
struct Manner {
    /// Filled or a line, and with what dashes.
    class: &'static str,
    paint: Paint,
    /// Of a line, in pixels.
    width: Option<f64>,
}

/// The file of a chart that a page has without its styles.
pub fn file(svg: &str) -> String {
    let styles = format!("</desc>\n<style>\n{}</style>", palette::style_sheet());
    svg.replacen("</desc>", &styles, 1)
}

impl Drawing {
    /// The SVG, without [styles](palette::style_sheet), of this size, in pixels, that names and describes itself to
    /// those who cannot see it.
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

    /// What is drawn within says these words, if any, to whoever points at it;
    /// `places` are those that it reaches.
    pub fn saying(&mut self, words: &str, places: &[Place], draw: impl FnOnce(&mut Self)) {
        let all = places.iter().copied();
        let ends = all.fold(None, |ends: Option<[Place; 2]>, (x, y)| {
            let [a, b] = ends.unwrap_or([(x, y); 2]);
            Some([(a.0.min(x), a.1.min(y)), (b.0.max(x), b.1.max(y))])
        });
        let ends = ends.filter(|_| !words.is_empty());
        self.says = ends.map(|ends| (words.to_owned(), ends));
        draw(self);
        self.says = None;
    }

    pub fn polyline(&mut self, path: &[Place], (paint, stroke): (Paint, Stroke), width: f64) {
        self.shape(stroke.class(), paint, Some(width), &line(path));
    }

    /// An area.
    pub fn polygon(&mut self, path: &[Place], paint: Paint) {
        self.shape("f", paint, None, &(line(path) + "z"));
    }

    /// Between two corners.
    pub fn rect(&mut self, [a, b]: [Place; 2], paint: Paint) {
        self.polygon(&[a, (b.0, a.1), b, (a.0, b.1)], paint);
    }

    /// Filled, or a line of this width.
    pub fn circle(&mut self, (x, y): Place, radius: f64, paint: Paint, width: Option<f64>) {
        if width.is_none() {
            // The round end of a line without length.
            let dot = line(&[(x, y)]) + "h0";
            return self.shape("l round", paint, Some(2.0 * radius), &dot);
        }
        let from = line(&[(x - px(radius), y)]);
        let (radius, across) = (short(radius), short(2.0 * radius));
        let arc = |sign| format!("a{radius} {radius} 0 1 0 {sign}{across} 0");
        self.shape("l", paint, width, &(from + &arc("") + &arc("-")));
    }

    pub fn text(&mut self, words: &str, of: Lettering, at: Place) {
        if words.is_empty() {
            return;
        }
        self.end_path();
        let (x, y) = pixels(at);
        let side = match of.side {
            Side::Left => "",
            Side::Center => " text-anchor=\"middle\"",
            Side::Right => " text-anchor=\"end\"",
        };
        let down = of.down * of.size;
        let place = match of.is_turned {
            true => format!("transform=\"translate({x:.1} {y:.1})rotate(-90)\" y=\"{down:.1}\""),
            false => format!("x=\"{x:.1}\" y=\"{:.1}\"", y + down),
        };
        self.done += &format!(
            "<text class=\"f {}\" {place} font-size=\"{}\"{side}>{}</text>\n",
            of.paint.class(),
            of.size,
            escape(words)
        );
    }

    /// Goes on with the last path if it has this look.
    fn shape(&mut self, class: &'static str, paint: Paint, width: Option<f64>, data: &str) {
        let manner = Manner {
            class,
            paint,
            width,
        };
        if self.path.as_ref().is_some_and(|path| path.manner != manner) {
            self.end_path();
        }
        let path = self.path.get_or_insert_with(|| Path {
            manner,
            data: String::new(),
            says: String::new(),
        });
        path.data += data;
        if let Some((words, [a, b])) = self.says.take() {
            let end = if a == b {
                String::new()
            } else {
                format!(" {}", pair(tenths(b)))
            };
            let line = if path.says.is_empty() { "" } else { "\n" };
            let words = words.replace('\n', "\t");
            path.says += &format!("{line}{}{end}\t{words}", pair(tenths(a)));
        }
    }

    fn end_path(&mut self) {
        let Some(Path { manner, data, says }) = self.path.take() else {
            return;
        };
        let (class, paint) = (manner.class, manner.paint.class());
        let width = manner
            .width
            .map_or(String::new(), |w| format!(" stroke-width=\"{}\"", short(w)));
        let says = match says.as_str() {
            "" => String::new(),
            says => format!(" data-says=\"{}\"", escape(says)),
        };
        self.done += &format!("<path class=\"{class} {paint}\"{width}{says} d=\"{data}\"/>\n");
    }
}

/// The data of a line through these places.
fn line(places: &[Place]) -> String {
    let (mut data, mut from) = (String::new(), (0, 0));
    for (at, place) in places.iter().enumerate() {
        // Tenths of a pixel, so that rounding does not add up along a path.
        let to = tenths(*place);
        let by = (to.0 - from.0, to.1 - from.1);
        data += &match (at, by) {
            (0, _) => format!("M{}", pair(to)),
            (_, (across, 0)) => format!("h{}", number(across)),
            (_, (0, down)) => format!("v{}", number(down)),
            (_, by) => format!("l{}", pair(by)),
        };
        from = to;
    }
    data
}

/// A place in whole tenths of a pixel.
fn tenths(place: Place) -> Place {
    let (x, y) = pixels(place);
    ((x * 10.0).round() as i32, (y * 10.0).round() as i32)
}

fn pair((x, y): Place) -> String {
    format!("{} {}", number(x), number(y))
}

/// Tenths of a pixel in pixels.
fn number(tenths: i32) -> String {
    short(f64::from(tenths) / 10.0)
}

/// A number without what it does not need.
fn short(number: f64) -> String {
    format!("{number:.1}").trim_end_matches(".0").to_owned()
}

#[cfg(test)]
mod tests;
