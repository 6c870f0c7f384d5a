//! Panels as a figure.

use super::{Pair, Panel, draw};
use crate::{
    document::{Figure, Table},
    svg::Drawing,
};

/// Draws panels as the figure of this name, with how to read it and what it shows.
pub fn figure(
    panels: &[Panel],
    name: impl Into<String>,
    title: &str,
    reading: impl Into<String>,
    table: Table,
    source: &str,
) -> Figure {
    let (name, reading) = (file_name(&name.into()), reading.into());
    let mut drawing = Drawing::default();
    let mut size: Pair = (0.0, 0.0);
    for panel in panels {
        let place @ [_, _, right, bottom] = panel.place();
        size = (
            size.0.max(right + panel.room[2]),
            size.1.max(bottom + panel.room[3]),
        );
        draw::draw(&mut drawing, panel, place);
    }
    Figure {
        svg: drawing.document(&name, title, &format!("{title}. {reading}"), size),
        name,
        title: title.to_owned(),
        finding: String::new(),
        reading,
        table,
        source: source.to_owned(),
    }
}

/// A name for a file in the folder of charts: an experiment, which its name may be of, is called
/// as whoever wrote the records likes.
fn file_name(name: &str) -> String {
    let plain = |c: char| match c {
        '-' | '_' | '.' => c,
        c if c.is_ascii_alphanumeric() => c,
        _ => '-',
    };
    name.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_is_in_the_folder_of_charts() {
        assert_eq!(file_name("size-0.02_by-load"), "size-0.02_by-load");
        let wild = figure(&[], "churn-/../a.svg)<b>", "", "", Table::default(), "");
        assert_eq!(wild.name, "churn--..-a.svg--b-");
    }
}
