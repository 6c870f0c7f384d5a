//! Puts the report of the battery together, in the order of every report:
//! verdict, glance, charts, details, how it was made.

use super::{Judgement, Tested, chart, headline, scope, table};
use crate::{
    document::{Block, Document, Table, Text},
    groups::grouped,
    number,
    repeat::repeat,
    sections,
};
use bouquet_ground::{
    Outcome,
    record::{BatteryRow, Records},
};

/// The role of our filters.
const OURS: &str = "ours";

/// So many problems are shown at once; the rest is folded.
const SHOWN: usize = 20;

const FOUND: &str = "Smallest p-value of each test over all key sets, probes and pairs; a dash \
     where a test does not apply. A p below the threshold is a finding.";
const GLANCE: &str = "A cell is a scheme on one key set at one m. Known-good schemes and ours must \
     pass; of schemes with a known fault the table of expectations says which tests must flag \
     them, at which sizes, and where so many keys do not show it. Every scheme has a row of its \
     own below.";

/// The whole report.
pub fn document(records: &Records, judgement: &Judgement) -> Document {
    let mut blocks = vec![Block::Paragraph(words(records, judgement).into())];
    blocks.extend(problems(records, judgement));
    blocks.extend([
        Block::heading(2, "At a glance"),
        Block::Table(glance(records, judgement)),
        Block::Paragraph(GLANCE.into()),
    ]);
    let every = [Block::Table(schemes(records, judgement))];
    blocks.extend(Block::charts(chart::figure(&records.battery, judgement)));
    blocks.extend(Block::section(2, "Every scheme", every));
    blocks.extend([
        Block::heading(2, "What was found"),
        Block::Paragraph(FOUND.into()),
        Block::Table(table(judgement)),
        Block::heading(2, "Details"),
    ]);
    blocks.extend(sections::grounds(records));
    blocks.extend(sections::making(records));
    Document {
        title: headline(judgement),
        blocks,
    }
}

fn words(records: &Records, judgement: &Judgement) -> String {
    let keys = records.datasets.iter();
    let keys = keys.map(|d| format!("{} ({})", d.dataset, number::count(d.keys)));
    format!(
        "Four tests of locations: T0, T1, T3 and T7. Data sets (keys): {}. {} Seed {}.",
        number::joined(keys, ", "),
        scope(&records.battery, judgement),
        records.fact("seed")
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

/// A subject, its first row, and its cells.
struct SubjectCells<'a> {
    first: &'a BatteryRow,
    tested: Vec<&'a Tested>,
    worst: Option<Outcome>,
}

impl<'a> SubjectCells<'a> {
    /// What its line of the glance is of: its role and, of ours, its name.
    fn line(&self) -> (&'a str, Option<&'a str>) {
        let BatteryRow { role, subject, .. } = self.first;
        (role, (role == OURS).then_some(subject))
    }
}

fn subjects<'a>(records: &'a Records, judgement: &'a Judgement) -> Vec<SubjectCells<'a>> {
    let firsts = grouped(&records.battery, |row| &row.subject).into_iter();
    let subject = |first: &'a BatteryRow| {
        let own = |cell: &&Tested| cell.subject == first.subject;
        let cells = judgement.cells.iter().filter(own);
        SubjectCells {
            first,
            tested: judgement.tested().filter(own).collect(),
            worst: cells.map(|cell| cell.outcome).max(),
        }
    };
    firsts.map(|(_, rows)| subject(rows[0])).collect()
}

/// The figures of some cells.
struct Figures<'a>(&'a Judgement, Vec<&'a Tested>);

impl Figures<'_> {
    fn tests(&self) -> usize {
        self.1.iter().map(|cell| cell.rows.len()).sum()
    }

    fn least(&self) -> Option<String> {
        let each = self.1.iter();
        let each = each.flat_map(|cell| &self.0.p[cell.rows.clone()]);
        each.copied().reduce(f64::min).map(number::p_value)
    }

    fn flagged(&self) -> Option<String> {
        let is_flag = |test: &&str| self.1.iter().any(|cell| cell.findings.contains(test));
        let flags: Vec<&str> = super::TESTS.into_iter().filter(is_flag).collect();
        (!flags.is_empty()).then(|| flags.join(" "))
    }
}

/// A line each of ours, and one for all schemes of another role.
fn glance(records: &Records, judgement: &Judgement) -> Table {
    let subjects = subjects(records, judgement);
    let groups = grouped(&subjects, |subject| subject.line()).into_iter();
    let groups: Vec<_> = groups
        .map(|(key, own)| {
            let tested = own.iter().flat_map(|subject| subject.tested.clone());
            (key, Figures(judgement, tested.collect()), own)
        })
        .collect();
    Table::of(&groups)
        .column("Scheme", |((role, name), _, own)| match name {
            Some(name) => (*name).to_owned(),
            None => number::plural(own.len() as u64, &format!("{role} scheme")),
        })
        .column("Role", |((role, _), ..)| role.replace('-', " "))
        .column("#Cells", |(_, figures, _)| figures.1.len())
        .column("#Tests", |(_, figures, _)| figures.tests())
        .column("#Smallest p", |(_, figures, _)| figures.least())
        .column("Flagged by", |(_, figures, _)| figures.flagged())
        .column("Verdict", |(.., own)| {
            own.iter().filter_map(|subject| subject.worst).max()
        })
        .table()
}

/// A line a subject.
fn schemes(records: &Records, judgement: &Judgement) -> Table {
    let each = subjects(records, judgement).into_iter();
    let each = each.map(|subject| {
        let figures = Figures(judgement, subject.tested.clone());
        (subject, figures)
    });
    let each: Vec<_> = each.collect();
    Table::of(&each)
        .column("Scheme", |(subject, _)| &subject.first.subject)
        .column("What it is", |(subject, _)| {
            records
                .subject(&subject.first.subject)
                .map_or("", |s| &s.about)
        })
        .column("Role", |(subject, _)| subject.first.role.replace('-', " "))
        .column("#Cells", |(_, figures)| figures.1.len())
        .column("#Tests", |(_, figures)| figures.tests())
        .column("#Smallest p", |(_, figures)| figures.least())
        .column("Flagged by", |(_, figures)| figures.flagged())
        .column("Verdict", |(subject, _)| subject.worst)
        .table()
}
