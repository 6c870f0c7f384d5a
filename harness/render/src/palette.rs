//! One colour and one marker per filter, in all charts.
//!
//! A paint is a CSS class; the style sheet in each SVG gives the class its colours, for light and
//! dark mode.

use bouquet_catalogue::{self as catalogue, Colour};

pub use bouquet_catalogue::{Marker, Stroke};

/// The meaning of a stroke or an area, which decides its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paint {
    Ink,
    Soft,
    Grid,
    Band,
    Background,
    Bad,
    /// A filter, with the colour from the catalogue.
    Filter(Colour),
}

/// All paints that do not belong to a filter.
const PAINTS: [Paint; 6] = [
    Paint::Ink,
    Paint::Soft,
    Paint::Grid,
    Paint::Band,
    Paint::Background,
    Paint::Bad,
];

fn paints() -> impl Iterator<Item = Paint> {
    let filters = catalogue::colours().into_iter().map(Paint::Filter);
    PAINTS.into_iter().chain(filters)
}

/// How a filter is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    pub paint: Paint,
    pub marker: Marker,
    pub stroke: Stroke,
}

/// The style of a filter; a filter that is not in the catalogue has that of peers. Related filters
/// share a colour.
pub fn style(filter: &str) -> Style {
    of(catalogue::style(filter))
}

/// The style of the filter that others are compared with.
pub fn plain() -> Style {
    of(catalogue::facts()[0].style)
}

fn of(style: catalogue::Style) -> Style {
    Style {
        paint: Paint::Filter(style.colour),
        marker: style.marker,
        stroke: style.stroke,
    }
}

impl Paint {
    /// The name of its CSS class.
    pub fn class(self) -> &'static str {
        self.row().0
    }

    /// Its CSS class, and its colours in light and dark mode.
    fn row(self) -> (&'static str, u32, u32) {
        match self {
            Self::Ink => ("ink", 0x1a1a1a, 0xe8e8e6),
            Self::Soft => ("soft", 0x5a5a5a, 0xa8a8a4),
            Self::Grid => ("grid", 0xe4e4e2, 0x2e3134),
            Self::Band => ("band", 0xe9eef2, 0x22303a),
            Self::Background => ("paper", 0xffffff, 0x16181a),
            Self::Bad => ("bad", 0xb3261e, 0xf2887f),
            Self::Filter(colour) => (colour.class, colour.day, colour.night),
        }
    }
}

/// The style sheet of every chart. Its rules apply only inside charts, because the HTML page
/// contains it as well.
pub fn style_sheet() -> String {
    let colours = |night: bool| {
        let of = |paint: Paint| {
            let (class, day, dark) = paint.row();
            (class, if night { dark } else { day })
        };
        let rules = paints().map(|paint| {
            let (class, colour) = of(paint);
            format!(".chart .{class}{{color:#{colour:06x}}}\n")
        });
        // An outline in the background colour keeps text readable where lines run below it.
        let (_, background) = of(Paint::Background);
        rules.collect::<String>() + &format!(".chart text.f{{stroke:#{background:06x}}}\n")
    };
    let (day, night) = (colours(false), colours(true));
    format!(
        ".chart{{font-family:system-ui,-apple-system,'Segoe \
         UI',Roboto,Arial,sans-serif;font-variant-numeric:tabular-nums}}\n.chart \
         .l{{fill:none;stroke:currentColor;stroke-linejoin:round}}\n.chart \
         .f{{fill:currentColor;stroke:none}}\n.chart .dashed{{stroke-dasharray:5 \
         4}}\n.chart .round{{stroke-linecap:round}}\n.chart .dotted{{stroke-dasharray:1.5 3.5}}\n.chart \
         text.f{{paint-order:stroke;stroke-width:3px;stroke-linejoin:round}}\n{day}@media \
         (prefers-color-scheme:dark){{\n{night}}}\n@media print{{\n{day}}}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pen_has_a_class_and_a_colour_of_its_own() {
        let sheet = style_sheet();
        let paints: Vec<Paint> = paints().collect();
        for (place, paint) in paints.iter().enumerate() {
            let (class, day, dark) = paint.row();
            let others = &paints[..place];
            assert!(others.iter().all(|other| other.class() != class));
            assert!(others.iter().all(|other| other.row().1 != day));
            assert!(sheet.contains(&format!(".{class}{{color:#{day:06x}}}")));
            assert!(sheet.contains(&format!(".{class}{{color:#{dark:06x}}}")));
        }
    }

    #[test]
    fn every_filter_has_a_style_of_its_own_and_peers_are_grey() {
        let names = catalogue::facts().into_iter().map(|facts| facts.name);
        let drawn: Vec<&str> = names
            .filter(|name| style(name) != style("fastbloom"))
            .collect();
        assert!(drawn.len() >= 10);
        for (place, name) in drawn.iter().enumerate() {
            let same = |other: &&str| style(other).marker == style(name).marker;
            assert!(!drawn[..place].iter().any(same), "{name}");
        }
        assert_eq!(style("blocked-line").paint, style("blocked").paint);
        assert_eq!(style("atomic").paint, style("sharded").paint);
        assert_eq!(style("cuckoofilter").paint.class(), "peer");
        assert_eq!(style("fastbloom"), style("cuckoofilter"));
        assert_eq!(plain(), style("standard"));
    }
}
