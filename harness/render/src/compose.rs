//! Puts the report together: verdict, glance, charts, details, how it was
//! made.

use super::{
    battery, charts, details,
    document::{Block, Document},
    fpr, glance,
    headline::{baselines, headline, item, scope},
    judge::{Judgement, Problem},
    number, sections,
};
use bouquet_ground::{Outcome, record::Records};

/// So many groups of problems are shown at once; the rest is folded.
const SHOWN: usize = 20;

/// The whole report.
pub fn document(records: &Records, judgement: &Judgement) -> Document {
    let mut blocks = verdict(records, judgement);
    let rows = glance::rows(records, judgement);
    if !rows.is_empty() {
        blocks.extend([
            Block::heading(2, "At a glance"),
            Block::Table(glance::table(&rows)),
            Block::Paragraph(glance::SOURCE.into()),
        ]);
        blocks.push(sections::which());
    }
    let figures = charts::all(records, judgement).into_iter();
    blocks.extend(Block::charts(figures));
    blocks.extend(fpr::sections(judgement));
    blocks.extend(battery::sections(records, &judgement.locations));
    blocks.extend(details::details(records, judgement));
    blocks.extend(sections::making(records));
    Document {
        title: headline(judgement),
        blocks,
    }
}

fn verdict(records: &Records, judgement: &Judgement) -> Vec<Block> {
    let mut blocks = vec![Block::Paragraph(scope(records, judgement).into())];
    if let Some(words) = baselines(judgement) {
        blocks.push(Block::Paragraph(words.into()));
    }
    let verdict = &judgement.verdict;
    let problems = verdict.problems.iter();
    let (open, all) = problems.partition(|p| p.outcome == Outcome::Inconclusive);
    let grave = verdict.grave();
    let first = grave.iter().take(SHOWN);
    let first = first.map(|(problem, more)| item(problem, *more));
    blocks.extend(Block::listed(2, "What failed", first.collect()));
    let missed: Vec<&Problem> = verdict.baseline_problems.iter().collect();
    let shown = grave.len().min(SHOWN);
    for (problems, shown, what) in [
        (all, shown, "failed in all, one by one"),
        (open, 0, "inconclusive: too few hits to tell"),
        (missed, 0, "of baselines that did not pass"),
    ] {
        if problems.len() > shown {
            let items = problems.iter().map(|problem| item(problem, 0));
            let summary = format!("{} {what}", number::count(problems.len() as u64));
            blocks.push(Block::folded(summary, Block::List(items.collect())));
        }
    }
    blocks
}
