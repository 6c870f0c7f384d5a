//! Puts the report of the battery together, in the order of every report:
//! verdict, glance, charts, details, how it was made.

use super::{Judgement, Tested, charts, choice, headline, power, scope, table};
use crate::{
    document::{Block, Document, Table, Text},
    groups::grouped,
    number,
    repeat::repeat,
    sections,
};
use bouquet_ground::record::{BatteryRow, Records};

/// So many problems are shown at once; the rest is folded.
const SHOWN: usize = 20;

const FOUND: &str = "Smallest p-value of each test over all key sets, probes and pairs; a dash \
     where a test does not apply. A p below the threshold is a finding.";
const GLANCE: &str = "A cell is a scheme on one key set at one m. Known-good schemes and ours must \
     pass; of schemes with a known fault the table of expectations says which tests must flag \
     them, at which sizes, and where so many keys do not show it.";

/// The whole report.
pub fn document(records: &Records, judgement: &Judgement) -> Document {
    let mut blocks = vec![Block::Paragraph(words(records, judgement).into())];
    blocks.extend(problems(records, judgement));
    blocks.extend([
        Block::heading(2, "At a glance"),
        Block::Table(glance(records, judgement)),
        Block::Paragraph(GLANCE.into()),
    ]);
    blocks.extend(choice::choices(records, judgement));
    blocks.extend(Block::charts(charts::all(&records.battery, judgement)));
    blocks.extend([
        Block::heading(2, "What was found"),
        Block::Paragraph(FOUND.into()),
        Block::Table(table(judgement)),
        Block::heading(2, "What could have been found"),
        Block::Paragraph(power::READING.into()),
        Block::Table(power::table(&records.battery, judgement.threshold)),
        Block::heading(2, "Details"),
    ]);
    blocks.extend(sections::grounds(records));
    blocks.extend(sections::making(records));
    Document {
        title: headline(judgement),
        blocks,
    }
}

fn words(about: &Records, judgement: &Judgement) -> String {
    let keys = about.datasets.iter();
    let keys = keys.map(|d| format!("{} ({})", d.dataset, number::count(d.keys)));
    format!(
        "Eight tests of locations, T0 to T7. Data sets (keys): {}. {} Seed {}.",
        number::joined(keys, ", "),
        scope(judgement),
        about.fact("seed")
    )
}

/// What went wrong, each with the command that repeats it.
fn problems(records: &Records, judgement: &Judgement) -> Vec<Block> {
    let mut all: Vec<&Tested> = judgement.problems().collect();
    // Stable: within an outcome the order of the records stays.
    all.sort_by_key(|cell| std::cmp::Reverse(cell.outcome));
    if all.is_empty() {
        return Vec::new();
    }
    let item = |cell: &&Tested| {
        let dataset = &records.battery[cell.rows.start].dataset;
        let repeat = repeat(records, &cell.subject, dataset);
        let text = Text::default()
            .strong(cell.outcome.word())
            .plain(format!(": {}.", cell.words(&records.battery)));
        if repeat.is_empty() {
            text
        } else {
            text.plain(" Repeat: ").code(repeat)
        }
    };
    let (first, rest) = all.split_at(all.len().min(SHOWN));
    let mut blocks = vec![
        Block::heading(2, "What failed"),
        Block::List(first.iter().map(item).collect()),
    ];
    if !rest.is_empty() {
        let list = Block::List(rest.iter().map(item).collect());
        let more = format!("{} more", number::count(rest.len() as u64));
        blocks.push(Block::folded(more, list));
    }
    blocks
}

/// A line a subject.
fn glance(records: &Records, judgement: &Judgement) -> Table {
    let each = |row: &BatteryRow| {
        let own = |cell: &&Tested| cell.subject == row.subject;
        judgement.tested().filter(own).collect::<Vec<&Tested>>()
    };
    let firsts = grouped(&records.battery, |row| &row.subject).into_iter();
    let firsts: Vec<_> = firsts.map(|(_, rows)| (rows[0], each(rows[0]))).collect();
    let tests = |cells: &[&Tested]| cells.iter().map(|cell| cell.rows.len()).sum::<usize>();
    let least = |cells: &[&Tested]| {
        let each = cells
            .iter()
            .flat_map(|cell| &judgement.p[cell.rows.clone()]);
        each.copied().reduce(f64::min)
    };
    let flagged = |cells: &[&Tested]| {
        let is_flag = |test: &&str| cells.iter().any(|cell| cell.findings.contains(test));
        let flags: Vec<&str> = super::TESTS.into_iter().filter(is_flag).collect();
        (!flags.is_empty()).then(|| flags.join(" "))
    };
    let worst = |row: &BatteryRow| {
        let own = judgement.cells.iter();
        let own = own.filter(|cell| cell.subject == row.subject);
        own.map(|cell| cell.outcome).max()
    };
    Table::of(&firsts)
        .column("Scheme", |(row, _)| &row.subject)
        .column("What it is", |(row, _)| {
            records.subject(&row.subject).map_or("", |s| &s.about)
        })
        .column("Role", |(row, _)| row.role.replace('-', " "))
        .column("#Cells", |(_, cells)| cells.len())
        .column("#Tests", |(_, cells)| tests(cells))
        .column("#Smallest p", |(_, cells)| {
            least(cells).map(number::p_value)
        })
        .column("Flagged by", |(_, cells)| flagged(cells))
        .column("Verdict", |(row, _)| worst(row))
        .table()
}
