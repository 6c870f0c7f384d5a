//! Fill and FPR over the number of chosen keys, beside what keys give that nobody
//! chose.

use crate::{
    document::{Figure, Table},
    estimate::Estimate,
    groups::{grouped, span},
    number,
    palette::{self, Look, Marker, Pen, Stroke},
    plot::{self, Axis, Item, Label, NOTE, Pair, Panel, Point, Side, digits, percent, widened},
};
use bouquet_ground::record::{KEYED, PollutionRow, Records};

const PANEL: Pair = (550.0, 500.0);
/// The least FPR on the axis.
const LEAST: f64 = 1e-5;

/// A filter under one hash function, as it fills.
struct Course<'a> {
    hashing: &'a str,
    rows: Vec<&'a PollutionRow>,
}

impl Course<'_> {
    fn is_keyed(&self) -> bool {
        self.hashing == KEYED
    }

    fn look(&self) -> Look {
        let (pen, marker) = if self.is_keyed() {
            (palette::plain().pen, Marker::Circle)
        } else {
            (Pen::Bad, Marker::Ring)
        };
        Look {
            pen,
            marker,
            stroke: Stroke::Solid,
        }
    }
}

fn courses(rows: &[PollutionRow]) -> Vec<Course<'_>> {
    let groups = grouped(rows, |row| row.hashing.as_str()).into_iter();
    groups
        .map(|(hashing, rows)| Course { hashing, rows })
        .collect()
}

/// Chosen keys over the capacity.
fn load(row: &PollutionRow) -> f64 {
    row.chosen as f64 / row.capacity.max(1) as f64
}

fn fpr(row: &PollutionRow) -> Estimate {
    Estimate::share(row.false_positives, row.strangers_asked)
}

/// The picture; `None` without records.
pub fn figure(records: &Records) -> Option<Figure> {
    let rows = &records.pollution;
    let courses = courses(rows);
    let longest = courses.iter().max_by_key(|course| course.rows.len())?;
    let reading = "Keys whose probes all fall on slots still empty fill n k/m of the slots (dashed) \
                   in place of 1 - e^(-n k/m) (the thin line: keys that nobody chose), and the FPR \
                   is the k-th power of either. Rings are filters whose function and seed the \
                   attacker knows; most lie on each other, whichever function it is, but not where \
                   one has fewer probes or sets slots that belong together. The table has them \
                   apart. Dots are the keyed hash, attacked under a guessed key. Bars are \
                   intervals at 95 %; an FPR without a hit is left out. A filter that is cleared or \
                   sized for more is as easily filled: the picture ends where its capacity does, \
                   not where the attack does.";
    let panels = [fill_panel(&courses, longest), fpr_panel(&courses, longest)];
    let (title, table) = (finding(&courses), table(rows));
    let source = "records/pollution.csv";
    let figure = plot::figure(&panels, "pollution", title, reading, table, source);
    Some(figure)
}

fn finding(courses: &[Course<'_>]) -> String {
    let ends = courses.iter().filter_map(|course| {
        let end = course.rows.last()?;
        (end.chosen == end.capacity).then_some((course.is_keyed(), *end))
    });
    let (keyed, open): (Vec<_>, Vec<_>) = ends.partition(|(is_keyed, _)| *is_keyed);
    let range = |own: &[(bool, &PollutionRow)]| {
        let (least, most) = span((f64::MAX, 0.0), own.iter().map(|(_, row)| fpr(row).value));
        (number::share(least, 2), number::share(most, 2))
    };
    let is_hit = open.iter().any(|(_, row)| row.false_positives > 0);
    let open = open.first().filter(|_| is_hit).map(|(_, row)| {
        let (honest, (least, most)) = (number::share(row.expected_fpr, 2), range(&open));
        format!(
            "at capacity, chosen keys lift the FPR from {honest} to between {least} and {most} \
             where the function is known"
        )
    });
    let stays = |_| format!("under a secret key it stays at {}", range(&keyed).1);
    let words: Vec<String> = open.into_iter().chain(keyed.first().map(stays)).collect();
    if words.is_empty() {
        return "No filter was filled with chosen keys within the trials".to_owned();
    }
    number::capital(&words.join("; "))
}

type Of = fn(&PollutionRow) -> f64;

fn axes(at: usize, heading: &str, up: Axis) -> Panel {
    let across = Axis::new("chosen keys / capacity", 0.0..1.04, 5, 46.0, digits);
    let (axes, margins) = ((across.small(), up), [72.0, 34.0, 190.0, 54.0]);
    let mut panel = Panel::new((at, 2), PANEL, margins, axes);
    panel.label_size = NOTE;
    let heading = Item::text(panel.corner(), heading, Pen::Ink, Side::Left);
    panel.add(heading.shifted(0.0, -16.0));
    panel
}

fn fill_panel(courses: &[Course<'_>], longest: &Course<'_>) -> Panel {
    let fills = courses.iter().flat_map(|course| &course.rows);
    let most = 1.08 * fills.map(|row| row.fill_ratio).fold(0.5, f64::max);
    let up = Axis::new("share of slots set", 0.0..most, 6, 64.0, percent);
    let mut panel = axes(0, "Fill", up);
    let theory: [Of; 2] = [|row| polluted(row).0, |row| row.expected_fill];
    add_theory(&mut panel, longest, theory, 0.0);
    let fill = |share| format!("fill {}", number::percent(share, 3));
    for course in courses {
        let marks = course.rows.iter().map(|row| Point {
            at: (load(row), row.fill_ratio),
            ends: [row.fill_ratio; 2],
            says: says(course, row, &fill(row.fill_ratio)),
        });
        panel.marks(course.look(), &marks.collect::<Vec<_>>());
    }
    panel.labels = labels(courses, longest, |row| row.fill_ratio, theory);
    panel
}

fn fpr_panel(courses: &[Course<'_>], longest: &Course<'_>) -> Panel {
    let up = Axis::new("false-positive rate", widened(LEAST..1.0), 6, 64.0, percent);
    let mut panel = axes(1, "FPR", up.log());
    let theory: [Of; 2] = [|row| polluted(row).1, |row| row.expected_fpr];
    add_theory(&mut panel, longest, theory, LEAST);
    for course in courses {
        let hit = course.rows.iter().filter(|row| fpr(row).value >= LEAST);
        let points = hit.map(|row| {
            let fpr = fpr(row);
            let words = format!("FPR {}", fpr.in_words());
            Point {
                at: (load(row), fpr.value),
                ends: fpr.ends().map(|end| end.max(LEAST)),
                says: says(course, row, &words),
            }
        });
        panel.points(course.look(), points);
    }
    panel.labels = labels(courses, longest, |row| fpr(row).value.max(LEAST), theory);
    panel
}

/// Fill and FPR where every probe of the chosen keys met an empty slot.
fn polluted(row: &PollutionRow) -> (f64, f64) {
    let throws = row.chosen as f64 * f64::from(row.hashes);
    let fill = (throws / row.size_bits.max(1) as f64).min(1.0);
    (fill, fill.powf(f64::from(row.hashes)))
}

/// The two lines of theory, from their beginning on.
fn add_theory(panel: &mut Panel, longest: &Course<'_>, [chosen, honest]: [Of; 2], least: f64) {
    for (of, stroke, pen) in [
        (chosen, Stroke::Dashed, Pen::Bad),
        (honest, Stroke::Solid, Pen::Soft),
    ] {
        let rows = longest.rows.iter().map(|row| (load(row), of(row)));
        let shown = rows.filter(|(_, y)| *y >= least);
        let start = (least == 0.0).then_some((0.0, 0.0));
        let path: Vec<Pair> = start.into_iter().chain(shown).collect();
        panel.add(Item::stroked(path, (pen, stroke), 1.0));
    }
}

fn says(course: &Course<'_>, row: &PollutionRow, words: &str) -> String {
    let (chosen, capacity) = (number::count(row.chosen), number::count(row.capacity));
    format!("{}\n{chosen} keys of {capacity}\n{words}", course.hashing)
}

/// One for all public functions, whose points lie on each other.
fn labels(
    courses: &[Course<'_>],
    longest: &Course<'_>,
    at: Of,
    [chosen, honest]: [Of; 2],
) -> Vec<Label> {
    let mut all = Vec::new();
    if let Some(row) = longest.rows.last() {
        for (words, of, down) in [
            ("every probe met", chosen, -1.0),
            ("nobody chose", honest, 1.0),
        ] {
            let note = Label::note(words, (load(row), of(row)), Pen::Soft);
            all.push(Label { down, ..note });
        }
    }
    let open = || courses.iter().filter(|course| !course.is_keyed());
    let keyed = courses.iter().find(|course| course.is_keyed());
    let many = format!("{} public functions", open().count());
    for (course, words) in [(open().next(), many), (keyed, KEYED.to_owned())] {
        let end = course.and_then(|course| Some((course.look(), *course.rows.last()?)));
        all.extend(end.map(|(look, row)| Label::of(words, (load(row), at(row)), look)));
    }
    all
}

fn table(rows: &[PollutionRow]) -> Table {
    Table::of(rows)
        .column("Hashing", |row| &row.hashing)
        .column("Knows", |row| &row.knows)
        .column("#Capacity, keys", |row| row.capacity)
        .column("#Chosen keys", |row| row.chosen)
        .column("#Fill", |row| number::percent(row.fill_ratio, 3))
        .column("#Fill, nobody chose", |row| {
            number::percent(row.expected_fill, 3)
        })
        .column("#FPR measured (95 % interval)", |row| fpr(row).in_words())
        .column("#FPR, nobody chose", |row| {
            number::share(row.expected_fpr, 3)
        })
        .table()
}
