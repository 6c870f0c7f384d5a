//! Shapes that look alike are one path: a browser keeps an element for each, and a
//! chart of thousands of points would be thousands of elements.

use std::fmt::Write;

use super::{Paint, Place, escape, pixels};

/// What shapes must share to be one path.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Manner {
    /// Filled or a line, and with what dashes.
    pub class: &'static str,
    pub paint: Paint,
    /// Of a line, in pixels.
    pub width: Option<f64>,
    /// It covers what lies below it, so what came before stays before.
    pub covers: bool,
}

/// A path in the making.
pub struct Path {
    pub manner: Manner,
    data: String,
    /// For each mark that has something to say: where it lies and the words, a line each.
    says: String,
}

impl Path {
    pub fn new(manner: Manner) -> Self {
        Self {
            manner,
            data: String::new(),
            says: String::new(),
        }
    }

    /// A line through these places; `end` is `z` for one that is closed.
    pub fn add(&mut self, places: &[Place], end: &str) {
        let mut from = (0, 0);
        for (at, place) in places.iter().enumerate() {
            // Tenths of a pixel, so that rounding does not add up along a path.
            let to = tenths(*place);
            let by = (to.0 - from.0, to.1 - from.1);
            self.data += &match (at, by) {
                (0, _) => format!("M{}", pair(to)),
                (_, (across, 0)) => format!("h{}", number(across)),
                (_, (0, down)) => format!("v{}", number(down)),
                (_, by) => format!("l{}", pair(by)),
            };
            from = to;
        }
        self.data += end;
    }

    /// A circle of this radius in pixels, as two arcs.
    pub fn add_circle(&mut self, (x, y): Place, radius: f64) {
        self.add(&[(x - super::px(radius), y)], "");
        let (radius, across) = (short(radius), short(2.0 * radius));
        for sign in ["", "-"] {
            let _ = write!(self.data, "a{radius} {radius} 0 1 0 {sign}{across} 0");
        }
    }

    /// What a mark that reaches from one corner to another says to whoever points at it.
    pub fn say(&mut self, words: &str, [a, b]: [Place; 2]) {
        if !self.says.is_empty() {
            self.says.push('\n');
        }
        self.says += &pair(tenths(a));
        if a != b {
            self.says.push(' ');
            self.says += &pair(tenths(b));
        }
        let _ = write!(self.says, "\t{}", words.replace('\n', "\t"));
    }

    pub fn element(&self) -> String {
        let Manner {
            class,
            paint,
            width,
            ..
        } = self.manner;
        let width = width.map_or(String::new(), |w| format!(" stroke-width=\"{}\"", short(w)));
        let says = match self.says.as_str() {
            "" => String::new(),
            says => format!(" data-says=\"{}\"", escape(says)),
        };
        let paint = paint.class();
        format!(
            "<path class=\"{class} {paint}\"{width}{says} d=\"{}\"/>\n",
            self.data
        )
    }
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
