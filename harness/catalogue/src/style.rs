//! How a filter is drawn in charts: one colour, one marker and one stroke, the same everywhere.

/// A colour with its values for the light and the dark theme. Related filters share one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Colour {
    /// The position of the colour in style sheets.
    pub place: u32,
    /// The class of the colour in style sheets.
    pub class: &'static str,
    pub day: u32,
    pub night: u32,
}

impl Colour {
    pub const fn new(place: u32, class: &'static str, day: u32, night: u32) -> Self {
        Self {
            place,
            class,
            day,
            night,
        }
    }
}

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
    /// A flat bar; it stands for a cache line.
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
    /// The CSS classes of the line.
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
pub struct Style {
    pub colour: Colour,
    pub marker: Marker,
    pub stroke: Stroke,
}

impl Style {
    pub const fn new(colour: Colour, marker: Marker, stroke: Stroke) -> Self {
        Self {
            colour,
            marker,
            stroke,
        }
    }

    /// A style with a colour of its own: its place, its class, and the values for the light and the
    /// dark theme.
    pub const fn own(
        (place, class): (u32, &'static str),
        [day, night]: [u32; 2],
        marker: Marker,
        stroke: Stroke,
    ) -> Self {
        Self::new(Colour::new(place, class, day, night), marker, stroke)
    }
}

/// The style of every filter that is not ours.
pub const PEER: Style = Style::new(
    Colour::new(u32::MAX, "peer", 0x8a8a8a, 0x8f8f8f),
    Marker::Ring,
    Stroke::Dotted,
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{colours, style};

    #[test]
    fn every_filter_has_a_style_of_its_own_and_every_colour_a_place() {
        let facts = crate::facts();
        for (place, one) in facts.iter().enumerate() {
            let same = |other: &&&crate::Facts| other.style == one.style;
            // A filter that is never drawn has the style of the peers.
            let drawn = one.style != PEER;
            assert!(
                !drawn || !facts[..place].iter().any(|other| same(&other)),
                "{}",
                one.name
            );
        }
        let colours = colours();
        for pair in colours.windows(2) {
            assert!(pair[0].place < pair[1].place && pair[0].class != pair[1].class);
        }
        assert_eq!(colours.last().map(|last| last.class), Some("peer"));
        assert_eq!(style("fastbloom"), PEER);
    }
}
