//! Bits per key that each filter takes for a target, against the least that
//! any structure needs.

use anyhow::Result;
use plotters::{
    chart::ChartBuilder,
    coord::types::RangedCoordf64,
    element::{PathElement, Rectangle},
    style::{Color, text_anchor::HPos},
};

use super::{
    frame::{self, Chart, NOTE, TEXT, Ticks},
    marks::tell,
};
use crate::{
    document::{Figure, Table, Text},
    number,
    palette::{Pen, look},
    svg::{Area, Drawn, picture, px},
};
use bouquet_ground::record::{MemoryRow, Records};

const WIDTH: f64 = 960.0;
const BAR: f64 = 22.0;
const GAP: f64 = 40.0;
/// Room around the bars, in pixels.
const LEFT: f64 = 180.0;
const RIGHT: f64 = 120.0;
const TOP: f64 = 14.0;
const FOOT: f64 = 60.0;

/// Bits per key to the right, pixels down.
type Bars<'a> = Chart<'a, RangedCoordf64, RangedCoordf64>;

/// The rows of one target, one a filter.
type Group<'a> = (f64, Vec<&'a MemoryRow>);

/// Bits per key really allocated.
pub fn bits(row: &MemoryRow) -> f64 {
    8.0 * row.memory_bytes as f64 / row.capacity.max(1) as f64
}

/// The picture; `None` without rows.
pub fn figure(records: &Records) -> Result<Option<Figure>> {
    let groups = groups(&records.memory);
    if groups.is_empty() {
        return Ok(None);
    }
    let title = finding(&groups);
    let reading = "Bars are bits per key really allocated, the value itself included, when each \
                   filter is built for the target by its own sizing; the line in each group is \
                   the least that any structure can do, log2(1/FPR). A shorter bar is better \
                   only if the filter keeps its promise: the table gives the FPR by theory for \
                   the size that it got."
        .to_owned();
    let bars: usize = groups.iter().map(|(_, rows)| rows.len()).sum();
    let height = bars as f64 * BAR + groups.len() as f64 * GAP;
    let size = (WIDTH, TOP + height + FOOT);
    let description = format!("{title}. {reading}");
    let svg = picture("bits-needed", &title, &description, size, |area| {
        draw(area, &groups, height)
    })?;
    Ok(Some(Figure {
        name: "bits-needed".to_owned(),
        title,
        svg,
        reading,
        table: table(&records.memory),
        source: "records/memory.csv".to_owned(),
    }))
}

/// Targets from the largest on, each with its filters from the smallest on; of
/// each filter the row with most keys, since there the fixed part weighs least.
fn groups(rows: &[MemoryRow]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let usable = |row: &&MemoryRow| {
        row.error.is_empty()
            && row.note.is_empty()
            && row.capacity > 0
            && row.target_fpr > 0.0
            && row.target_fpr < 1.0
    };
    for row in rows.iter().filter(usable) {
        let group = match groups
            .iter()
            .position(|(target, _)| *target == row.target_fpr)
        {
            Some(at) => &mut groups[at].1,
            None => {
                groups.push((row.target_fpr, Vec::new()));
                let last = groups.len() - 1;
                &mut groups[last].1
            }
        };
        match group.iter_mut().find(|other| other.filter == row.filter) {
            Some(other) if other.capacity < row.capacity => *other = row,
            Some(_) => {}
            None => group.push(row),
        }
    }
    groups.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (_, rows) in &mut groups {
        rows.sort_by(|a, b| bits(a).total_cmp(&bits(b)));
    }
    groups
}

/// The smallest and the largest, and the classic between them.
fn finding(groups: &[Group<'_>]) -> String {
    let (target, rows) = &groups[0];
    let bound = -target.log2();
    let last = rows.len() - 1;
    let told = rows
        .iter()
        .enumerate()
        .filter(|(place, row)| *place == 0 || *place == last || row.filter == "standard");
    let each: Vec<String> = told
        .map(|(_, row)| {
            let (bits, times) = (bits(row), bits(row) / bound);
            format!(
                "{} {} ({} times the bound)",
                row.filter,
                number::decimal(bits, 1),
                number::decimal(times, 2)
            )
        })
        .collect();
    let range = if rows.len() > each.len() {
        format!(", of {} filters", number::spelt(rows.len()))
    } else {
        String::new()
    };
    format!(
        "Bits per key for {}{range}: {}",
        number::share(*target, 3),
        each.join(", ")
    )
}

fn draw(area: &Area, groups: &[Group<'_>], height: f64) -> Drawn {
    let most = groups
        .iter()
        .flat_map(|(target, rows)| rows.iter().map(|row| bits(row).max(-target.log2())))
        .fold(1.0, f64::max);
    let mut chart = ChartBuilder::on(area)
        .margin_top(px(TOP))
        .margin_right(px(RIGHT))
        .margin_bottom(px(FOOT - 50.0))
        .margin_left(px(LEFT))
        .x_label_area_size(px(50.0))
        .build_cartesian_2d(0.0..most, height..0.0)?;
    let ticks = Ticks {
        name: "bits per key",
        most: 12,
        size: TEXT,
        format: &|v| number::significant(*v, 4),
    };
    frame::mesh(&mut chart, &ticks, None)?;
    let mut y = 0.0;
    for (target, rows) in groups {
        y += GAP;
        draw_group(area, &mut chart, *target, rows, y)?;
        y += BAR * rows.len() as f64;
    }
    Ok(())
}

/// Draws the bars of one target from `top` on.
fn draw_group(
    area: &Area,
    chart: &mut Bars<'_>,
    target: f64,
    rows: &[&MemoryRow],
    top: f64,
) -> Drawn {
    let bound = -target.log2();
    let (_, head) = chart.backend_coord(&(0.0, top - 12.0));
    let style = frame::words(TEXT, Pen::Ink, HPos::Left);
    let words = format!("FPR {}", number::share(target, 3));
    area.draw_text(&words, &style, (px(20.0), head))?;
    for (place, row) in rows.iter().enumerate() {
        draw_bar(area, chart, row, bound, top + BAR * place as f64)?;
    }
    let bottom = top + BAR * rows.len() as f64;
    let line = [(bound, top - 3.0), (bound, bottom + 3.0)];
    chart.draw_series([PathElement::new(line, Pen::Ink.line(2.0))])?;
    let words = format!("bound {}", number::decimal(bound, 2));
    let style = frame::words(NOTE, Pen::Soft, HPos::Center);
    area.draw_text(&words, &style, chart.backend_coord(&(bound, top - 12.0)))
}

fn draw_bar(area: &Area, chart: &mut Bars<'_>, row: &MemoryRow, bound: f64, top: f64) -> Drawn {
    let (bits, pen) = (bits(row), look(&row.filter).pen);
    let corners = [(0.0, top + 2.5), (bits, top + BAR - 2.5)];
    let words = format!(
        "{} for {}\n{} bits per key, {} times the bound",
        row.filter,
        number::share(row.target_fpr, 3),
        number::decimal(bits, 2),
        number::decimal(bits / bound, 2)
    );
    tell(chart, [(Rectangle::new(corners, pen.filled()), words)])?;
    let (start, middle) = chart.backend_coord(&(0.0, top + BAR / 2.0));
    let style = frame::words(TEXT, pen, HPos::Right);
    area.draw_text(&row.filter, &style, (start - px(12.0), middle))?;
    // Past the line of the bound, if it stands where the figure would.
    let (end, _) = chart.backend_coord(&(bits.max(bound), top));
    let style = frame::words(TEXT, Pen::Ink, HPos::Left);
    let value = number::decimal(bits, 2);
    area.draw_text(&value, &style, (end + px(7.0), middle))
}

fn table(rows: &[MemoryRow]) -> Table {
    let mut table = Table::new(&[
        "Filter",
        "#Capacity, keys",
        "#FPR asked",
        "#FPR by theory for the size",
        "#m, bits",
        "#k",
        "#Allocated, bytes",
        "#Bits per key",
        "#Information bound",
        "#Times the bound",
        "Note",
    ]);
    for row in rows {
        let bound = -row.target_fpr.log2();
        let cells = [
            row.filter.clone(),
            number::count(row.capacity),
            number::share(row.target_fpr, 3),
            number::share(row.expected_fpr, 4),
            number::count(row.size_bits),
            if row.hashes == 0 {
                "–".to_owned()
            } else {
                row.hashes.to_string()
            },
            number::count(row.memory_bytes),
            number::decimal(bits(row), 2),
            number::decimal(bound, 2),
            number::decimal(bits(row) / bound, 2),
            if row.error.is_empty() {
                row.note.clone()
            } else {
                row.error.clone()
            },
        ];
        table.row(cells.map(Text::from));
    }
    table
}
