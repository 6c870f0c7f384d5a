//! The style of a filter in charts: a colour, a marker and a stroke, the same in every chart.

/// The names of a filter's colour, marker and stroke (line style). Related filters share a colour.
/// The crate that draws charts defines in `looks.rs` how each name looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    pub colour: &'static str,
    pub marker: &'static str,
    pub stroke: &'static str,
}

impl Style {
    pub const fn new(colour: &'static str, marker: &'static str, stroke: &'static str) -> Self {
        Self {
            colour,
            marker,
            stroke,
        }
    }
}

/// The style of every filter that has no style of its own.
pub const PEER: Style = Style::new("", "", "");

#[cfg(test)]
mod tests {
    use super::PEER;

    #[test]
    fn every_filter_has_a_style_of_its_own() {
        let facts = crate::facts();
        let drawn: Vec<_> = facts.iter().filter(|one| one.style != PEER).collect();
        assert!(drawn.len() >= 10);
        for (place, one) in drawn.iter().enumerate() {
            let mut others = drawn[..place].iter();
            let is_same = others.any(|other| other.style.marker == one.style.marker);
            assert!(!is_same, "{}", one.name);
        }
    }
}
