//! A back end for plotters that writes SVG: texts become text elements, and each chart has a title
//! and a description. Lengths are in tenths of a pixel. A colour is a CSS class; its values for
//! light and dark mode are in the style sheet.

use std::{cell::RefCell, convert::Infallible, rc::Rc};

use plotters::style::{Color, RGBAColor, ShapeStyle};
use plotters_backend::{
    BackendColor, BackendCoord as At, BackendStyle as Look, BackendTextStyle as Font,
    DrawingBackend, DrawingErrorKind, FontTransform,
    text_anchor::{HPos, VPos},
};

use super::html::escape;
use bouquet_record::{Records, SubjectRow};

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

/// A chart that is being drawn.
pub struct Svg {
    size: (u32, u32),
    /// The finished elements.
    done: Rc<RefCell<String>>,
    /// The attributes and the data of the last path. Consecutive shapes of the same style are one
    /// path: thousands of points would otherwise be thousands of elements in the browser.
    path: (String, String),
}

/// Adds the style sheet to a chart that becomes a separate file. An HTML page has it only once.
pub fn file(svg: &str) -> String {
    let styles = format!("</desc>\n<style>\n{}</style>", style_sheet());
    svg.replacen("</desc>", &styles, 1)
}

/// An SVG of `elements`, without the [style sheet](style_sheet). `words` are a name, a title and a
/// description; the last two are for readers who cannot see the chart. `tips` are the tooltips.
pub fn document(words: [&str; 3], size: At, elements: &str, tips: &[String]) -> String {
    let [name, title, description] = words.map(escape);
    let (width, height) = (pixels(size.0), pixels(size.1));
    let (paper, tips) = (Paint::PAPER.0, escape(&tips.join("\n")));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 {width} \
         {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
         aria-labelledby=\"{name}-title {name}-desc\">\n<title id=\"{name}-title\">{title}</title>\n\
         <desc id=\"{name}-desc\">{description}</desc>\n<rect class=\"f {paper}\" \
         width=\"{width}\" height=\"{height}\"/>\n{elements}<g data-says=\"{tips}\"/>\n</svg>\n"
    )
}

pub fn pixels(tenths: i32) -> f64 {
    f64::from(tenths) / 10.0
}

impl Svg {
    /// A back end of this size, and the text to which it will write the elements.
    pub fn new(size: At) -> (Self, Rc<RefCell<String>>) {
        let done = Rc::default();
        let svg = Self {
            size: (size.0 as u32, size.1 as u32),
            done: Rc::clone(&done),
            path: Default::default(),
        };
        (svg, done)
    }

    /// Adds a shape to the last path if their styles are equal, else begins a new path. A shape of
    /// width 0 is filled.
    fn shape(&mut self, class: &str, colour: BackendColor, width: u32, data: &str) -> Drawn {
        if colour.alpha == 0.0 {
            return Ok(());
        }
        let mut look = format!("class=\"{class} {}\"", Paint::classes(colour)[1]);
        if width > 0 {
            look += &format!(" stroke-width=\"{}\"", f64::from(width) / 10.0);
        }
        if self.path.0 != look {
            self.present()?;
            self.path.0 = look;
        }
        self.path.1 += data;
        Ok(())
    }
}

impl DrawingBackend for Svg {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    /// Adds the last path to the finished elements.
    fn present(&mut self) -> Drawn {
        let (look, data) = std::mem::take(&mut self.path);
        if !data.is_empty() {
            *self.done.borrow_mut() += &format!("<path {look} d=\"{data}\"/>\n");
        }
        Ok(())
    }

    fn draw_pixel(&mut self, at: At, colour: BackendColor) -> Drawn {
        self.draw_rect(at, at, &colour, true)
    }

    fn draw_line<S: Look>(&mut self, from: At, to: At, style: &S) -> Drawn {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: Look>(&mut self, a: At, b: At, style: &S, _: bool) -> Drawn {
        self.fill_polygon([a, (b.0, a.1), b, (a.0, b.1)], style)
    }

    fn draw_path<S: Look, I: IntoIterator<Item = At>>(&mut self, path: I, style: &S) -> Drawn {
        let (colour, width) = (style.color(), style.stroke_width());
        self.shape(Paint::classes(colour)[0], colour, width, &line(path))
    }

    fn draw_circle<S: Look>(&mut self, (x, y): At, radius: u32, style: &S, fill: bool) -> Drawn {
        if fill {
            // A filled circle is a line of length 0 with round caps.
            let dot = line([(x, y)]) + "h0";
            return self.shape("l round", style.color(), 2 * radius, &dot);
        }
        let from = line([(x - radius as i32, y)]);
        let (radius, across) = (f64::from(radius) / 10.0, f64::from(radius) / 5.0);
        let arcs = format!(
            "{from}a{radius} {radius} 0 1 0 {across} 0a{radius} {radius} 0 1 0 -{across} 0"
        );
        self.shape("l", style.color(), style.stroke_width(), &arcs)
    }

    fn fill_polygon<S: Look, I: IntoIterator<Item = At>>(&mut self, path: I, style: &S) -> Drawn {
        self.shape("f", style.color(), 0, &(line(path) + "z"))
    }

    fn draw_text<S: Font>(&mut self, words: &str, style: &S, (x, y): At) -> Drawn {
        if words.is_empty() {
            return Ok(());
        }
        self.present()?;
        let (anchor, size) = (style.anchor(), style.size() / 10.0);
        let side = match anchor.h_pos {
            HPos::Left => "",
            HPos::Center => " text-anchor=\"middle\"",
            HPos::Right => " text-anchor=\"end\"",
        };
        // The baseline lies about a third of an em below the middle.
        let down = match anchor.v_pos {
            VPos::Top => 0.85 * size,
            VPos::Center => 0.35 * size,
            VPos::Bottom => -0.15 * size,
        };
        let (x, y) = (pixels(x), pixels(y));
        let place = match style.transform() {
            FontTransform::None => format!("x=\"{x:.1}\" y=\"{:.1}\"", y + down),
            _ => format!("transform=\"translate({x:.1} {y:.1})rotate(-90)\" y=\"{down:.1}\""),
        };
        let [_, class] = Paint::classes(style.color());
        let words = escape(words);
        *self.done.borrow_mut() += &format!(
            "<text class=\"f {class}\" {place} font-size=\"{size}\"{side}>{words}</text>\n"
        );
        Ok(())
    }
}

/// The path data of a line through these places.
fn line(places: impl IntoIterator<Item = At>) -> String {
    let (mut data, mut last) = (String::new(), None);
    for (x, y) in places {
        data += &match last.map(|(a, b)| (x - a, y - b)) {
            None => format!("M{} {}", pixels(x), pixels(y)),
            Some((across, 0)) => format!("h{}", pixels(across)),
            Some((0, down)) => format!("v{}", pixels(down)),
            Some((across, down)) => format!("l{} {}", pixels(across), pixels(down)),
        };
        last = Some((x, y));
    }
    data
}

/// A colour: its CSS class, and its values for light and dark mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Paint(pub &'static str, u32, u32);

impl Paint {
    pub const INK: Self = Self("ink", 0x1a1a1a, 0xe8e8e6);
    pub const SOFT: Self = Self("soft", 0x5a5a5a, 0xa8a8a4);
    pub const GRID: Self = Self("grid", 0xe4e4e2, 0x2e3134);
    pub const BAND: Self = Self("band", 0xe9eef2, 0x22303a);
    pub const PAPER: Self = Self("paper", 0xffffff, 0x16181a);
    pub const BAD: Self = Self("bad", 0xb3261e, 0xf2887f);
    const GREY: Self = Self("grey", 0x8a8a8a, 0x8f8f8f);

    /// The style of a line of this width in tenths of a pixel. plotters cannot tell the back end
    /// that a line is dashed or dotted, so the opacity encodes this.
    pub fn line(self, stroke: Stroke, width: u32) -> ShapeStyle {
        let [_, r, g, b] = self.1.to_be_bytes();
        let opacity = 1.0 - f64::from(stroke as u8) / 10.0;
        Color::stroke_width(&RGBAColor(r, g, b, opacity), width)
    }

    pub fn fill(self) -> ShapeStyle {
        self.line(Stroke::Solid, 0).filled()
    }

    /// The CSS classes of the stroke and of the colour of a line.
    pub fn classes(colour: BackendColor) -> [&'static str; 2] {
        let ((r, g, b), alpha) = (colour.rgb, colour.alpha);
        let light = u32::from_be_bytes([0, r, g, b]);
        let paint = PAINTS.iter().find(|paint| paint.1 == light);
        let stroke = ["l", "l dashed", "l dotted"][(10.0 - 10.0 * alpha).round() as usize % 3];
        [stroke, paint.unwrap_or(&Self::INK).0]
    }
}

/// All colours; those of filters come last.
const PAINTS: [Paint; 15] = [
    Paint::INK,
    Paint::SOFT,
    Paint::GRID,
    Paint::BAND,
    Paint::PAPER,
    Paint::BAD,
    Paint::GREY,
    Paint("blue", 0x0072b2, 0x4aa8e0),
    Paint("orange", 0xd55e00, 0xf08a3c),
    Paint("green", 0x009e73, 0x2cc79b),
    Paint("pink", 0xcc79a7, 0xe09cc2),
    Paint("yellow", 0xe69f00, 0xf0b63c),
    Paint("sky", 0x56b4e9, 0x7cc8f2),
    Paint("slate", 0x555555, 0xb4b4b4),
    Paint("purple", 0x7a1fa2, 0xc77dff),
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stroke {
    Solid,
    Dashed,
    Dotted,
}

type Path = &'static [(i32, i32)];

/// The shape of a measured point: its name, the width of its lines (`None` if it is filled), and
/// its lines as offsets from the centre (empty for a circle). All lengths are in tenths of a pixel.
#[derive(PartialEq, Eq, Debug)]
pub struct Marker(&'static str, pub Option<u32>, pub &'static [Path]);

const SQUARE: Path = &[(-33, -33), (33, -33), (33, 33), (-33, 33), (-33, -33)];
const DIAMOND: Path = &[(0, -48), (42, 0), (0, 48), (-42, 0), (0, -48)];
const TRIANGLE: Path = &[(0, -45), (42, 33), (-42, 33)];
const FLAT: Path = &[(-52, -17), (52, -17), (52, 17), (-52, 17)];
const PLUS: [Path; 2] = [&[(-42, 0), (42, 0)], &[(0, -42), (0, 42)]];
const CROSS: [Path; 2] = [&[(-33, -33), (33, 33)], &[(-33, 33), (33, -33)]];
const STAR: [Path; 2] = [&[(-39, -22), (39, 22)], &[(-39, 22), (39, -22)]];

const MARKERS: [Marker; 11] = [
    Marker("ring", Some(16), &[]),
    Marker("circle", None, &[]),
    Marker("square", None, &[SQUARE]),
    Marker("triangle", None, &[TRIANGLE]),
    Marker("diamond", None, &[DIAMOND]),
    Marker("flat", None, &[FLAT]),
    Marker("open-square", Some(15), &[SQUARE]),
    Marker("open-diamond", Some(15), &[DIAMOND]),
    Marker("plus", Some(18), &PLUS),
    Marker("cross", Some(18), &CROSS),
    Marker("star", Some(18), &[&[(0, -45), (0, 45)], STAR[0], STAR[1]]),
];

impl Marker {
    /// An open circle.
    pub const RING: &Self = &MARKERS[0];
    pub const CIRCLE: &Self = &MARKERS[1];
    /// An open triangle that points down from an upper bound.
    pub const DOWN: &Self = &Self("", Some(12), &[&[(-38, 0), (38, 0), (0, 60), (-38, 0)]]);
}

/// How a filter is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    pub paint: Paint,
    pub marker: &'static Marker,
    pub stroke: Stroke,
}

/// The style that the filter's record names, or else a grey ring and a dotted line.
pub fn style(records: &Records, filter: &str) -> Style {
    let none = SubjectRow::default();
    let words = records.subject(filter).unwrap_or(&none);
    let paint = PAINTS.iter().find(|one| one.0 == words.colour);
    let marker = MARKERS.iter().find(|one| one.0 == words.marker);
    Style {
        paint: *paint.unwrap_or(&Paint::GREY),
        marker: marker.unwrap_or(Marker::RING),
        stroke: match words.stroke.as_str() {
            "solid" => Stroke::Solid,
            "dashed" => Stroke::Dashed,
            _ => Stroke::Dotted,
        },
    }
}

/// The style sheet of every chart. Its rules apply only inside charts, because the HTML page
/// contains it as well. Text has an outline in the background colour, so that it is readable where
/// lines run below it.
pub fn style_sheet() -> String {
    let colours = |value: fn(&Paint) -> u32| {
        let rule = |one: &Paint| format!(".chart .{}{{color:#{:06x}}}\n", one.0, value(one));
        let outline = format!(".chart text.f{{stroke:#{:06x}}}\n", value(&Paint::PAPER));
        PAINTS.iter().map(rule).collect::<String>() + &outline
    };
    let (light, dark) = (colours(|paint| paint.1), colours(|paint| paint.2));
    format!(
        ".chart{{font-family:system-ui,-apple-system,'Segoe \
         UI',Roboto,Arial,sans-serif;font-variant-numeric:tabular-nums}}\n.chart \
         .l{{fill:none;stroke:currentColor;stroke-linejoin:round}}\n.chart \
         .f{{fill:currentColor;stroke:none}}\n.chart .dashed{{stroke-dasharray:5 \
         4}}\n.chart .round{{stroke-linecap:round}}\n.chart .dotted{{stroke-dasharray:1.5 3.5}}\n.chart \
         text.f{{paint-order:stroke;stroke-width:3px;stroke-linejoin:round}}\n{light}@media \
         (prefers-color-scheme:dark){{\n{dark}}}\n@media print{{\n{light}}}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_has_a_class_and_values_of_its_own() {
        let sheet = style_sheet();
        for (place, paint) in PAINTS.iter().enumerate() {
            let Paint(class, light, dark) = paint;
            let mut others = PAINTS[..place].iter();
            assert!(others.all(|other| other.0 != *class && other.1 != *light));
            assert!(sheet.contains(&format!(".{class}{{color:#{light:06x}}}")));
            assert!(sheet.contains(&format!(".{class}{{color:#{dark:06x}}}")));
            let dotted = paint.line(Stroke::Dotted, 1).color.to_backend_color();
            assert_eq!(Paint::classes(dotted), ["l dotted", class]);
        }
    }
}
