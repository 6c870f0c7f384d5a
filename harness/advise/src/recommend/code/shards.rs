//! Code for filters of this project that a program puts in shards behind locks.

use super::{Code, Dependency, SECRET, is_stored, keys, number};
use crate::recommend::workload::Workload;
use bouquet_catalogue::{Facts, in_shards};

/// Shards of one of ours. The hash of a key picks its shard; what is left of it finds the
/// key there.
pub fn in_shards(own: &Facts, workload: &Workload, target_fpr: f64) -> Code {
    let [member, absent] = keys(workload);
    let name = own.snippet.types().next().unwrap_or_default();
    let hasher = if workload.hostile {
        "SipKeyed"
    } else {
        "Folded"
    };
    let kind = if workload.hostile {
        own.snippet.full.replace('H', hasher)
    } else {
        name.to_owned()
    };
    let rejected = if own.rejects { "?" } else { "" };
    let mut rust = head(own, workload, hasher);
    rust += "\nfn main() -> Result<(), Box<dyn std::error::Error>> {\n";
    rust += &making(own, workload, target_fpr, name, &kind);
    rust += &format!(
        "    // The hash of a key picks its shard, and what is left of it the place there.\n    \
         let place = |hash: KeyHash| {{\n        let (shard, rest) = \
         hash.split(shards.len() as u64);\n        (&shards[shard as usize], rest)\n    }};\n    \
         // So do all threads.\n    let (shard, rest) = place(hasher.hash_key({member}));\n    \
         shard.write().unwrap().insert_hash(rest){rejected};\n    \
         assert!(shard.read().unwrap().contains_hash(rest));\n    \
         let (other, rest_of_other) = place(hasher.hash_key({absent}));\n    if \
         !other.read().unwrap().contains_hash(rest_of_other) {{\n        \
         // Definitely absent: no backing lookup is needed.\n        println!(\"absent\");\n    }}\n"
    );
    if workload.deletes {
        rust += "    // Only ever remove what was inserted.\n    assert!(shard.write().unwrap().remove_hash(rest));\n";
    }
    if is_stored(workload) {
        rust += &storing(workload, &kind);
    }
    rust += "    Ok(())\n}\n";
    Code {
        dependencies: vec![Dependency::Ours(own.snippet.package)],
        rust,
    }
}

fn head(own: &Facts, workload: &Workload, hasher: &'static str) -> String {
    let mut imports = vec![hasher, "KeyHash", "KeyHasher"];
    imports.extend(own.snippet.types());
    if !workload.hostile {
        imports.truncate(4);
    } else {
        imports.push("Spec");
    }
    if is_stored(workload) {
        imports.push("Decode");
    }
    imports.sort_unstable();
    let std = match workload.hostile {
        true => "use std::{fs::File, io::Read, sync::RwLock};\n",
        false => "use std::sync::RwLock;\n",
    };
    let (package, imports) = (own.snippet.package, imports.join(", "));
    format!("{std}\nuse bouquet_{package}::{{{imports}}};\n")
}

fn making(own: &Facts, workload: &Workload, target_fpr: f64, name: &str, kind: &str) -> String {
    let first = match own.grows {
        true => workload.capacity,
        false => workload.final_keys(),
    };
    let count = in_shards::count(workload.capacity);
    let room = number(in_shards::room(first, count, own.grows));
    let mut rust = String::new();
    if workload.hostile {
        rust += SECRET;
        rust += "    let hasher = SipKeyed::with_key(secret);\n";
    } else {
        rust += "    let hasher = Folded::default();\n";
    }
    rust += match own.grows {
        true => "    // Each has room for its share at first, and grows.\n",
        false => "    // Each has room for its share, and for what chance adds to it.\n",
    };
    if workload.filters > 1 {
        rust += &format!(
            "    // Shards of one set of {}.\n",
            number(workload.filters)
        );
    }
    let one = match workload.hostile {
        true => format!("{name}::with_hasher(Spec::new({room}, {target_fpr:?})?, hasher.clone())"),
        false => format!("{name}::new({room}, {target_fpr:?})"),
    };
    rust + &format!(
        "    let mut shards: Vec<RwLock<{kind}>> = Vec::new();\n    for _ in 0..{count} {{\n        \
         shards.push(RwLock::new({one}?));\n    }}\n"
    )
}

fn storing(workload: &Workload, kind: &str) -> String {
    let decode = match workload.hostile {
        true => "decode_with(bytes, hasher.clone())",
        false => "decode(bytes)",
    };
    format!(
        "    // A file for each shard: or `save` and `load`, by its name.\n    let mut files = \
         Vec::new();\n    for shard in &shards {{\n        files.push(shard.read().unwrap().encode());\n    }}\n    let again = files.iter().map(|bytes| \
         <{kind}>::{decode});\n    let again = again.collect::<Result<Vec<_>, _>>()?;\n    \
         assert_eq!(again.len(), shards.len());\n"
    )
}
