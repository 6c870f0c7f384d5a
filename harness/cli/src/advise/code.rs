//! The lines for Cargo.toml and the example program for a recommendation.

use std::path::Path;

use bouquet_catalogue::{Facts, Family, in_shards};
use bouquet_record::units::grouped;

use super::{candidates::Candidate, workload::Workload};

const NONE: &str = "// No filter: do the backing lookup at once.\nfn main() {}\n";
const HASH_SET: &str = include_str!("../../programs/hash-set.txt");
const SORTED_ARRAY: &str = include_str!("../../programs/sorted-array.txt");
const BITMAP: &str = include_str!("../../programs/bitmap.txt");
const ROARING: &str = include_str!("../../programs/roaring.txt");
const FUSE: &str = include_str!("../../programs/fuse.txt");

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

/// The generated code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Code {
    /// The lines of `[dependencies]`; empty if there are none.
    pub dependencies: String,
    /// A complete program.
    pub rust: String,
}

/// The code for a candidate sized for a target FPR.
pub fn code(candidate: Candidate, workload: &Workload, target_fpr: f64) -> Code {
    let mut holding = holding(workload);
    let capacity = grouped(workload.capacity, '_');
    let mut words = vec![("$capacity", capacity)];
    let (program, dependencies) = match candidate {
        Candidate::HashSet => (HASH_SET, String::new()),
        Candidate::SortedArray => (SORTED_ARRAY, String::new()),
        Candidate::Bitmap => {
            let below = workload.integers_below.unwrap_or(1);
            words.push(("$below", grouped(below, '_')));
            words.push(("$half", (below / 2).to_string()));
            (BITMAP, of_ours("bits"))
        }
        Candidate::Roaring => (ROARING, "roaring = \"0.11\"\n".to_owned()),
        Candidate::Fuse8 | Candidate::Fuse16 => {
            let bits = if candidate == Candidate::Fuse8 { 8 } else { 16 };
            words.push(("$fuse", format!("BinaryFuse{bits}")));
            words.push(("$print", format!("u{bits}")));
            let mut lines = "xorf = \"0.13\"\n".to_owned();
            if !workload.integers {
                lines += "xxhash-rust = { version = \"0.8\", features = [\"xxh3\"] }\n";
            }
            (FUSE, lines)
        }
        Candidate::None | Candidate::Ours(_) | Candidate::InShards(_) => match candidate.ours() {
            Some(own) => {
                words.extend(sizes(own, workload, target_fpr));
                ours(candidate, own, workload, &mut holding, &mut words)
            }
            None => (NONE, String::new()),
        },
    };
    let kind = usize::from(!workload.integers);
    words.extend(KEYS.map(|(word, values)| (word, values[kind].into())));
    let rust = written(program, &holding, &words);
    Code { dependencies, rust }
}

/// The dependency on a crate of this project. The crates are not published, so it uses the path
/// where this program was built.
fn of_ours(package: &str) -> String {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = here.ancestors().nth(2).unwrap_or(here).join("crates");
    let folder = folder.join(package);
    format!("bouquet-{package} = {{ path = {folder:?} }} # not published yet\n")
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
    ];
    let holding = all.into_iter().filter(|(_, holds)| *holds);
    holding.map(|(word, _)| word).collect()
}

type Words = Vec<(&'static str, String)>;

/// The numbers of keys that a filter, or each of its shards, is sized for.
fn sizes(own: &Facts, workload: &Workload, target_fpr: f64) -> Words {
    let first = match own.grows {
        true => workload.capacity,
        false => workload.final_keys(),
    };
    let count = in_shards::count(workload.capacity);
    let room = in_shards::room(first, count, own.grows);
    vec![
        ("$keys", grouped(first, '_')),
        ("$room", grouped(room, '_')),
        ("$count", count.to_string()),
        ("$fpr", format!("{target_fpr:?}")),
        ("$filters", grouped(workload.filters, '_')),
    ]
}

/// The code for one of Bouquet's filters. A filter that the catalogue does not have as concurrent
/// is put in shards behind locks.
fn ours(
    candidate: Candidate,
    own: &Facts,
    workload: &Workload,
    holding: &mut Vec<&str>,
    words: &mut Words,
) -> (&'static str, String) {
    let names = &own.snippet;
    let is_sharded = candidate.facts().concurrent && !own.concurrent;
    let is_default = names.is_default && !workload.hostile;
    let (hasher, hashed) = match workload.hostile {
        true => ("SipKeyed", "SipKeyed::with_key(secret)"),
        false => ("Folded", "Folded::default()"),
    };
    let mut imports: Vec<&str> = names.types().collect();
    imports.truncate(if is_default { 1 } else { imports.len() });
    match is_sharded {
        true => imports.extend([hasher, "KeyHash", "KeyHasher"]),
        false => imports.extend((!is_default).then_some(hasher)),
    }
    imports.extend((!is_default).then_some("Spec"));
    let is_decoded = holding.contains(&"stored") && (is_sharded || !is_default);
    imports.extend(is_decoded.then_some("Decode"));
    imports.sort_unstable();
    let imports = match &imports[..] {
        [one] => (*one).to_owned(),
        all => format!("{{{}}}", all.join(", ")),
    };
    holding.extend(is_default.then_some("default"));
    holding.extend(own.grows.then_some("grows"));
    holding.extend(own.concurrent.then_some("concurrent"));
    holding.extend((own.family == Family::Static).then_some("static"));
    let mut dependencies = of_ours(names.package);
    if let Some((package, inner)) = names.of.filter(|_| !is_sharded) {
        dependencies += &of_ours(package);
        words.push(("$beside", format!("{package}::{inner}")));
        holding.push("beside");
    }
    let name = names.types().next().unwrap_or_default();
    let kind = match is_default {
        true => name.to_owned(),
        false => names.full.replace('H', hasher),
    };
    words.extend([
        ("$package", names.package.to_owned()),
        ("$imports", imports),
        ("$type", kind),
        ("$name", name.to_owned()),
        ("$constructor", names.constructor.to_owned()),
        ("$hasher", hashed.to_owned()),
        ("$rejects", if own.rejects { "?" } else { "" }.to_owned()),
    ]);
    let program = match is_sharded {
        true => include_str!("../../programs/in-shards.txt"),
        false => include_str!("../../programs/ours.txt"),
    };
    (program, dependencies)
}

/// Fills a template: selects its lines by the conditions and replaces its placeholders.
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
            ("", "StandardBloom::from_keys([42, 7, 99], 0.01)?"),
            ("hostile = true", "with_hasher([42, 7, 99], spec, SipKeyed"),
        ] {
            let workload = workload(&format!("capacity = 1000\nstatic = true\n{more}"));
            let (mut holding, mut words_in) = (holding(&workload), sizes(&own, &workload, 0.01));
            words_in.extend(KEYS.map(|(word, values)| (word, values[0].into())));
            let (program, _) = ours(
                Candidate::PLAIN,
                &own,
                &workload,
                &mut holding,
                &mut words_in,
            );
            let rust = written(program, &holding, &words_in);
            assert!(rust.contains(words) && !rust.contains("insert"), "{rust}");
        }
    }
}
