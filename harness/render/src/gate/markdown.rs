//! The document in Markdown: verdict first, what changed, the rest folded, and
//! never more than there is room for.

use super::{change, figure_or_dash, shown_and_same};
use crate::markdown::{escape, unlinked};
use crate::number;
use bouquet_ground::record::{GateDocument, GateRow, standing};

/// The bytes of a page: GitHub rejects a step summary of more than 1 MiB.
pub const SUMMARY: usize = (1 << 20) - 1;
/// A comment has 65,536 characters at most; a character is a byte or more.
pub const COMMENT: usize = (1 << 16) - 1;

/// Of the page beside a baseline, which is read at a repository: the figures are beside it.
const BASELINE: usize = 40_000;
/// The most changes that it shows.
const CHANGES: usize = 20;

/// What the last line needs.
const TAIL: usize = 400;
/// The most that a cell shows.
const CELL: usize = 300;

/// The page for a comment, with a first line that nobody sees and by which a
/// later run finds the comment of the same tiers.
pub fn comment(document: &GateDocument) -> String {
    let tiers = document.verdict.tiers.iter();
    let asked = tiers.filter(|tier| tier.standing.is_some());
    let names = number::joined(asked.map(|tier| tier.tier.name()), ", ");
    let marker = format!("<!-- bouquet gate: {names} -->\n");
    let room = COMMENT - marker.len();
    marker + &page(document, room)
}

/// A report.
pub fn page(document: &GateDocument, room: usize) -> String {
    let mut page = Page {
        text: head(document),
        room: room - TAIL,
        left_out: 0,
    };
    let (shown, same) = shown_and_same(document);
    let has_baseline = document.run.contains_key("baseline_revision");
    if shown.is_empty() && has_baseline {
        page.text += "Nothing changed.\n\n";
    } else if shown.is_empty() {
        page.text += "There is no baseline to compare with.\n\n";
    } else {
        page.table(&shown, "");
        page.text += "\n";
    }
    if !same.is_empty() {
        let rows = number::count(same.len() as u64);
        let title = if has_baseline {
            format!("{rows} rows as in the baseline, or good by themselves")
        } else {
            format!("{rows} rows")
        };
        page.folded(&title, &same);
    }
    page.text += &facts(document);
    if page.left_out > 0 {
        page.text += &format!(
            "{} rows more are in gate.json: there is no room for them here.\n",
            number::count(page.left_out)
        );
    }
    page.text
}

struct Page {
    text: String,
    room: usize,
    left_out: u64,
}

impl Page {
    /// As many rows as there is room for, with what stands below in mind.
    fn table(&mut self, rows: &[&GateRow], end: &str) {
        let head = "| | Tier | Subject | What | Baseline | Now | Note |\n\
                    | --- | --- | --- | --- | ---: | ---: | --- |\n";
        self.text += head;
        for row in rows {
            let line = line(row);
            if self.text.len() + line.len() + end.len() > self.room {
                self.left_out += 1;
            } else {
                self.text += &line;
            }
        }
    }

    fn folded(&mut self, title: &str, rows: &[&GateRow]) {
        let begin = format!("<details><summary>{title}</summary>\n\n");
        let end = "\n</details>\n\n";
        if self.text.len() + begin.len() + TAIL > self.room {
            self.left_out += rows.len() as u64;
            return;
        }
        self.text += &begin;
        self.table(rows, end);
        self.text += end;
    }
}

fn head(document: &GateDocument) -> String {
    let verdict = &document.verdict;
    let mut text = format!("### {}\n\n", cell(&verdict.sentence, 1_000));
    text += "| Tier | Verdict | Checks | Failed | Inconclusive | Changed | |\n\
             | --- | --- | ---: | ---: | ---: | ---: | --- |\n";
    for tier in &verdict.tiers {
        text += &format!(
            "| {} | {} | {} | {} | {} | {} | {} |\n",
            tier.tier.name(),
            standing::word(tier.standing),
            number::count(tier.checks),
            number::count(tier.failed),
            number::count(tier.inconclusive),
            number::count(tier.changed),
            cell(&tier.note, 2_000),
        );
    }
    text + "\n"
}

fn line(row: &GateRow) -> String {
    let note = match (&row.baseline, &row.value) {
        (Some(old), Some(new)) if row.note.is_empty() && old != new => change(old, new),
        _ => row.note.clone(),
    };
    format!(
        "| {} | {} | {} | {} | {} | {} | {} |\n",
        row.standing.word(),
        row.tier.name(),
        cell(&row.subject, CELL),
        cell(&row.what, CELL),
        cell(&figure_or_dash(&row.baseline), CELL),
        cell(&figure_or_dash(&row.value), CELL),
        cell(&note, CELL),
    )
}

/// Text that can break neither the table nor the page.
fn cell(text: &str, most: usize) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if out.len() >= most {
            out.push('…');
            break;
        }
        match c {
            // A comment on a pull request would call whoever is named so.
            '@' => out += "\\@",
            '>' => out += "&gt;",
            c => out += &escape(c.encode_utf8(&mut [0; 4])),
        }
    }
    unlinked(&out)
}

fn facts(document: &GateDocument) -> String {
    let fact = |name: &str| cell(document.fact(name), 100);
    let mut text = format!(
        "Bouquet {}, revision {}, seed {}, {} profile, {} build.\n",
        fact("version"),
        fact("revision"),
        fact("seed"),
        fact("profile"),
        fact("build")
    );
    for own in &document.configuration {
        let chosen = own.chosen.after(": ");
        if !chosen.is_empty() {
            text += &format!(
                "{} ({}){}.\n",
                cell(&own.name, CELL),
                cell(&own.filter, CELL),
                cell(&chosen, CELL)
            );
        }
    }
    if document.run.contains_key("baseline_revision") {
        text += &format!(
            "Baseline: Bouquet {}, revision {}.\n",
            fact("baseline_version"),
            fact("baseline_revision")
        );
    }
    text
}

/// The page beside a baseline.
pub fn baseline(document: &GateDocument) -> String {
    let reason = document.acceptance.as_ref();
    let mut text = format!(
        "# Baseline\n\n\
         What `bouquet gate` compares with. Written by `bouquet gate --accept --reason`; not to \
         be edited. Reason: {}\n\n",
        cell(reason.map_or("", |accepted| &accepted.reason), 2_000)
    );
    let changed: Vec<&GateRow> = document.rows.iter().filter(|row| row.changed).collect();
    text += &match reason.map(|accepted| accepted.replaces.as_str()) {
        None => String::new(),
        Some("") => "There was none before it to compare with.\n\n".to_owned(),
        Some(replaced) => format!(
            "It replaces the baseline of revision {}; {} figures changed.\n\n",
            cell(replaced, 100),
            number::count(changed.len() as u64)
        ),
    };
    text += &baseline_tiers(document);
    let (first, rest) = changed.split_at(changed.len().min(CHANGES));
    let mut page = Page {
        text,
        room: BASELINE - TAIL,
        left_out: rest.len() as u64,
    };
    if !first.is_empty() {
        page.text += "\n## What changed\n\n";
        page.table(first, "");
    }
    if page.left_out > 0 {
        page.text += &format!(
            "\n{} changed figures more are in gate.json.\n",
            number::count(page.left_out)
        );
    }
    let times = document.fact("times_cpu");
    if !times.is_empty() {
        page.text += &format!("\nTimes are ratios, measured on: {}.\n", cell(times, 100));
    }
    page.text + "\nEvery figure, with the one before it where it changed: [gate.json](gate.json).\n"
}

/// A line a tier.
fn baseline_tiers(document: &GateDocument) -> String {
    let facts = ["revision", "seed", "profile"];
    let mut text = "## At a glance\n\n| Tier | Figures | Changed | Revision | Seed | Profile |\n\
                    | --- | ---: | ---: | --- | --- | --- |\n"
        .to_owned();
    for tier in &document.verdict.tiers {
        let fact = |what: &&str| match tier.checks {
            0 => String::new(),
            _ => cell(document.fact(&tier.tier.fact(what)), 100),
        };
        text += &format!(
            "| {} | {} | {} | {} |\n",
            tier.tier.name(),
            number::count(tier.checks),
            number::count(tier.changed),
            number::joined(facts.iter().map(fact), " | ")
        );
    }
    text
}
