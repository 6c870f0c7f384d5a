//! "If you … take …" of hash functions that the battery has not found out.

use super::{COLUMNS, Scored, flagged, scored};
use crate::{
    advice::{HEADING, take},
    document::{Block, Text},
    number,
};
use bouquet_ground::record::Records;

/// How the name of a hash ends that has a secret key.
const KEYED: &str = ", keyed";

/// None without records.
pub fn choices(records: &Records) -> Vec<Block> {
    let all = scored(records);
    let sound = |scored: &&Scored<'_>| flagged(records, scored.name).next().is_none();
    let fastest = |place: usize, is_fit: &dyn Fn(&Scored<'_>) -> bool| {
        let (bytes, _) = COLUMNS[place];
        let own = all.iter().filter(sound).filter(|scored| is_fit(scored));
        let timed = own.filter_map(|s| Some((s.middle("whole", bytes)?.value, s.name)));
        timed.min_by(|a, b| a.0.total_cmp(&b.0))
    };
    let short =
        |(ns, name): (f64, &str), need| take(need, name, &format!("{} on 8 bytes", time(ns)));
    let long = fastest(3, &|_| true).map(|(ns, name)| {
        let ms = number::significant(ns / COLUMNS[3].1, 3);
        take("hash large files", name, &format!("{ms} ms on 20 MiB"))
    });
    let keyed = fastest(0, &|scored| scored.name.ends_with(KEYED)).map(|fastest| {
        short(fastest, "hash keys that an adversary may choose")
            .plain(" What is tried against it: ")
            .code("bouquet attack")
            .plain(".")
    });
    let usual = fastest(0, &|_| true).map(|fastest| short(fastest, "hash short keys"));
    let is_ours = |scored: &Scored<'_>| scored.rows.iter().any(|row| row.role == "ours");
    let ours = fastest(0, &is_ours).map(|fastest| short(fastest, "want a hash of ours"));
    let lines: Vec<Text> = [usual, long, ours, keyed].into_iter().flatten().collect();
    Block::listed(2, HEADING, lines)
}

/// Less than can be seen beside the taking of the key is no time.
pub fn time(ns: f64) -> String {
    if ns < 0.1 {
        "less than 0.1 ns".to_owned()
    } else {
        format!("{} ns", number::significant(ns, 2))
    }
}
