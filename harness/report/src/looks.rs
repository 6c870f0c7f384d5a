//! The colours, strokes and markers of charts, and their style sheet.

use bouquet_record::{Records, SubjectRow};
use plotters::style::{Color, RGBAColor, ShapeStyle};
use plotters_backend::BackendColor;

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

impl Stroke {
    /// The CSS class beside that of every line.
    pub fn class(self) -> &'static str {
        ["", "dashed", "dotted"][self as usize]
    }
}

type Path = &'static [(i32, i32)];

/// The shape of a measured point: its name, the width of its lines (`None` if it is filled), and
/// its lines as offsets from the centre (empty for a circle). All lengths are in tenths of a pixel.
#[derive(PartialEq, Eq, Debug)]
pub struct Marker(pub &'static str, pub Option<u32>, pub &'static [Path]);

const SQUARE: Path = &[(-33, -33), (33, -33), (33, 33), (-33, 33), (-33, -33)];
const DIAMOND: Path = &[(0, -48), (42, 0), (0, 48), (-42, 0), (0, -48)];
const TRIANGLE: Path = &[(0, -45), (42, 33), (-42, 33)];
const WEDGE: Path = &[(0, 45), (42, -33), (-42, -33)];
const FLAT: Path = &[(-52, -17), (52, -17), (52, 17), (-52, 17)];
const PILLAR: Path = &[(-17, -52), (17, -52), (17, 52), (-17, 52)];
const PLUS: [Path; 2] = [&[(-42, 0), (42, 0)], &[(0, -42), (0, 42)]];
const CROSS: [Path; 2] = [&[(-33, -33), (33, 33)], &[(-33, 33), (33, -33)]];
const STAR: [Path; 2] = [&[(-39, -22), (39, 22)], &[(-39, 22), (39, -22)]];

pub const MARKERS: [Marker; 13] = [
    Marker("ring", Some(16), &[]),
    Marker("circle", None, &[]),
    Marker("square", None, &[SQUARE]),
    Marker("triangle", None, &[TRIANGLE]),
    Marker("diamond", None, &[DIAMOND]),
    Marker("wedge", None, &[WEDGE]),
    Marker("flat", None, &[FLAT]),
    Marker("pillar", None, &[PILLAR]),
    Marker("open-square", Some(15), &[SQUARE]),
    Marker("open-diamond", Some(15), &[DIAMOND]),
    Marker("plus", Some(18), &PLUS),
    Marker("cross", Some(18), &CROSS),
    Marker("star", Some(18), &[&[(0, -45), (0, 45)], STAR[0], STAR[1]]),
];

impl Marker {
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
