//! The sections on locations.

use super::{Judgement, Tested, power, table};
use crate::{
    document::{Block, Table},
    groups::{distinct, grouped},
    number,
};
use bouquet_ground::{
    Outcome,
    record::{Records, SubjectRow},
};

/// The role of our filters.
const OURS: &str = "ours";

const FOUND: &str = "Smallest p-value of each test over all key sets, probes and pairs; a dash \
     where a test does not apply. A p below the threshold is a finding.";
const GLANCE: &str = "A cell is a scheme on one key set at one m. Known-good schemes and ours must \
     pass; of schemes with a known fault the table of expectations says which tests must flag \
     them, at which sizes, and where so many keys do not show it. Every scheme has a row of its \
     own below.";

/// What was tested, and what was found; nothing without tests.
pub fn sections(records: &Records, judgement: &Judgement) -> Vec<Block> {
    if judgement.cells.is_empty() {
        return Vec::new();
    }
    let scope = format!(
        "{} p-values of {} cells; by Holm's correction over all of them at 0.001 a p below {} is \
         a finding.{} {GLANCE}",
        number::count(judgement.p_values as u64),
        number::count(judgement.cells.len() as u64),
        number::significant(judgement.threshold, 2),
        power(&records.battery, judgement.threshold)
    );
    vec![
        Block::heading(2, "Locations"),
        Block::Table(glance(records, judgement)),
        Block::Paragraph(scope.into()),
        Block::folded("Every scheme", Block::Table(schemes(records, judgement))),
        Block::folded("What was found", Block::Table(table(judgement))),
        Block::Paragraph(FOUND.into()),
    ]
}

/// A subject and its cells.
struct SubjectCells<'a> {
    name: &'a str,
    subject: Option<&'a SubjectRow>,
    tested: Vec<&'a Tested>,
    worst: Option<Outcome>,
}

impl<'a> SubjectCells<'a> {
    /// What its line of the glance is of: its role and, of ours, its name.
    fn line(&self) -> (&'a str, Option<&'a str>) {
        let role = self.subject.map_or("", |subject| &subject.role);
        (role, (role == OURS).then_some(self.name))
    }
}

fn subjects<'a>(records: &'a Records, judgement: &'a Judgement) -> Vec<SubjectCells<'a>> {
    let names = distinct(records.battery.iter().map(|row| &*row.subject)).into_iter();
    let subject = |name: &'a str| {
        let own = |cell: &&Tested| cell.subject == name;
        let cells = judgement.cells.iter().filter(own);
        SubjectCells {
            name,
            subject: records.subject(name),
            tested: judgement.tested().filter(own).collect(),
            worst: cells.map(|cell| cell.outcome).max(),
        }
    };
    names.map(subject).collect()
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
        .column("Scheme", |(own, _)| own.name)
        .column("What it is", |(own, _)| {
            own.subject.map_or("", |subject| &subject.about)
        })
        .column("Role", |(own, _)| own.line().0.replace('-', " "))
        .column("#Cells", |(_, figures)| figures.1.len())
        .column("#Tests", |(_, figures)| figures.tests())
        .column("#Smallest p", |(_, figures)| figures.least())
        .column("Flagged by", |(_, figures)| figures.flagged())
        .column("Verdict", |(subject, _)| subject.worst)
        .table()
}
