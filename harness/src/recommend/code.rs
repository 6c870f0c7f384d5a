//! The line of Cargo.toml and the program that a user can begin with.

use super::{candidates::Candidate, workload::Workload};

/// What is printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Code {
    /// Lines of `[dependencies]`; none for what `std` has.
    pub dependencies: String,
    /// A whole program.
    pub rust: String,
}

/// How one of ours is called.
struct Names {
    package: &'static str,
    filter: &'static str,
    /// Beside the filter's own name.
    imports: &'static [&'static str],
    /// The type of the filter; `H` stands for the hasher.
    full: &'static str,
    constructor: &'static str,
    /// Inserting may be refused.
    refuses: bool,
    /// It takes keys through a shared reference.
    shared: bool,
    removes: bool,
}

const PLAIN: Names = Names {
    package: "standard",
    filter: "StandardBloom",
    imports: &[],
    full: "StandardBloom<H>",
    constructor: "with_hasher",
    refuses: false,
    shared: false,
    removes: false,
};

fn names(candidate: Candidate) -> Option<Names> {
    let blocked = |full, imports| Names {
        package: "blocked",
        filter: "BlockedBloom",
        imports,
        full,
        constructor: "with_layout",
        ..PLAIN
    };
    Some(match candidate {
        Candidate::Standard => PLAIN,
        Candidate::Partitioned => Names {
            package: "partitioned",
            filter: "PartitionedBloom",
            full: "PartitionedBloom<H>",
            ..PLAIN
        },
        Candidate::Blocked => blocked("BlockedBloom<Words64, H>", &["Words64"]),
        Candidate::BlockedWords32 => blocked("BlockedBloom<Words32, H>", &["Words32"]),
        Candidate::BlockedLine => blocked("BlockedBloom<Line, H>", &["Line"]),
        Candidate::Counting => Names {
            package: "counting",
            filter: "CountingBloom",
            full: "CountingBloom<H>",
            removes: true,
            ..PLAIN
        },
        Candidate::Scalable => Names {
            package: "scalable",
            filter: "ScalableBloom",
            imports: &["StandardBloom"],
            full: "ScalableBloom<StandardBloom<H>>",
            refuses: true,
            ..PLAIN
        },
        Candidate::Sharded => Names {
            package: "sharded",
            filter: "ShardedBloom",
            imports: &["StandardBloom"],
            full: "ShardedBloom<StandardBloom<H>>",
            shared: true,
            ..PLAIN
        },
        Candidate::ShardedCounting => Names {
            package: "sharded",
            filter: "ShardedBloom",
            full: "ShardedBloom<CountingBloom<H>>",
            shared: true,
            removes: true,
            ..PLAIN
        },
        Candidate::Atomic => Names {
            package: "sharded",
            filter: "AtomicBloom",
            full: "AtomicBloom<H>",
            shared: true,
            ..PLAIN
        },
        Candidate::Cuckoo => Names {
            package: "cuckoo",
            filter: "CuckooFilter",
            full: "CuckooFilter<H>",
            refuses: true,
            removes: true,
            ..PLAIN
        },
        _ => return None,
    })
}

/// The code for a candidate made for a target.
pub fn code(candidate: Candidate, workload: &Workload, target_fpr: f64) -> Code {
    match (names(candidate), candidate) {
        (Some(names), _) => ours(candidate, &names, workload, target_fpr),
        (None, Candidate::HashSet) => hash_set(workload),
        (None, Candidate::SortedArray) => sorted_array(workload),
        (None, Candidate::Bitmap) => bitmap(workload),
        (None, Candidate::Roaring) => roaring(),
        (None, Candidate::Fuse8) => fuse("BinaryFuse8", workload),
        (None, Candidate::Fuse16) => fuse("BinaryFuse16", workload),
        (None, _) => Code {
            dependencies: String::new(),
            rust: "// No filter: ask what is behind at once.\nfn main() {}\n".into(),
        },
    }
}

/// A member and a stranger, as they are written in Rust.
fn keys(workload: &Workload) -> [&'static str; 2] {
    if workload.integers {
        ["&42u64", "&43u64"]
    } else {
        ["\"a key\"", "\"another key\""]
    }
}

/// Of our crates, as a dependency names it.
fn version() -> &'static str {
    let version = env!("CARGO_PKG_VERSION");
    version.rsplit_once('.').map_or(version, |(minor, _)| minor)
}

/// With its thousands separated, as Rust does it.
fn number(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push('_');
        }
        out.push(digit);
    }
    out
}

fn ours(candidate: Candidate, names: &Names, workload: &Workload, target_fpr: f64) -> Code {
    let [member, stranger] = keys(workload);
    let hasher = if workload.hostile { "SipKeyed" } else { "Xxh3" };
    let stored = workload.persist || workload.shared;
    let mut imports = vec![names.filter, hasher, "Spec"];
    imports.extend(names.imports);
    if stored {
        imports.extend(["Decode", "Encode"]);
    }
    imports.sort_unstable();
    let version = version();
    let mut dependencies = format!("bouquet-{} = \"{version}\"\n", names.package);
    let mut rust = format!(
        "use bouquet_{}::{{{}}};\n",
        names.package,
        imports.join(", ")
    );
    if candidate == Candidate::ShardedCounting {
        dependencies += &format!("bouquet-counting = \"{version}\"\n");
        rust = format!("use bouquet_counting::CountingBloom;\n{rust}");
    }
    if workload.hostile {
        rust = format!("use std::{{fs::File, io::Read}};\n\n{rust}");
    }
    rust += "\nfn main() -> Result<(), Box<dyn std::error::Error>> {\n";
    let made_with = if workload.hostile {
        rust += "    // The secret: keep it as you would a password, and never beside the filter.\n    \
                 let mut secret = [0; 16];\n    File::open(\"/dev/urandom\")?.read_exact(&mut \
                 secret)?;\n";
        "SipKeyed::with_key(secret)"
    } else {
        "Xxh3::default()"
    };
    let capacity = if candidate == Candidate::Scalable {
        rust += "    // Room for these at first; it grows.\n";
        workload.capacity
    } else {
        workload.final_keys()
    };
    if workload.filters > 1 {
        rust += &format!("    // One of {}.\n", number(workload.filters));
    }
    let full = names.full.replace('H', hasher);
    let mutable = if names.shared { "" } else { "mut " };
    let refused = if names.refuses { "?" } else { "" };
    rust += &format!(
        "    let spec = Spec::new({}, {target_fpr:?})?; // keys, and the FPR not to be passed\n    \
         let {mutable}filter: {full} = {}::{}(spec, {made_with})?;\n",
        number(capacity),
        names.filter,
        names.constructor
    );
    if names.shared {
        rust += &format!(
            "    // Any number of threads insert through a shared reference.\n    \
             std::thread::scope(|scope| {{\n        scope.spawn(|| filter.insert({member}));\n    \
             }});\n"
        );
    } else {
        rust += &format!("    filter.insert({member}){refused};\n");
    }
    rust += &format!("    assert!(filter.contains({member}));\n");
    rust += &saved(stranger);
    if workload.deletes && names.removes {
        rust += &format!(
            "    // Only ever remove what was inserted.\n    assert!(filter.remove({member}));\n"
        );
        rust += &format!("    assert!(!filter.contains({member}));\n");
    }
    if stored {
        rust +=
            "    // Or `save` and `load`, by a file's name.\n    let bytes = filter.encode();\n";
        rust += &if workload.hostile {
            format!("    let again: {full} = Decode::decode_with(&bytes, {made_with})?;\n")
        } else {
            format!("    let again: {full} = Decode::decode(&bytes)?;\n")
        };
        rust += "    assert!(again == filter);\n";
    }
    rust += "    Ok(())\n}\n";
    Code { dependencies, rust }
}

fn saved(stranger: &str) -> String {
    format!(
        "    if !filter.contains({stranger}) {{\n        // Certainly absent: nothing behind need be \
         asked.\n        println!(\"absent\");\n    }}\n"
    )
}

fn hash_set(workload: &Workload) -> Code {
    let (kind, member, stranger) = if workload.integers {
        ("u64", "42", "&43")
    } else {
        ("String", "\"a key\".to_owned()", "\"another key\"")
    };
    let asked = keys(workload)[0];
    let mut rust = format!(
        "use std::collections::HashSet;\n\nfn main() {{\n    let mut filter: HashSet<{kind}> = \
         HashSet::with_capacity({});\n    filter.insert({member});\n    \
         assert!(filter.contains({asked}));\n",
        number(workload.capacity)
    );
    rust += &saved(stranger);
    if workload.deletes {
        rust += &format!("    assert!(filter.remove({asked}));\n");
    }
    rust += "}\n";
    Code {
        dependencies: String::new(),
        rust,
    }
}

fn sorted_array(workload: &Workload) -> Code {
    let (kind, list, member, stranger) = if workload.integers {
        ("u64", "42, 7, 99", "&42", "&43")
    } else {
        (
            "&str",
            "\"a key\", \"more\", \"and more\"",
            "&\"a key\"",
            "&\"another key\"",
        )
    };
    let rust = format!(
        "fn main() {{\n    let mut keys: Vec<{kind}> = vec![{list}];\n    keys.sort_unstable();\n    \
         assert!(keys.binary_search({member}).is_ok());\n    if \
         keys.binary_search({stranger}).is_err() {{\n        println!(\"absent\");\n    }}\n}}\n"
    );
    Code {
        dependencies: String::new(),
        rust,
    }
}

fn bitmap(workload: &Workload) -> Code {
    let below = workload.integers_below.unwrap_or(1);
    let (package, member) = ("bits", below / 2);
    let mut rust = format!(
        "use bouquet_{package}::BitArray;\n\nfn main() -> Result<(), Box<dyn std::error::Error>> {{\n    \
         // A bit for every integer below this.\n    let mut keys = BitArray::new({})?;\n    \
         keys.set({member});\n    assert!(keys.test({member}));\n    if !keys.test(0) {{\n        \
         println!(\"absent\");\n    }}\n",
        number(below)
    );
    if workload.deletes {
        rust += &format!("    assert!(keys.clear({member}));\n");
    }
    rust += "    Ok(())\n}\n";
    Code {
        dependencies: format!("bouquet-{package} = \"{}\"\n", version()),
        rust,
    }
}

fn roaring() -> Code {
    let rust = "use roaring::RoaringTreemap;\n\nfn main() {\n    let mut keys = \
                RoaringTreemap::new();\n    keys.insert(42);\n    assert!(keys.contains(42));\n    if \
                !keys.contains(43) {\n        println!(\"absent\");\n    }\n    assert!(keys.remove(42));\n}\n";
    Code {
        dependencies: "roaring = \"0.11\"\n".into(),
        rust: rust.into(),
    }
}

fn fuse(filter: &str, workload: &Workload) -> Code {
    // Binary fuse filters take integers; texts are hashed to them first.
    let (list, hash, ask) = if workload.integers {
        ("vec![42, 7, 99]", "", "&43")
    } else {
        (
            "[\"a key\", \"more\"].map(hash).into()",
            "/// `std`'s hash, the same in every run of one version.\nfn hash(key: &str) -> u64 {\n    \
             let mut hasher = std::hash::DefaultHasher::new();\n    \
             std::hash::Hash::hash(key, &mut hasher);\n    \
             std::hash::Hasher::finish(&hasher)\n}\n\n",
            "&hash(\"another key\")",
        )
    };
    let package = "xorf";
    let rust = format!(
        "use {package}::{{{filter}, Filter}};\n\n{hash}fn main() -> Result<(), &'static str> {{\n    // All \
         keys at once, each but once.\n    let keys: Vec<u64> = {list};\n    let filter = \
         {filter}::try_from(&keys)?;\n    assert!(keys.iter().all(|key| filter.contains(key)));\n    \
         if !filter.contains({ask}) {{\n        println!(\"absent\");\n    }}\n    Ok(())\n}}\n"
    );
    Code {
        dependencies: format!("{package} = \"0.13\"\n"),
        rust,
    }
}
