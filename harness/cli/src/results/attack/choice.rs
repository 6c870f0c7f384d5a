//! "If … take …" of hashes, by who chooses the keys: from the rows of the attacks.

use std::collections::BTreeSet;

use bouquet_ground::record::{AttackRow, BROKEN, KEYED, WITHSTANDS};
use bouquet_render::{
    advice::HEADING,
    document::{Block, Text},
    number,
};

/// Nothing without rows.
pub fn choices(rows: &[AttackRow]) -> Vec<Block> {
    let (keyed, others): (Vec<&AttackRow>, Vec<&AttackRow>) =
        rows.iter().partition(|row| row.hashing == KEYED);
    let having = |rows: &[&AttackRow], outcome| {
        let own = rows.iter().filter(|row| row.outcome == outcome);
        number::count(own.count() as u64)
    };
    let all = |rows: &[&AttackRow]| number::count(rows.len() as u64);
    let names: BTreeSet<&str> = keyed.iter().map(|row| row.hashing.as_str()).collect();
    let hostile = (!keyed.is_empty()).then(|| {
        Text::from("If an adversary may choose keys, take ")
            .strong(number::listed(&names))
            .plain(format!(
                " ({} of {} attacks did no better than chance).",
                having(&keyed, WITHSTANDS),
                all(&keyed)
            ))
    });
    let own = (!others.is_empty()).then(|| {
        let words = format!(
            "If nobody who could choose keys would harm you, take the default hash: without a \
             secret key {} of {} attacks succeed, whatever the hash. Which is fastest: ",
            having(&others, BROKEN),
            all(&others)
        );
        Text::from(words).code("reports/hashes").plain(".")
    });
    let lines = [hostile, deletes(&keyed), own].into_iter().flatten();
    Block::listed(2, HEADING, lines.collect())
}

/// The filters that withstood every attack by removals with the keyed hash.
fn deletes(keyed: &[&AttackRow]) -> Option<Text> {
    let own: Vec<&&AttackRow> = keyed
        .iter()
        .filter(|row| row.attack == "deletion")
        .collect();
    let withstands = |row: &AttackRow| row.outcome == WITHSTANDS;
    let fell: BTreeSet<&str> = own
        .iter()
        .filter(|row| !withstands(row))
        .map(|row| row.filter.as_str())
        .collect();
    let sound: Vec<&&&AttackRow> = own
        .iter()
        .filter(|row| !fell.contains(&*row.filter))
        .collect();
    let names: BTreeSet<&str> = sound.iter().map(|row| row.filter.as_str()).collect();
    let hashes: BTreeSet<&str> = sound.iter().map(|row| row.hashing.as_str()).collect();
    (!sound.is_empty()).then(|| {
        let rows = number::count(sound.len() as u64);
        Text::from("If you must delete keys that an adversary may choose, take ")
            .strong(number::listed(&names))
            .plain(format!(
                " with {} ({rows} of {rows} attacks by removals did no better than chance).",
                number::listed(&hashes)
            ))
    })
}
