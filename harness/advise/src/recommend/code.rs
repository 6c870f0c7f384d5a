//! The line of Cargo.toml and the program that a user can begin with.

mod others;
mod ours;
mod shards;

use std::path::Path;

use super::{candidates::Candidate, workload::Workload};

/// What is printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Code {
    /// Lines of `[dependencies]`; none for what `std` has.
    pub dependencies: String,
    /// A whole program.
    pub rust: String,
}

/// The code for a candidate sized for a target.
pub fn code(candidate: Candidate, workload: &Workload, target_fpr: f64) -> Code {
    match candidate {
        Candidate::HashSet => others::hash_set(workload),
        Candidate::SortedArray => others::sorted_array(workload),
        Candidate::Bitmap => others::bitmap(workload),
        Candidate::Roaring => others::roaring(workload),
        Candidate::Fuse8 => others::fuse("BinaryFuse8", "u8", workload),
        Candidate::Fuse16 => others::fuse("BinaryFuse16", "u16", workload),
        Candidate::None | Candidate::Ours(_) | Candidate::InShards(_) => match candidate.ours() {
            Some(own) if candidate.facts().concurrent && !own.concurrent => {
                shards::in_shards(own, workload, target_fpr)
            }
            Some(own) => ours::ours(own, workload, target_fpr),
            None => Code {
                dependencies: String::new(),
                rust: "// No filter: do the backing lookup at once.\nfn main() {}\n".into(),
            },
        },
    }
}

/// Makes the key of a hash.
const SECRET: &str = "    // The secret: keep it as you would a password, and never beside the \
                      filter.\n    let mut secret = [0; 16];\n    \
                      File::open(\"/dev/urandom\")?.read_exact(&mut secret)?;\n";

/// A member and a non-member, as they are written in Rust.
fn keys(workload: &Workload) -> [&'static str; 2] {
    if workload.integers {
        ["&42u64", "&43u64"]
    } else {
        ["\"a key\"", "\"another key\""]
    }
}

/// One of our crates as a dependency. None is published: so by its path, in the checkout
/// that this program was built from.
fn dependency(package: &str) -> String {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here.ancestors().nth(2).unwrap_or(here);
    let path = root.join("crates").join(package);
    format!("bouquet-{package} = {{ path = {path:?} }} # not published yet\n")
}

/// With its thousands separated, as Rust does it.
fn number(value: u64) -> String {
    bouquet_ground::units::grouped(value, '_')
}

/// The question, and what its answer means.
fn asked(non_member: &str) -> String {
    format!(
        "    if !filter.contains({non_member}) {{\n        // Definitely absent: no backing lookup is \
         needed.\n        println!(\"absent\");\n    }}\n"
    )
}

/// Whether the code shows how it is stored.
fn is_stored(workload: &Workload) -> bool {
    workload.persist || workload.shared
}
