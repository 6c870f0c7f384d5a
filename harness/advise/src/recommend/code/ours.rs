//! Code for filters of this project.

use super::{Code, asked, is_stored, keys, number, version};
use crate::recommend::{candidates::Candidate, workload::Workload};

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

/// One of ours; `None` for no filter.
pub fn ours(candidate: Candidate, workload: &Workload, target_fpr: f64) -> Option<Code> {
    let names = names(candidate)?;
    let [member, stranger] = keys(workload);
    let (dependencies, mut rust) = head(candidate, &names, workload);
    rust += "\nfn main() -> Result<(), Box<dyn std::error::Error>> {\n";
    rust += &making(candidate, &names, workload, target_fpr);
    rust += &inserting(&names, member);
    rust += &asked(stranger);
    if workload.deletes && names.removes {
        rust += &format!(
            "    // Only ever remove what was inserted.\n    assert!(filter.remove({member}));\n"
        );
        rust += &format!("    assert!(!filter.contains({member}));\n");
    }
    if is_stored(workload) {
        rust += &storing(&names, workload);
    }
    rust += "    Ok(())\n}\n";
    Some(Code { dependencies, rust })
}

fn hasher(workload: &Workload) -> &'static str {
    if workload.hostile { "SipKeyed" } else { "Xxh3" }
}

fn made_with(workload: &Workload) -> &'static str {
    if workload.hostile {
        "SipKeyed::with_key(secret)"
    } else {
        "Xxh3::default()"
    }
}

/// The lines of `[dependencies]`, and what comes before `main`.
fn head(candidate: Candidate, names: &Names, workload: &Workload) -> (String, String) {
    let mut imports = vec![names.filter, hasher(workload), "Spec"];
    imports.extend(names.imports);
    if is_stored(workload) {
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
    (dependencies, rust)
}

fn making(candidate: Candidate, names: &Names, workload: &Workload, target_fpr: f64) -> String {
    let mut rust = String::new();
    if workload.hostile {
        rust += "    // The secret: keep it as you would a password, and never beside the filter.\n    \
                 let mut secret = [0; 16];\n    File::open(\"/dev/urandom\")?.read_exact(&mut \
                 secret)?;\n";
    }
    let capacity = if candidate == Candidate::Scalable {
        rust += "    // Room for these at first; it grows.\n";
        workload.capacity
    } else {
        workload.final_keys()
    };
    if workload.filters > 1 {
        rust += &format!("    // One of {}.\n", number(workload.filters));
    }
    let mutable = if names.shared { "" } else { "mut " };
    rust + &format!(
        "    let spec = Spec::new({}, {target_fpr:?})?; // keys, and the FPR not to be passed\n    \
         let {mutable}filter: {} = {}::{}(spec, {})?;\n",
        number(capacity),
        names.full.replace('H', hasher(workload)),
        names.filter,
        names.constructor,
        made_with(workload)
    )
}

fn inserting(names: &Names, member: &str) -> String {
    let inserted = if names.shared {
        format!(
            "    // Any number of threads insert through a shared reference.\n    \
             std::thread::scope(|scope| {{\n        scope.spawn(|| filter.insert({member}));\n    \
             }});\n"
        )
    } else {
        let refused = if names.refuses { "?" } else { "" };
        format!("    filter.insert({member}){refused};\n")
    };
    format!("{inserted}    assert!(filter.contains({member}));\n")
}

fn storing(names: &Names, workload: &Workload) -> String {
    let decoded = if workload.hostile {
        format!("decode_with(&bytes, {})", made_with(workload))
    } else {
        "decode(&bytes)".into()
    };
    format!(
        "    // Or `save` and `load`, by a file's name.\n    let bytes = filter.encode();\n    \
         let again: {} = Decode::{decoded}?;\n    assert!(again == filter);\n",
        names.full.replace('H', hasher(workload))
    )
}
