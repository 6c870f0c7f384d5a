//! Code for sets that hold the keys themselves, and for binary fuse filters of the
//! crate xorf.

use super::{Code, Dependency, asked, is_stored, keys, number};
use crate::recommend::workload::Workload;

/// `std`'s set, behind a lock where threads share it.
pub fn hash_set(workload: &Workload) -> Code {
    let (kind, member, absent) = if workload.integers {
        ("u64", "42", "&43")
    } else {
        ("String", "\"a key\".to_owned()", "\"another key\"")
    };
    let [inserted, _] = keys(workload);
    let capacity = number(workload.capacity);
    let mut rust = if workload.threads > 1 && !workload.is_static {
        format!(
            "use std::{{collections::HashSet, sync::RwLock}};\n\nfn main() {{\n    let set: \
             RwLock<HashSet<{kind}>> = RwLock::new(HashSet::with_capacity({capacity}));\n    // \
             Threads take turns; this one keeps the lock.\n    let mut filter = \
             set.write().unwrap();\n"
        )
    } else {
        format!(
            "use std::collections::HashSet;\n\nfn main() {{\n    let mut filter: HashSet<{kind}> = \
             HashSet::with_capacity({capacity});\n"
        )
    };
    rust += &format!("    filter.insert({member});\n    assert!(filter.contains({inserted}));\n");
    rust += &asked(absent);
    if is_stored(workload) && workload.integers {
        rust += &words_stored("filter.iter()", "let again: HashSet<u64> =");
        rust += "    assert!(again.iter().all(|key| filter.contains(key)));\n";
    } else if is_stored(workload) {
        rust += "    // Where no key has an end of a line in it.\n    let mut text = \
                 String::new();\n    for key in filter.iter() {\n        text += key;\n        text \
                 += \"\\n\";\n    }\n    let again: HashSet<String> = \
                 text.lines().map(str::to_owned).collect();\n    assert!(again.iter().all(|key| filter.contains(key)));\n";
    }
    if workload.deletes {
        rust += &format!("    assert!(filter.remove({inserted}));\n");
    }
    rust += "}\n";
    Code {
        dependencies: Vec::new(),
        rust,
    }
}

/// A list in order.
pub fn sorted_array(workload: &Workload) -> Code {
    let (kind, list, member, non_member) = if workload.integers {
        ("u64", "42, 7, 99", "&42", "&43")
    } else {
        (
            "&str",
            "\"a key\", \"more\", \"and more\"",
            "&\"a key\"",
            "&\"another key\"",
        )
    };
    let mut rust = format!(
        "fn main() {{\n    let mut keys: Vec<{kind}> = vec![{list}];\n    keys.sort_unstable();\n    \
         assert!(keys.binary_search({member}).is_ok());\n    if \
         keys.binary_search({non_member}).is_err() {{\n        println!(\"absent\");\n    }}\n"
    );
    if is_stored(workload) && workload.integers {
        rust += &words_stored("keys.iter()", "let again: Vec<u64> =");
        rust += "    assert!(again == keys);\n";
    } else if is_stored(workload) {
        rust += "    // Where no key has an end of a line in it.\n    let text = \
                 keys.join(\"\\n\");\n    let again: Vec<&str> = text.lines().collect();\n    \
                 assert!(again == keys);\n";
    }
    Code {
        dependencies: Vec::new(),
        rust: rust + "}\n",
    }
}

/// Words to the bytes of a file, and back.
fn words_stored(words: &str, back: &str) -> String {
    format!(
        "    // The bytes of a file.\n    let bytes: Vec<u8> = {words}.flat_map(|word| \
         word.to_le_bytes()).collect();\n    let words = bytes.chunks_exact(8).filter_map(|word| \
         word.try_into().ok());\n    {back} words.map(u64::from_le_bytes).collect();\n"
    )
}

/// A bit for each integer.
pub fn bitmap(workload: &Workload) -> Code {
    let below = workload.integers_below.unwrap_or(1);
    let (package, member) = ("bits", below / 2);
    let mut rust = format!(
        "use bouquet_{package}::BitArray;\n\nfn main() -> Result<(), Box<dyn std::error::Error>> {{\n    \
         // A bit for every integer below this.\n    let mut keys = BitArray::new({})?;\n    \
         keys.set({member});\n    assert!(keys.test({member}));\n    if !keys.test(0) {{\n        \
         println!(\"absent\");\n    }}\n",
        number(below)
    );
    if is_stored(workload) {
        rust += &words_stored("keys.words().iter()", "let words: Vec<u64> =");
        rust += "    let again = BitArray::from_words(words, keys.len())?;\n    assert!(again == \
                 keys);\n";
    }
    if workload.deletes {
        rust += &format!("    assert!(keys.clear({member}));\n");
    }
    Code {
        dependencies: vec![Dependency::Ours(package)],
        rust: rust + "    Ok(())\n}\n",
    }
}

/// The crate roaring.
pub fn roaring(workload: &Workload) -> Code {
    let mut rust = String::from(
        "use roaring::RoaringTreemap;\n\nfn main() -> std::io::Result<()> {\n    let mut keys = \
         RoaringTreemap::new();\n    keys.insert(42);\n    assert!(keys.contains(42));\n    if \
         !keys.contains(43) {\n        println!(\"absent\");\n    }\n",
    );
    if is_stored(workload) {
        rust += "    // The bytes of a file.\n    let mut bytes = Vec::new();\n    \
                 keys.serialize_into(&mut bytes)?;\n    let again = \
                 RoaringTreemap::deserialize_from(&bytes[..])?;\n    assert!(again == keys);\n";
    }
    if workload.deletes {
        rust += "    assert!(keys.remove(42));\n";
    }
    Code {
        dependencies: vec![Dependency::Other("roaring = \"0.11\"")],
        rust: rust + "    Ok(())\n}\n",
    }
}

const PACKAGE: &str = "xorf";

/// They take integers; texts are hashed to them first, by a function that is the
/// same forever.
pub fn fuse(filter: &str, fingerprint: &str, workload: &Workload) -> Code {
    let mut dependencies = vec![Dependency::Other("xorf = \"0.13\"")];
    let (list, hash, non_member) = if workload.integers {
        ("vec![42, 7, 99]", "", "&43")
    } else {
        dependencies.push(Dependency::Other(
            "xxhash-rust = { version = \"0.8\", features = [\"xxh3\"] }",
        ));
        (
            "[\"a key\", \"more\"].map(hash).into()",
            "fn hash(key: &str) -> u64 {\n    \
             xxhash_rust::xxh3::xxh3_64(key.as_bytes())\n}\n\n",
            "&hash(\"another key\")",
        )
    };
    let (imports, load, store) = match is_stored(workload) {
        true => (
            "Descriptor, DmaSerializable, Filter",
            loading(filter, fingerprint),
            storing(filter),
        ),
        false => ("Filter", String::new(), String::new()),
    };
    let rust = format!(
        "use {PACKAGE}::{{{imports}, {filter}}};\n\n{hash}{load}fn main() -> Result<(), &'static str> {{\n    // All \
         keys at once, each but once.\n    let keys: Vec<u64> = {list};\n    let filter = \
         {filter}::try_from(&keys)?;\n    assert!(keys.iter().all(|key| filter.contains(key)));\n    \
         if !filter.contains({non_member}) {{\n        println!(\"absent\");\n    }}\n{store}    \
         Ok(())\n}}\n"
    );
    Code { dependencies, rust }
}

/// The descriptor, and the fingerprints at its heels.
fn storing(filter: &str) -> String {
    format!(
        "    // The bytes of a file.\n    let mut bytes = vec![0; {filter}::DESCRIPTOR_LEN];\n    \
         filter.dma_copy_descriptor_to(&mut bytes);\n    let prints = \
         filter.fingerprints.iter();\n    bytes.extend(prints.flat_map(|print| \
         print.to_le_bytes()));\n    let again = load(&bytes).ok_or(\"cut short\")?;\n    \
         assert!(keys.iter().all(|key| again.contains(key)));\n"
    )
}

fn loading(filter: &str, fingerprint: &str) -> String {
    format!(
        "fn load(bytes: &[u8]) -> Option<{filter}> {{\n    let (seed, rest) = \
         bytes.split_first_chunk()?;\n    let (length, rest) = rest.split_first_chunk()?;\n    let \
         (mask, rest) = rest.split_first_chunk()?;\n    let (count, rest) = \
         rest.split_first_chunk()?;\n    let descriptor = Descriptor {{\n        seed: \
         u64::from_le_bytes(*seed),\n        segment_length: u32::from_le_bytes(*length),\n        \
         segment_length_mask: u32::from_le_bytes(*mask),\n        segment_count_length: \
         u32::from_le_bytes(*count),\n    }};\n    let prints = \
         rest.chunks_exact(size_of::<{fingerprint}>());\n    let prints = prints.filter_map(|print| \
         print.try_into().ok());\n    Some({filter} {{\n        descriptor,\n        fingerprints: \
         prints.map({fingerprint}::from_le_bytes).collect(),\n    }})\n}}\n\n"
    )
}
