//! "If you … take …" of where a filter probes: by what was found.

use super::Judgement;
use crate::{
    advice::{DELETES, GROWS, HEADING, SHARES, sized, timed},
    document::{Block, Text},
    groups::grouped,
    number,
};
use bouquet_ground::record::{Records, SubjectRow};

/// What someone needs, and whether a filter has it.
type Need = (&'static str, fn(&SubjectRow) -> bool);

const ABLE: [Need; 3] = [
    (DELETES, |s| s.removes),
    (GROWS, |s| s.grows),
    (SHARES, |s| s.concurrent),
];

/// Of subjects by their role, and whether any of their cells was found out.
pub fn choices(records: &Records, judgement: &Judgement) -> Vec<Block> {
    let subjects = grouped(&records.battery, |row| row.subject.as_str());
    let line_of = |is_of: &dyn Fn(&str, &str) -> bool, is_found: bool, words: [&str; 3]| {
        let own = subjects.iter().filter(|(name, rows)| {
            is_of(name, &rows[0].role) && found(judgement, name) == is_found
        });
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
    let line = |role: &str, is_found, words| line_of(&|_, own| own == role, is_found, words);
    let able = |(need, has): Need| {
        let is_able =
            |name: &str, role: &str| role == "ours" && records.subject(name).is_some_and(has);
        line_of(&is_able, false, [need, "take", "nothing found"])
    };
    let own = ["want a filter of ours", "take", "nothing found"];
    let good = [
        "place the probes of a filter yourself",
        "take",
        "nothing found",
    ];
    let bad = ["meet it in a filter", "leave", "found out"];
    let ours = line("ours", false, own).into_iter();
    let ours = ours.chain(ABLE.into_iter().filter_map(able));
    // Where there are filters to choose from.
    let mut lines: Vec<Text> = ours.collect();
    if !lines.is_empty() {
        lines.extend([timed(), sized()]);
    }
    let schemes = [
        line("known-good", false, good),
        line("known-bad", true, bad),
    ];
    lines.extend(schemes.into_iter().flatten());
    Block::listed(2, HEADING, lines)
}

fn found(judgement: &Judgement, subject: &str) -> bool {
    let mut own = judgement.tested().filter(|cell| cell.subject == subject);
    own.any(|cell| !cell.findings.is_empty())
}
