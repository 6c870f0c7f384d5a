//! Bits per key that each filter takes for a target, against the least that
//! any structure needs.

use super::frame::{NOTE, TEXT};
use crate::{
    record::{MemoryRow, Records},
    render::{
        document::{Figure, Table, Text},
        number,
        palette::{Pen, look},
        svg::{Anchor, Canvas, picture},
    },
};

const WIDTH: f64 = 960.0;
const BAR: f64 = 24.0;
const GAP: f64 = 26.0;
const LEFT: f64 = 220.0;
const RIGHT: f64 = 840.0;
const TOP: f64 = 14.0;
/// Below the bars, for the axis.
const FOOT: f64 = 60.0;

/// The rows of one target, one a filter.
type Group<'a> = (f64, Vec<&'a MemoryRow>);

/// Bits per key really allocated.
pub fn bits(row: &MemoryRow) -> f64 {
    8.0 * row.memory_bytes as f64 / row.capacity.max(1) as f64
}

/// The picture; `None` without rows.
pub fn figure(records: &Records) -> Option<Figure> {
    let groups = groups(&records.memory);
    if groups.is_empty() {
        return None;
    }
    let title = finding(&groups);
    let reading = "Bars are bits per key really allocated, the value itself included, when each \
                   filter is built for the target by its own sizing; the line in each group is \
                   the least that any structure can do, log2(1/FPR). A shorter bar is better \
                   only if the filter keeps its promise: the table gives the FPR by theory for \
                   the size that it got."
        .to_owned();
    let bars: usize = groups.iter().map(|(_, rows)| rows.len()).sum();
    let height = TOP + bars as f64 * BAR + groups.len() as f64 * GAP + FOOT;
    let description = format!("{title}. {reading}");
    let svg = picture(
        "bits-needed",
        &title,
        &description,
        (WIDTH, height),
        |canvas| {
            draw(canvas, &groups, height - FOOT);
        },
    );
    Some(Figure {
        name: "bits-needed".to_owned(),
        title,
        svg,
        reading,
        table: table(&records.memory),
        source: "records/memory.csv".to_owned(),
    })
}

/// Targets from the largest on; of each filter the row with most keys, since
/// there the fixed part weighs least.
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
    groups
}

fn finding(groups: &[Group<'_>]) -> String {
    let (target, rows) = &groups[0];
    let bound = -target.log2();
    let each = rows.iter().map(|row| {
        let (bits, times) = (bits(row), bits(row) / bound);
        format!(
            "{} {} ({}x)",
            row.filter,
            number::decimal(bits, 1),
            number::decimal(times, 2)
        )
    });
    format!(
        "Bits per key for {}, and how many times the information bound: {}",
        number::share(*target, 3),
        each.collect::<Vec<_>>().join(", ")
    )
}

fn draw(canvas: &mut Canvas, groups: &[Group<'_>], bottom: f64) {
    let most = groups
        .iter()
        .flat_map(|(_, rows)| rows)
        .map(|row| bits(row))
        .fold(1.0, f64::max);
    let steps = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 1000.0];
    let step = steps
        .into_iter()
        .find(|step| most / step <= 12.0)
        .unwrap_or(10_000.0);
    let ticks = (most / step).ceil() as u32;
    let x = |bits: f64| LEFT + (RIGHT - LEFT) * bits / (step * f64::from(ticks));
    for tick in 0..=ticks {
        let bits = step * f64::from(tick);
        canvas.line(&[(x(bits), TOP), (x(bits), bottom)], Pen::Grid.line(0.8));
        let at = (x(bits), bottom + 14.0);
        canvas.text(
            &number::decimal(bits, 0),
            at,
            TEXT,
            Pen::Soft,
            Anchor::Middle,
        );
    }
    let under = ((LEFT + RIGHT) / 2.0, bottom + 40.0);
    canvas.text("bits per key", under, TEXT, Pen::Ink, Anchor::Middle);
    let mut y = TOP;
    for (target, rows) in groups {
        y = draw_group(canvas, *target, rows, y + GAP, &x);
    }
}

/// Draws the bars of one target from `top` on and gives where they end.
fn draw_group(
    canvas: &mut Canvas,
    target: f64,
    rows: &[&MemoryRow],
    top: f64,
    x: &dyn Fn(f64) -> f64,
) -> f64 {
    let bound = -target.log2();
    let mut y = top;
    canvas.text(
        &number::share(target, 3),
        (20.0, y + BAR / 2.0),
        TEXT,
        Pen::Ink,
        Anchor::Start,
    );
    for row in rows {
        let look = look(&row.filter);
        let (bits, middle) = (bits(row), y + BAR / 2.0);
        canvas.rectangle((x(0.0), y + 2.5), (x(bits), y + BAR - 2.5), look.pen);
        canvas.text(
            &row.filter,
            (x(0.0) - 12.0, middle),
            TEXT,
            look.pen,
            Anchor::End,
        );
        // Past the line of the bound, if it stands where the figure would.
        let end = if bits < bound {
            x(bits).max(x(bound))
        } else {
            x(bits)
        };
        let value = number::decimal(bits, 2);
        canvas.text(&value, (end + 7.0, middle), TEXT, Pen::Ink, Anchor::Start);
        y += BAR;
    }
    canvas.line(
        &[(x(bound), top - 3.0), (x(bound), y + 3.0)],
        Pen::Ink.line(2.0),
    );
    let words = format!("bound {}", number::decimal(bound, 2));
    canvas.text(
        &words,
        (x(bound), top - 12.0),
        NOTE,
        Pen::Soft,
        Anchor::Middle,
    );
    y
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
