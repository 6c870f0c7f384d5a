//! One colour and one marker a filter, everywhere.
//!
//! A pen is a class; the style sheet inside each SVG gives the class its
//! colour, by day and by night. Plotters knows a pen by its colour by day.

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
const PENS: [(Pen, &str, u32, u32); 14] = [
    (Pen::Ink, "ink", 0x1a1a1a, 0xe8e8e6),
    (Pen::Soft, "soft", 0x5a5a5a, 0xa8a8a4),
    (Pen::Grid, "grid", 0xe4e4e2, 0x2e3134),
    (Pen::Band, "band", 0xe9eef2, 0x22303a),
    (Pen::Paper, "paper", 0xffffff, 0x16181a),
    (Pen::Bad, "bad", 0xb3261e, 0xf2887f),
    (Pen::Standard, "standard", 0x0072b2, 0x4aa8e0),
    (Pen::Blocked, "blocked", 0xd55e00, 0xf08a3c),
    (Pen::Partitioned, "partitioned", 0x009e73, 0x2cc79b),
    (Pen::Counting, "counting", 0xcc79a7, 0xe09cc2),
    (Pen::Scalable, "scalable", 0xe69f00, 0xf0b63c),
    (Pen::Sharded, "sharded", 0x56b4e9, 0x7cc8f2),
    (Pen::Cuckoo, "cuckoo", 0x555555, 0xb4b4b4),
    (Pen::Peer, "peer", 0x8a8a8a, 0x8f8f8f),
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
    OpenSquare,
    OpenDiamond,
    /// A flat bar: a line of the cache.
    Flat,
}

/// How a line is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stroke {
    Solid,
    Dashed,
    Dotted,
}

impl Stroke {
    /// The classes of its line.
    pub fn class(self) -> &'static str {
        match self {
            Self::Solid => "l",
            Self::Dashed => "l dashed",
            Self::Dotted => "l dotted",
        }
    }
}

/// How a filter is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    pub pen: Pen,
    pub marker: Marker,
    pub stroke: Stroke,
}

/// The look of a filter; of peers by default. Kin share a colour.
pub fn look(filter: &str) -> Look {
    let (pen, marker, stroke) = match filter {
        "standard" => (Pen::Standard, Marker::Circle, Stroke::Solid),
        "blocked" => (Pen::Blocked, Marker::Square, Stroke::Solid),
        "blocked-words32" => (Pen::Blocked, Marker::OpenSquare, Stroke::Dashed),
        "blocked-line" => (Pen::Blocked, Marker::Flat, Stroke::Dotted),
        "partitioned" => (Pen::Partitioned, Marker::Triangle, Stroke::Solid),
        "counting" => (Pen::Counting, Marker::Diamond, Stroke::Solid),
        "scalable" => (Pen::Scalable, Marker::Plus, Stroke::Solid),
        "sharded" => (Pen::Sharded, Marker::Cross, Stroke::Solid),
        "atomic" => (Pen::Sharded, Marker::OpenDiamond, Stroke::Dashed),
        "cuckoo" => (Pen::Cuckoo, Marker::Star, Stroke::Dashed),
        _ => (Pen::Peer, Marker::Ring, Stroke::Dotted),
    };
    Look {
        pen,
        marker,
        stroke,
    }
}

impl Pen {
    /// The name of its class.
    pub fn class(self) -> &'static str {
        let (_, class, ..) = self.row();
        class
    }

    /// The pen of this colour; `None` for a colour of no pen.
    pub fn of(rgb: (u8, u8, u8)) -> Option<Self> {
        let mut pens = PENS.iter().map(|(pen, ..)| *pen);
        pens.find(|pen| pen.rgb() == rgb)
    }

    /// Its colour by day.
    pub fn rgb(self) -> (u8, u8, u8) {
        let (_, _, day, _) = self.row();
        let [_, red, green, blue] = day.to_be_bytes();
        (red, green, blue)
    }

    fn row(self) -> &'static (Self, &'static str, u32, u32) {
        let row = PENS.iter().find(|(pen, ..)| *pen == self);
        row.unwrap_or(&PENS[0])
    }
}

/// The style sheet of every picture, bounded to pictures because it stands in
/// the page as well.
pub fn style_sheet() -> String {
    let colours = |night: bool| {
        let rule = |(_, class, day, dark): &(Pen, &str, u32, u32)| {
            format!(
                ".chart .{class}{{color:#{:06x}}}\n",
                if night { dark } else { day }
            )
        };
        PENS.iter().map(rule).collect::<String>()
    };
    // A rim of paper keeps words readable where lines run below them.
    let rim = |night: bool| {
        let (_, _, day, dark) = Pen::Paper.row();
        let paper = if night { dark } else { day };
        format!(".chart text.f{{stroke:#{paper:06x}}}\n")
    };
    format!(
        ".chart{{font-family:system-ui,-apple-system,'Segoe \
         UI',Roboto,Arial,sans-serif;font-variant-numeric:tabular-nums}}\n.chart \
         .l{{fill:none;stroke:currentColor;stroke-linejoin:round}}\n.chart \
         .f{{fill:currentColor;stroke:none}}\n.chart .dashed{{stroke-dasharray:5 \
         4}}\n.chart .dotted{{stroke-dasharray:1.5 3.5}}\n.chart \
         text.f{{paint-order:stroke;stroke-width:3px;stroke-linejoin:round}}\n{}{}@media \
         (prefers-color-scheme:dark){{\n{}{}}}\n@media print{{\n{}{}}}\n",
        colours(false),
        rim(false),
        colours(true),
        rim(true),
        colours(false),
        rim(false)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pen_has_a_class_and_a_colour_of_its_own() {
        let sheet = style_sheet();
        for (place, (pen, class, day, dark)) in PENS.iter().enumerate() {
            assert_eq!(pen.class(), *class);
            assert_eq!(Pen::of(pen.rgb()), Some(*pen));
            assert!(PENS[..place].iter().all(|(_, other, ..)| other != class));
            assert!(sheet.contains(&format!(".{class}{{color:#{day:06x}}}")));
            assert!(sheet.contains(&format!(".{class}{{color:#{dark:06x}}}")));
        }
    }

    #[test]
    fn every_filter_has_a_look_of_its_own_and_peers_are_grey() {
        let names = [
            "standard",
            "counting",
            "partitioned",
            "blocked",
            "blocked-words32",
            "blocked-line",
            "scalable",
            "sharded",
            "atomic",
            "cuckoo",
            "cuckoofilter",
        ];
        for (place, name) in names.iter().enumerate() {
            let same = |other: &&str| look(other).marker == look(name).marker;
            assert!(!names[..place].iter().any(same), "{name}");
        }
        assert_eq!(look("blocked-line").pen, look("blocked").pen);
        assert_eq!(look("atomic").pen, look("sharded").pen);
        assert_eq!(look("cuckoofilter").pen, Pen::Peer);
        assert_eq!(look("fastbloom"), look("cuckoofilter"));
    }
}
