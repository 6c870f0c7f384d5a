//! Panels as a figure, for a page and for a phone.

use super::{Pair, Panel, Width, draw};
use crate::{
    document::{Figure, Table},
    svg::Drawing,
};

/// Draws panels as the figure of this name; for a phone too, if they fit there.
pub fn figure(
    panels: &[Panel],
    name: impl Into<String>,
    title: String,
    reading: impl Into<String>,
    table: Table,
    source: &str,
) -> Figure {
    figure_for_both([panels, panels], name, title, reading, table, source)
}

/// Draws the first panels for a page, the others for a phone.
pub fn figure_for_both(
    [page, phone]: [&[Panel]; 2],
    name: impl Into<String>,
    title: String,
    reading: impl Into<String>,
    table: Table,
    source: &str,
) -> Figure {
    let (name, reading) = (file_name(&name.into()), reading.into());
    let description = format!("{title}. {reading}");
    let drawn = |panels: &[Panel], name: &str, width, mut drawing: Drawing| {
        let mut size: Pair = (0.0, 0.0);
        for panel in panels {
            let (end, place) = panel.cell.laid(width);
            size = (size.0.max(end.0), size.1.max(end.1));
            draw::draw(&mut drawing, panel, place, width);
        }
        drawing.document(name, &title, &description, size)
    };
    let narrow = || {
        let name = format!("{name}-narrow");
        drawn(phone, &name, Width::Narrow, Drawing::silent())
    };
    let fits = phone.iter().all(|panel| panel.cell.can_be_narrow());
    Figure {
        svg: drawn(page, &name, Width::Full, Drawing::default()),
        narrow: fits.then(narrow),
        name,
        title,
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
        let wild = figure(
            &[],
            "churn-/../a.svg)<b>",
            String::new(),
            "",
            Table::default(),
            "",
        );
        assert_eq!(wild.name, "churn--..-a.svg--b-");
    }
}
