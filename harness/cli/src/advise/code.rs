//! The lines for Cargo.toml and the example program that are printed with a recommendation.

use bouquet_catalogue::{Facts, Family, Snippet, in_shards};
use bouquet_record::units::grouped;

use super::{
    candidates::Candidate,
    requirements::{Expires, Growth},
    workload::Workload,
};

const NONE: &str = "// No filter: do the backing lookup at once.\nfn main() {}\n";
const HASH_SET: &str = include_str!("../../programs/hash-set.txt");
const SORTED_ARRAY: &str = include_str!("../../programs/sorted-array.txt");
const BITMAP: &str = include_str!("../../programs/bitmap.txt");
const ROARING: &str = include_str!("../../programs/roaring.txt");

/// The placeholders in a program, with their values for integer keys and for other keys.
const KEYS: [(&str, [&str; 2]); 7] = [
    ("$member", ["&42u64", "\"a key\""]),
    ("$absent", ["&43u64", "\"another key\""]),
    ("$owned", ["42", "\"a key\".to_owned()"]),
    ("$kind", ["u64", "String"]),
    ("$key", ["42u64", "\"a key\""]),
    ("$other", ["43", "\"another key\""]),
    ("$list", ["42, 7, 99", "\"a key\", \"more\""]),
];

/// Returns the command that adds what the program depends on, if it does, and a complete program that
/// uses the candidate, sized for the target FPR.
pub fn code(candidate: Candidate, workload: &Workload, target_fpr: f64) -> (String, String) {
    let mut holding = holding(workload);
    let capacity = grouped(workload.capacity, '_');
    let mut words = vec![("$capacity", capacity)];
    let (program, needs) = match candidate {
        Candidate::HashSet => (HASH_SET, String::new()),
        Candidate::SortedArray => (SORTED_ARRAY, String::new()),
        Candidate::Bitmap => {
            let below = workload.integers_below.unwrap_or(1);
            words.push(("$below", grouped(below, '_')));
            words.push(("$half", (below / 2).to_string()));
            (BITMAP, of_ours(&["bits"]))
        }
        Candidate::Roaring => (ROARING, "cargo add roaring@0.11\n".to_owned()),
        _ => match candidate.ours() {
            Some(own) => {
                let request = (workload, target_fpr);
                ours(candidate, own, request, &mut holding, &mut words)
            }
            None => (NONE, String::new()),
        },
    };
    (needs, filled(program, workload, &holding, words))
}

/// A program with what is none of the candidates, of this template.
pub fn elsewhere(program: &str, workload: &Workload, target_fpr: f64) -> String {
    let words = vec![
        ("$capacity", grouped(workload.capacity, '_')),
        ("$most", grouped(workload.final_keys(), '_')),
        ("$fpr", format!("{target_fpr:?}")),
    ];
    filled(program, workload, &holding(workload), words)
}

fn filled(program: &str, workload: &Workload, holding: &[&str], mut words: Words) -> String {
    let kind = usize::from(!workload.integers);
    words.extend(KEYS.map(|(word, values)| (word, values[kind].into())));
    written(program, holding, &words)
}

/// Where this project is, for `cargo add`.
pub const ADDRESS: &str = concat!("--git ", env!("CARGO_PKG_REPOSITORY"));

/// The command that adds this project with these features.
fn of_ours(features: &[&str]) -> String {
    let features = features.join(",");
    format!("cargo add bouquet {ADDRESS} --features {features}\n")
}

/// The conditions that hold for a workload, by their names in the program templates.
fn holding(workload: &Workload) -> Vec<&'static str> {
    let all = [
        ("integers", workload.integers),
        ("stored", workload.persist || workload.shared),
        ("deletes", workload.deletes),
        ("hostile", workload.hostile),
        ("many", workload.filters > 1),
        ("locked", workload.threads > 1 && !workload.is_static),
        ("unknown", workload.growth == Growth::Unknown),
    ];
    let holding = all.into_iter().filter(|(_, holds)| *holds);
    holding.map(|(word, _)| word).collect()
}

type Words = Vec<(&'static str, String)>;

/// The program and its dependencies for one of Bouquet's filters, alone or in shards behind locks.
fn ours(
    candidate: Candidate,
    own: &Facts,
    (workload, target_fpr): (&Workload, f64),
    holding: &mut Vec<&str>,
    words: &mut Words,
) -> (&'static str, String) {
    // `keys` is the capacity of the filter or of all shards together; `room` is that of each shard.
    let keys = match own.grows {
        true => workload.capacity,
        false => workload.final_keys(),
    };
    let count = in_shards::count(workload.capacity);
    let room = in_shards::room(keys, count, own.grows);
    let full = own
        .snippet
        .by_fpr
        .map_or(own.snippet.full, |of| of(target_fpr));
    let names = Snippet {
        full,
        ..own.snippet
    };
    let is_static = own.family == Family::Static;
    // Threads insert together, or take turns behind a lock.
    let is_locked = own.forgets && holding.contains(&"locked");
    let is_shared = is_locked && !workload.persist && !workload.hostile;
    let span = match workload.expires {
        // In milliseconds: a filter whose span has few ticks gets many keys in one.
        Some(Expires::Seconds(seconds)) => Some(grouped(seconds.saturating_mul(1_000), '_')),
        _ => None,
    };
    let is_sharded = candidate.facts().concurrent && !own.concurrent;
    // The types that are the default ones have the shortest constructors.
    let is_usual = own.snippet.by_fpr.is_none_or(|of| full == of(1.0));
    let is_default = names.is_default && is_usual && !workload.hostile;
    let (hasher, hashed) = match workload.hostile {
        true => ("SipKeyed", "SipKeyed::with_key(secret)"),
        false => ("Folded", "Folded::default()"),
    };
    let mut imports: Vec<&str> = names.types().collect();
    imports.truncate(if is_default && !is_static { 1 } else { 9 });
    if is_shared {
        imports = vec!["SharedAging"];
    }
    let is_decoded = holding.contains(&"stored") && (is_sharded || !is_default);
    for (name, is_used) in [
        (hasher, is_sharded || !is_default),
        ("KeyHash", is_sharded),
        ("KeyHasher", is_sharded),
        ("Spec", !is_default && !is_static),
        ("Builder", !is_default && is_static),
        ("Decode", is_decoded),
    ] {
        imports.extend(is_used.then_some(name));
    }
    imports.sort_unstable();
    let mut list = imports.join(", ");
    if imports.len() > 1 {
        list = format!("{{{list}}}");
    }
    holding.extend(is_default.then_some("default"));
    holding.extend(own.grows.then_some("grows"));
    holding.extend((own.concurrent || is_shared).then_some("concurrent"));
    holding.extend(is_static.then_some("static"));
    holding.extend(span.is_some().then_some("lasting"));
    holding.extend((is_locked && !is_shared).then_some("turns"));
    holding.extend((!own.concurrent && !is_locked).then_some("mut"));
    let mut features = vec![names.package];
    if let Some((package, inner)) = names.of.filter(|_| !is_sharded) {
        features.push(package);
        words.push(("$beside", format!("{package}::{inner}")));
        holding.push("beside");
    }
    let name = if is_shared {
        imports[0]
    } else {
        names.types().next().unwrap_or_default()
    };
    let full = match is_default {
        true if is_static => names.full.replace(", H", ""),
        true => name.to_owned(),
        false => names.full.replace('H', hasher),
    };
    let (constructor, first) = match &span {
        Some(span) => ("lasting_with_hasher", format!("{span}, ")),
        None => (names.constructor, String::new()),
    };
    words.extend([
        ("$keys", grouped(keys, '_')),
        ("$room", grouped(room, '_')),
        ("$count", count.to_string()),
        ("$fpr", format!("{target_fpr:?}")),
        ("$filters", grouped(workload.filters, '_')),
        ("$package", names.package.to_owned()),
        ("$imports", list),
        ("$type", full),
        (
            "$new",
            if span.is_some() { "lasting" } else { "new" }.to_owned(),
        ),
        ("$first", first),
        ("$span", span.unwrap_or_default()),
        ("$name", name.to_owned()),
        ("$constructor", constructor.to_owned()),
        ("$hasher", hashed.to_owned()),
        ("$rejects", if own.rejects { "?" } else { "" }.to_owned()),
    ]);
    let program = match is_sharded {
        true => include_str!("../../programs/in-shards.txt"),
        false => include_str!("../../programs/ours.txt"),
    };
    (program, of_ours(&features))
}

/// Fills a template: keeps the lines whose conditions hold, and replaces the placeholders.
fn written(program: &str, holding: &[&str], words: &Words) -> String {
    let is_there = |condition: &str| match condition.strip_prefix('!') {
        Some(condition) => !holding.contains(&condition),
        None => holding.contains(&condition),
    };
    let mut rust = String::new();
    for line in program.lines() {
        let (line, conditions) = line.split_once(" //? ").unwrap_or((line, ""));
        if conditions.split_whitespace().all(is_there) {
            rust += line;
            rust += "\n";
        }
    }
    let put_in = |rust: String, (word, value): &(&str, String)| rust.replace(word, value);
    words.iter().fold(rust, put_in)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advise::workload;

    #[test]
    fn a_static_filter_is_built_from_its_keys() {
        let own = Facts {
            family: Family::Static,
            ..*Candidate::PLAIN.ours().unwrap()
        };
        for (more, words) in [
            ("", "StandardBloom::from_keys([42, 7, 99])?"),
            (
                "hostile = true",
                "Builder::new(SipKeyed::with_key(secret)).from_keys([42, 7, 99])?",
            ),
        ] {
            let workload = workload(&format!("capacity = 1000\nstatic = true\n{more}"));
            let (mut holding, request) = (holding(&workload), (&workload, 0.01));
            let mut words_in = Vec::from(KEYS.map(|(word, values)| (word, values[0].into())));
            let plain = Candidate::PLAIN;
            let (program, _) = ours(plain, &own, request, &mut holding, &mut words_in);
            let rust = written(program, &holding, &words_in);
            assert!(rust.contains(words) && !rust.contains("insert"), "{rust}");
        }
    }
}
