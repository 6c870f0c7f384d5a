//! Writes charts as SVG: text stays text, colours are classes, what looks alike is one
//! path, and a chart names and describes itself.

mod path;

use self::path::{Manner, Path};
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
    /// Paths by their number, and texts, in the order in which they are drawn.
    parts: Vec<Part>,
    paths: Vec<Path>,
    /// What the next shape says to whoever points at it, and from where to where it reaches.
    says: Option<(String, [Place; 2])>,
    is_silent: bool,
}

enum Part {
    Path(usize),
    Text(String),
}

/// The file of a chart that a page has without its styles.
pub fn file(svg: &str) -> String {
    let styles = format!("</desc>\n<style>\n{}</style>", palette::style_sheet());
    svg.replacen("</desc>", &styles, 1)
}

impl Drawing {
    /// One that says nothing to whoever points at it.
    pub fn silent() -> Self {
        Self {
            is_silent: true,
            ..Self::default()
        }
    }

    /// The SVG, without [styles](palette::style_sheet), of this size, in pixels, that names and describes itself to
    /// those who cannot see it.
    pub fn document(
        self,
        name: &str,
        title: &str,
        description: &str,
        (width, height): (f64, f64),
    ) -> String {
        let (name, title, description) = (escape(name), escape(title), escape(description));
        let background = Paint::Background.class();
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 {width} \
             {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
             aria-labelledby=\"{name}-title {name}-desc\">\n<title \
             id=\"{name}-title\">{title}</title>\n<desc \
             id=\"{name}-desc\">{description}</desc>\n<rect class=\"f {background}\" \
             width=\"{width}\" height=\"{height}\"/>\n{}</svg>\n",
            self.elements()
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
        let is_heard = !words.is_empty() && !self.is_silent;
        self.says = ends
            .filter(|_| is_heard)
            .map(|ends| (words.to_owned(), ends));
        draw(self);
        self.says = None;
    }

    pub fn polyline(&mut self, path: &[Place], (paint, stroke): (Paint, Stroke), width: f64) {
        let manner = Manner {
            class: stroke.class(),
            paint,
            width: Some(width),
            covers: false,
        };
        self.path(manner).add(path, "");
    }

    /// An area.
    pub fn polygon(&mut self, path: &[Place], paint: Paint) {
        self.path(filled(paint, true)).add(path, "z");
    }

    /// A mark with these corners.
    pub fn corners(&mut self, path: &[Place], paint: Paint) {
        self.path(filled(paint, false)).add(path, "z");
    }

    /// Between two corners.
    pub fn rect(&mut self, [a, b]: [Place; 2], paint: Paint) {
        self.polygon(&[a, (b.0, a.1), b, (a.0, b.1)], paint);
    }

    /// Filled, or a line of this width.
    pub fn circle(&mut self, at: Place, radius: f64, paint: Paint, width: Option<f64>) {
        if width.is_some() {
            let manner = Manner {
                class: "l",
                paint,
                width,
                covers: false,
            };
            return self.path(manner).add_circle(at, radius);
        }
        // The round end of a line without length.
        let manner = Manner {
            class: "l round",
            paint,
            width: Some(2.0 * radius),
            covers: false,
        };
        self.path(manner).add(&[at], "h0");
    }

    pub fn text(&mut self, words: &str, of: Lettering, at: Place) {
        if words.is_empty() {
            return;
        }
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
        self.parts.push(Part::Text(format!(
            "<text class=\"f {}\" {place} font-size=\"{}\"{side}>{}</text>\n",
            of.paint.class(),
            of.size,
            escape(words)
        )));
    }

    /// The path for the next shape of this manner: one that is there, unless an area
    /// was drawn since, which may cover it.
    fn path(&mut self, manner: Manner) -> &mut Path {
        let paths = self.paths.iter().enumerate().rev();
        let mut since = paths.take_while(|(_, path)| path.manner == manner || !path.manner.covers);
        let found = match manner.covers {
            true => since.next().filter(|(_, path)| path.manner == manner),
            false => since.find(|(_, path)| path.manner == manner),
        };
        let at = found.map_or(self.paths.len(), |(at, _)| at);
        if at == self.paths.len() {
            self.parts.push(Part::Path(at));
            self.paths.push(Path::new(manner));
        }
        let path = &mut self.paths[at];
        if let Some((words, ends)) = self.says.take() {
            path.say(&words, ends);
        }
        path
    }

    fn elements(&self) -> String {
        let element = |part: &Part| match part {
            Part::Path(at) => self.paths[*at].element(),
            Part::Text(text) => text.clone(),
        };
        self.parts.iter().map(element).collect()
    }
}

fn filled(paint: Paint, covers: bool) -> Manner {
    Manner {
        class: "f",
        paint,
        width: None,
        covers,
    }
}

#[cfg(test)]
mod tests;
