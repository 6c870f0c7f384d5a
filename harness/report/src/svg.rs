//! A back end for plotters that writes SVG: texts become text elements, and each chart has a title
//! and a description. Lengths are in tenths of a pixel. A colour is a CSS class; its values for
//! light and dark mode are in the style sheet.

use std::{cell::RefCell, convert::Infallible, rc::Rc};

use plotters_backend::{
    BackendColor, BackendCoord as At, BackendStyle as Look, BackendTextStyle as Font,
    DrawingBackend, DrawingErrorKind, FontTransform,
    text_anchor::{HPos, VPos},
};

use super::{
    html::escape,
    looks::{Paint, style_sheet},
};

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

/// Adds the style sheet to a chart, for its own file. An HTML page has it once for all charts.
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
