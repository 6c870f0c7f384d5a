//! Code for binary fuse filters of the crate xorf.

use super::{Code, is_stored};
use crate::recommend::workload::Workload;

const PACKAGE: &str = "xorf";

/// They take integers; texts are hashed to them first, by a function that is the
/// same for ever.
pub fn fuse(filter: &str, fingerprint: &str, workload: &Workload) -> Code {
    let mut dependencies = format!("{PACKAGE} = \"0.13\"\n");
    let (list, hash, stranger) = if workload.integers {
        ("vec![42, 7, 99]", "", "&43")
    } else {
        dependencies += "xxhash-rust = { version = \"0.8\", features = [\"xxh3\"] }\n";
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
         if !filter.contains({stranger}) {{\n        println!(\"absent\");\n    }}\n{store}    \
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
