//! Bits per key that each filter takes for a target, against the least that
//! any structure needs.

use crate::{
    document::{Figure, Table},
    groups::grouped,
    number,
    palette::{Paint, style},
    plot::{self, Axis, Item, Panel, Shape, Side},
};
use bouquet_ground::record::{Observation, Records};

const BAR: f64 = 22.0;
const GAP: f64 = 40.0;
/// Left of the bars, above, right and below, in pixels.
const ROOM: [f64; 4] = [180.0, 14.0, 120.0, 60.0];

/// The rows of one target, one a filter.
type Group<'a> = (f64, Vec<&'a Observation>);

/// The chart; `None` without rows.
pub fn figure(records: &Records) -> Option<Figure> {
    let groups = groups(&records.memory);
    let finding = finding(groups.first()?);
    let reading = "Bars are bits per key really allocated, the value itself included, when each \
                   filter is built for the target by its own sizing; the line in each group is \
                   the least that any structure can do, log2(1/FPR). A shorter bar is better \
                   only if the filter keeps its promise: the table gives the FPR by theory for \
                   the size that it got.";
    let (title, table) = ("Bits per key for a target FPR", table(&records.memory));
    let (source, panel) = ("records/observations.csv", panel(&groups));
    let figure = plot::figure(&[panel], "bits-needed", title, reading, table, source);
    Some(figure.finding(finding))
}

/// Targets from the largest on, each with its filters from the smallest on; of
/// each filter the row with most keys, since there the fixed part weighs least.
fn groups<'a>(rows: &'a [Observation]) -> Vec<Group<'a>> {
    let usable = |row: &&Observation| {
        row.error.is_empty()
            && row.note.is_empty()
            && row.capacity > 0
            && row.x > 0.0
            && row.x < 1.0
    };
    let mut targets = grouped(rows.iter().filter(usable), |row| row.x);
    targets.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let group = |(target, own): (f64, Vec<&'a Observation>)| {
        let filters = grouped(own, |row| row.filter.as_str()).into_iter();
        let largest =
            filters.filter_map(|(_, own)| own.into_iter().rev().max_by_key(|r| r.capacity));
        let mut rows: Vec<&Observation> = largest.collect();
        rows.sort_by(|a, b| a.bits_per_key().total_cmp(&b.bits_per_key()));
        (target, rows)
    };
    targets.into_iter().map(group).collect()
}

/// The smallest.
fn finding((target, rows): &Group<'_>) -> String {
    rows.first().map_or_else(String::new, |row| {
        format!(
            "{} takes the fewest bits per key for {}: {}, {} times the bound.",
            row.filter,
            number::share(*target, 3),
            number::decimal(row.bits_per_key(), 2),
            number::decimal(row.bits_per_key() / -target.log2(), 2)
        )
    })
}

/// Bits per key to the right, pixels down.
fn panel(groups: &[Group<'_>]) -> Panel {
    let all = groups.iter().flat_map(|(_, rows)| rows);
    let most = all.map(|row| row.bits_per_key().max(-row.x.log2()));
    let most = most.fold(1.0, f64::max);
    let bars: usize = groups.iter().map(|(_, rows)| rows.len()).sum();
    let height = bars as f64 * BAR + groups.len() as f64 * GAP;
    let x = Axis::new("bits per key", 0.0..most, 12, 50.0, |v| {
        number::significant(v, 4)
    });
    let mut panel = Panel::rows(height, 1.0, ROOM, x);
    let mut y = 0.0;
    for (target, rows) in groups {
        y += GAP;
        add_group(&mut panel, *target, rows, y);
        y += BAR * rows.len() as f64;
    }
    panel
}

/// The bars of one target from `top` on.
fn add_group(panel: &mut Panel, target: f64, rows: &[&Observation], top: f64) {
    let bound = -target.log2();
    let words = format!("FPR {}", number::share(target, 3));
    let heading = Item::text((0.0, top - 12.0), words, Paint::Ink, Side::Left);
    panel.add(heading.shifted(20.0 - ROOM[0], 0.0));
    for (place, row) in rows.iter().enumerate() {
        add_bar(panel, row, bound, top + BAR * place as f64);
    }
    let bottom = top + BAR * rows.len() as f64;
    let line = [(bound, top - 3.0), (bound, bottom + 3.0)];
    panel.add(Item::line(line, Paint::Ink, 2.0));
    let words = format!("bound {}", number::decimal(bound, 2));
    let at = (bound, top - 12.0);
    panel.add(Item::note(at, words, Paint::Soft, Side::Center));
}

fn add_bar(panel: &mut Panel, row: &Observation, bound: f64, top: f64) {
    let (bits, paint) = (row.bits_per_key(), style(&row.filter).paint);
    let corners = [(0.0, top + 2.5), (bits, top + BAR - 2.5)];
    let says = format!(
        "{} for {}\n{} bits per key, {} times the bound",
        row.filter,
        number::share(row.x, 3),
        number::decimal(bits, 2),
        number::decimal(bits / bound, 2)
    );
    panel.add(Item::new(Shape::Rect, corners, paint).saying(says));
    let middle = top + BAR / 2.0;
    let name = Item::text((0.0, middle), &row.filter, paint, Side::Right);
    panel.add(name.shifted(-12.0, 0.0));
    // Past the line of the bound, if it stands where the figure would.
    let end = (bits.max(bound), middle);
    let value = Item::text(end, number::decimal(bits, 2), Paint::Ink, Side::Left);
    panel.add(value.shifted(7.0, 0.0));
}

fn table(rows: &[Observation]) -> Table {
    let bound = |row: &Observation| -row.x.log2();
    let note = |row: &Observation| match row.error.as_str() {
        "" => row.note.clone(),
        error => error.to_owned(),
    };
    Table::of(rows)
        .column("Filter", |row| &row.filter)
        .column("#Capacity, keys", |row| row.capacity)
        .column("#Target FPR", |row| number::share(row.x, 3))
        .column("#FPR by theory for the size", |row| {
            number::share(row.expected_fpr, 4)
        })
        .column("#m, bits", |row| row.size_bits)
        .column("#k", |row| Some(row.hashes).filter(|k| *k > 0))
        .column("#Allocated, bytes", |row| row.memory_bytes)
        .column("#Bits per key", |row| {
            number::decimal(row.bits_per_key(), 2)
        })
        .column("#Information bound", |row| number::decimal(bound(row), 2))
        .column("#Times the bound", |row| {
            number::decimal(row.bits_per_key() / bound(row), 2)
        })
        .column("Note", note)
        .table()
}
