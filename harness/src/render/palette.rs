//! One colour and one marker a filter, everywhere.
//!
//! A pen is a class; the style sheet inside each SVG gives the class its
//! colour, by day and by night.

use super::svg::Stroke;

/// What a stroke or an area means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pen {
    Ink,
    Soft,
    Grid,
    Band,
    Paper,
    Bad,
    Standard,
    Blocked,
    Partitioned,
    Counting,
    Scalable,
    Sharded,
    Cuckoo,
    Peer,
}

/// Every pen with its class and its colour by day and by night.
const PENS: [(Pen, &str, &str, &str); 14] = [
    (Pen::Ink, "ink", "#1a1a1a", "#e8e8e6"),
    (Pen::Soft, "soft", "#5a5a5a", "#a8a8a4"),
    (Pen::Grid, "grid", "#e4e4e2", "#2e3134"),
    (Pen::Band, "band", "#e9eef2", "#22303a"),
    (Pen::Paper, "paper", "#ffffff", "#16181a"),
    (Pen::Bad, "bad", "#b3261e", "#f2887f"),
    (Pen::Standard, "standard", "#0072B2", "#4aa8e0"),
    (Pen::Blocked, "blocked", "#D55E00", "#f08a3c"),
    (Pen::Partitioned, "partitioned", "#009E73", "#2cc79b"),
    (Pen::Counting, "counting", "#CC79A7", "#e09cc2"),
    (Pen::Scalable, "scalable", "#E69F00", "#f0b63c"),
    (Pen::Sharded, "sharded", "#56B4E9", "#7cc8f2"),
    (Pen::Cuckoo, "cuckoo", "#555555", "#b4b4b4"),
    (Pen::Peer, "peer", "#8a8a8a", "#8f8f8f"),
];

/// The shape of a measured point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Marker {
    Circle,
    Square,
    Triangle,
    Diamond,
    Plus,
    Cross,
    Star,
    Ring,
}

/// How a filter is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    pub pen: Pen,
    pub marker: Marker,
    pub dashed: bool,
}

/// The look of a filter; of peers by default.
pub fn look(filter: &str) -> Look {
    let (pen, marker) = match filter {
        "standard" => (Pen::Standard, Marker::Circle),
        "blocked" => (Pen::Blocked, Marker::Square),
        "partitioned" => (Pen::Partitioned, Marker::Triangle),
        "counting" => (Pen::Counting, Marker::Diamond),
        "scalable" => (Pen::Scalable, Marker::Plus),
        "sharded" => (Pen::Sharded, Marker::Cross),
        name if name.starts_with("cuckoo") => (Pen::Cuckoo, Marker::Star),
        _ => (Pen::Peer, Marker::Ring),
    };
    Look {
        pen,
        marker,
        dashed: pen == Pen::Cuckoo,
    }
}

impl Pen {
    /// A line of this width in pixels.
    pub fn line(self, width: f64) -> Stroke {
        Stroke {
            pen: self,
            width,
            dashed: false,
        }
    }

    /// The same, dashed.
    pub fn dashes(self, width: f64) -> Stroke {
        Stroke {
            pen: self,
            width,
            dashed: true,
        }
    }

    /// The name of its class.
    pub fn class(self) -> &'static str {
        PENS.iter()
            .find(|(pen, ..)| *pen == self)
            .map_or("ink", |(_, class, ..)| class)
    }
}

/// The style sheet of every picture, bounded to pictures because it stands in
/// the page as well.
pub fn style_sheet() -> String {
    let colours = |night: bool| {
        let rule = |(_, class, day, dark): &(Pen, &str, &str, &str)| {
            format!(
                ".chart .{class}{{color:{}}}\n",
                if night { dark } else { day }
            )
        };
        PENS.iter().map(rule).collect::<String>()
    };
    format!(
        ".chart{{font-family:system-ui,-apple-system,'Segoe \
         UI',Roboto,Arial,sans-serif;font-variant-numeric:tabular-nums}}\n.chart \
         .l{{fill:none;stroke:currentColor;stroke-linejoin:round}}\n.chart \
         .f{{fill:currentColor;stroke:none}}\n.chart .dashed{{stroke-dasharray:5 \
         4}}\n{}@media (prefers-color-scheme:dark){{\n{}}}\n@media print{{\n{}}}\n",
        colours(false),
        colours(true),
        colours(false)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pen_has_a_class_of_its_own() {
        let sheet = style_sheet();
        for (place, (pen, class, day, dark)) in PENS.iter().enumerate() {
            assert_eq!(pen.class(), *class);
            assert!(PENS[..place].iter().all(|(_, other, ..)| other != class));
            assert!(sheet.contains(&format!(".{class}{{color:{day}}}")));
            assert!(sheet.contains(&format!(".{class}{{color:{dark}}}")));
        }
    }

    #[test]
    fn every_cuckoo_looks_the_same_and_peers_are_grey() {
        assert_eq!(look("cuckoo"), look("cuckoofilter"));
        assert!(look("cuckoofilter").dashed);
        assert_eq!(look("fastbloom").pen, Pen::Peer);
    }
}
