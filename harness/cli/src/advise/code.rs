//! The lines for Cargo.toml and the example program for a recommendation.

use std::path::Path;

use bouquet_catalogue::{Facts, in_shards};
use bouquet_ground::units::grouped;

use super::{candidates::Candidate, workload::Workload};

const NONE: &str = "// No filter: do the backing lookup at once.\nfn main() {}\n";

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
    let fuse = |name: &str, print: &str| vec![("$fuse", name.into()), ("$print", print.into())];
    let (program, dependencies) = match candidate {
        Candidate::HashSet => (include_str!("../../programs/hash-set.txt"), String::new()),
        Candidate::SortedArray => (
            include_str!("../../programs/sorted-array.txt"),
            String::new(),
        ),
        Candidate::Bitmap => {
            let below = workload.integers_below.unwrap_or(1);
            words.push(("$below", grouped(below, '_')));
            words.push(("$half", (below / 2).to_string()));
            (include_str!("../../programs/bitmap.txt"), of_ours("bits"))
        }
        Candidate::Roaring => {
            let line = "roaring = \"0.11\"\n".to_owned();
            (include_str!("../../programs/roaring.txt"), line)
        }
        Candidate::Fuse8 | Candidate::Fuse16 => {
            words.extend(match candidate {
                Candidate::Fuse8 => fuse("BinaryFuse8", "u8"),
                _ => fuse("BinaryFuse16", "u16"),
            });
            let mut lines = "xorf = \"0.13\"\n".to_owned();
            if !workload.integers {
                lines += "xxhash-rust = { version = \"0.8\", features = [\"xxh3\"] }\n";
            }
            (include_str!("../../programs/fuse.txt"), lines)
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
