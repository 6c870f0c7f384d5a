//! "If you … take …" of where a filter probes: by what was found.

use super::Judgement;
use crate::{
    advice::HEADING,
    document::{Block, Text},
    groups::grouped,
    number,
};
use bouquet_ground::record::Records;

/// Of subjects by their role, and whether any of their cells was found out.
pub fn choices(records: &Records, judgement: &Judgement) -> Vec<Block> {
    let subjects = grouped(&records.battery, |row| row.subject.as_str());
    let line = |role: &str, is_found: bool, words: [&str; 3]| {
        let own = subjects
            .iter()
            .filter(|(name, rows)| rows[0].role == role && found(judgement, name) == is_found);
        let names: Vec<&str> = own.map(|(name, _)| *name).collect();
        let cells = judgement.tested();
        let cells = cells.filter(|cell| names.contains(&&*cell.subject)).count();
        let [need, verb, what] = words;
        let line = Text::from(format!("If you {need}, {verb} "))
            .strong(number::listed(&names))
            .plain(format!(
                " ({what}; cells: {}).",
                number::count(cells as u64)
            ));
        (!names.is_empty()).then_some(line)
    };
    let own = ["want a filter of ours", "take", "nothing found"];
    let good = [
        "place the probes of a filter yourself",
        "take",
        "nothing found",
    ];
    let bad = ["meet it in a filter", "leave", "found out"];
    let lines = [
        line("ours", false, own),
        line("known-good", false, good),
        line("known-bad", true, bad),
    ];
    Block::listed(2, HEADING, lines.into_iter().flatten().collect())
}

fn found(judgement: &Judgement, subject: &str) -> bool {
    let mut own = judgement.tested().filter(|cell| cell.subject == subject);
    own.any(|cell| !cell.findings.is_empty())
}
