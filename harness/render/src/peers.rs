//! The scoreboard, from its records alone: a report of its own, and a section of
//! a full evaluation's.

mod best;
mod charts;
mod score;
mod table;
#[cfg(test)]
mod tests;
mod words;

use std::path::Path;

use anyhow::Result;

use self::score::{Score, scores};
use super::{
    document::{Block, Document, Figure, Table, Text},
    folder::write_document,
    groups::grouped,
    headline::item,
    judge::{self, Problem, known_faults},
    markdown, number, sections,
    terminal::{self, Screen},
};
use bouquet_ground::Outcome;
use bouquet_ground::record::Records;

const RULE: &str = "is the best of a column among the filters that kept the target: an FPR not \
                    surely above the target, no false negative and no key rejected at capacity. \
                    At 2x and 10x it is the lowest FPR among those that still took every key and \
                    have no false negative.";
const GLANCE: &str = "The best of ours and of the other crates by each figure, among the filters that \
                      kept the target. Bold is where other crates are better.";
const WRITTEN: &str = "Ours are written in their own format, which has a header and a checksum for whoever \
                       reads it; the others' by what the crate or serde gives.";
const KNOWN: &str = "Each fault of another crate that is known is looked for where it shows. A run \
                     that does not find one of them is invalid: it would not find an \
                     unknown one either.";

/// Writes README.md, index.html and charts/*.svg into the folder of a
/// report of the scoreboard alone, and says whether one of ours failed.
///
/// Fails if a file cannot be written.
pub fn write_report(records: &Records, folder: &Path) -> Result<Outcome> {
    let problems = judge::judge(records).verdict.problems;
    let document = document(records, &problems);
    write_document(document, records, folder)?;
    Ok(outcome(&problems))
}

/// Of the gravest; the scoreboard passes where nothing was judged.
fn outcome(problems: &[Problem]) -> Outcome {
    let outcomes = problems.iter().map(|problem| problem.outcome);
    outcomes.max().unwrap_or(Outcome::Pass)
}

/// The scores by target.
fn by_target(scores: &[Score]) -> Vec<(f64, Vec<&Score>)> {
    grouped(scores, |score| score.of.target_fpr)
}

/// The target, and the keys that filters were sized for: on small key sets fewer.
fn heading(records: &Records, target: f64) -> String {
    let full = records.peers.iter().filter(|row| row.phase == "load");
    let made_for = || full.clone().map(|row| row.capacity);
    let least = made_for().min().unwrap_or(0);
    let most = made_for().max().unwrap_or(0);
    let keys = if least == most {
        number::count(most)
    } else {
        format!("{} to {}", number::count(least), number::count(most))
    };
    format!("At {}, for {keys} keys", number::share(target, 3))
}

/// The section of the scoreboard in the report of an evaluation; nothing without
/// its records.
pub fn section(records: &Records) -> Vec<Block> {
    if records.peers.is_empty() {
        return Vec::new();
    }
    let best = best::comparisons(&by_target(&scores(records)));
    let first = [Block::Paragraph(GLANCE.into()), Block::Table(best)];
    let inside = first.into_iter().chain(scoreboard(records, 3));
    Block::section(2, "Ours and other crates", inside)
}

/// Its charts; none without records.
pub fn figures(records: &Records) -> Vec<Figure> {
    let scores = scores(records);
    let targets = by_target(&scores).into_iter();
    targets
        .flat_map(|(target, group)| charts::figures(target, &group))
        .collect()
}

fn scoreboard(records: &Records, level: u8) -> Vec<Block> {
    let scores = scores(records);
    let mut blocks = Vec::new();
    for (target, group) in by_target(&scores) {
        blocks.push(Block::Heading(level, heading(records, target)));
        for (name, table) in table::of_each(&group) {
            blocks.push(Block::heading(level + 1, name));
            blocks.push(Block::Table(table));
        }
        let by_dataset = Block::Table(table::by_dataset(records, &group));
        blocks.push(Block::folded("On each key set", by_dataset));
        let beside = table::beside(records, &group);
        if !beside.rows.is_empty() {
            let words = "Full at other capacities, and with other seeds";
            blocks.push(Block::folded(words, Block::Table(beside)));
        }
    }
    blocks.push(Block::Paragraph(format!("Bold {RULE}").into()));
    blocks.push(Block::Paragraph(WRITTEN.into()));
    let known = known_faults(records);
    if !known.is_empty() {
        let inside = [
            Block::Paragraph(KNOWN.into()),
            Block::Table(table::known(&known)),
        ];
        blocks.extend(Block::section(level, "Known faults", inside));
    }
    blocks.extend(Block::listed(level, "Errors", errors(records)));
    blocks
}

/// The verdict on ours and, if it counts, by what they and the others are better at
/// each target, and that the known faults were found.
fn headline(records: &Records, problems: &[Problem]) -> String {
    let scores = scores(records);
    let unseen = problems.iter().filter(|p| p.outcome == Outcome::Void);
    let unseen = unseen.count();
    if unseen > 0 {
        return outcome(problems).headline(&format!(
            "{} of other crates went unseen, so nothing here counts",
            number::plural(unseen as u64, "known fault")
        ));
    }
    let verdict = match problems.len() {
        0 if !scores.iter().any(|score| score.is_ours()) => {
            "None of ours took part, so nothing was judged".to_owned()
        }
        0 => outcome(problems).headline("ours have no false negatives"),
        1 => outcome(problems).headline("ours broke one promise"),
        more => outcome(problems).headline(&format!("ours broke {} promises", number::spelt(more))),
    };
    let findings = by_target(&scores)
        .into_iter()
        .filter_map(|(target, group)| {
            let finding = best::finding(&group)?;
            Some(format!("; at {} {finding}", number::share(target, 3)))
        });
    let known = match known_faults(records).len() {
        0 => String::new(),
        1 => "; the known fault of another crate was found".to_owned(),
        more => format!(
            "; all {} known faults of other crates were found",
            number::count(more as u64)
        ),
    };
    verdict + &findings.collect::<String>() + &known
}

/// The headline in Markdown, fit to be put into another page.
pub fn headline_words(records: &Records) -> String {
    let problems = judge::judge(records).verdict.problems;
    markdown::escape(&format!("{}.", headline(records, &problems)))
}

fn document(records: &Records, problems: &[Problem]) -> Document {
    let experiment = records.experiments.first();
    let question = experiment.map(|e| Block::Paragraph(e.title.clone().into()));
    let mut blocks: Vec<Block> = question.into_iter().collect();
    let failed = problems.iter().map(|problem| item(problem, 0));
    blocks.extend(Block::listed(2, "What failed", failed.collect()));
    let scores = scores(records);
    let by_target = by_target(&scores);
    blocks.extend([
        Block::heading(2, "At a glance"),
        Block::Table(best::comparisons(&by_target)),
        Block::Paragraph(GLANCE.into()),
    ]);
    blocks.push(sections::which());
    blocks.extend(Block::charts(figures(records)));
    blocks.extend(scoreboard(records, 2));
    blocks.extend(sections::filters(records));
    blocks.extend(sections::making(records));
    Document {
        title: headline(records, problems),
        blocks,
    }
}

/// Each error once, with how many rows have it.
fn errors(records: &Records) -> Vec<Text> {
    let failed = records.peers.iter().filter(|row| !row.error.is_empty());
    let alike = grouped(failed, |row| (&row.filter, &row.phase, &row.error));
    let line = |((filter, phase, error), rows): &((&String, &String, &String), Vec<_>)| {
        let times = number::count(rows.len() as u64);
        Text::default()
            .strong(*filter)
            .plain(format!(", phase {phase}, rows {times}: {error}"))
    };
    alike.iter().map(line).collect()
}

/// The tables for a terminal, where a star stands for bold.
pub fn text(records: &Records, screen: Screen) -> String {
    let scores = scores(records);
    let verdict = judge::judge(records).verdict;
    let wrapped = |words: &str| wrapped(words, screen.width.map_or(WIDEST, |w| w.min(WIDEST)));
    let head = wrapped(&headline(records, &verdict.problems));
    let mut out = terminal::paint(&head, verdict.outcome, screen) + "\n\n";
    for problem in verdict.problems {
        let word = terminal::paint(problem.outcome.word(), problem.outcome, screen);
        out += &format!("{word}: {}\n  {}\n\n", problem.what, problem.by);
    }
    for (target, group) in by_target(&scores) {
        out += &format!("{}\n\n", heading(records, target));
        for (name, table) in table::tables(&group) {
            out += &format!("{name}\n{}\n", terminal::table(&table.starred(), screen));
        }
    }
    let known = known_faults(records);
    if !known.is_empty() {
        let table = table::known(&known).starred();
        out += &format!("Known faults\n{}\n", terminal::table(&table, screen));
    }
    for error in errors(records) {
        out += &format!("error: {}\n", error.words());
    }
    out + &wrapped(&format!("* {RULE}")) + "\n"
}

/// A paragraph is no wider, however wide the terminal.
const WIDEST: usize = 100;

/// A paragraph in lines of at most so many characters.
fn wrapped(words: &str, widest: usize) -> String {
    let mut lines = vec![String::new()];
    for word in words.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + word.chars().count() < widest => {
                *line += &format!(" {word}");
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

/// The tables in Markdown, fit to be put into another page.
pub fn markdown_tables(records: &Records) -> String {
    let scores = scores(records);
    let mut parts = Vec::new();
    for (target, group) in by_target(&scores) {
        let at = heading(records, target);
        for (name, table) in table::tables(&group) {
            parts.push(markdown::titled(&format!("{at}: {name}"), &table));
        }
    }
    let known = known_faults(records);
    if !known.is_empty() {
        let table = markdown::table(&table::known(&known));
        parts.push(format!("Known faults\n\n{table}"));
    }
    parts.join("\n")
}

/// The scores in plain numbers, rates as shares.
pub fn lines(records: &Records) -> Table {
    score::lines(&scores(records))
}
