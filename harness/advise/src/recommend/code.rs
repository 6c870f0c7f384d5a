//! The line of Cargo.toml and the program that a user can begin with.

mod others;
mod ours;
mod shards;

use std::path::{Path, PathBuf};

use super::{candidates::Candidate, workload::Workload};

/// What is printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Code {
    /// None for what `std` has.
    dependencies: Vec<Dependency>,
    /// A whole program.
    pub rust: String,
}

/// A crate that the program takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Dependency {
    /// The name of one of ours without `bouquet-`.
    Ours(&'static str),
    /// A line of `[dependencies]`.
    Other(&'static str),
}

/// Where our crates are, which are not published.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Checkout {
    /// The one that this program was built from: what is printed resolves there.
    Here,
    /// A copy beside the reader's project: of a report, which is read elsewhere.
    Beside,
}

impl Checkout {
    /// The folder of this crate of ours.
    fn folder(self, package: &str) -> PathBuf {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = match self {
            Self::Here => here.ancestors().nth(2).unwrap_or(here),
            Self::Beside => Path::new("../bouquet"),
        };
        root.join("crates").join(package)
    }

    fn note(self) -> &'static str {
        match self {
            Self::Here => "not published yet",
            Self::Beside => "not published yet: in a copy of its repository beside the project",
        }
    }
}

impl Code {
    /// The lines of `[dependencies]`; empty if there are none.
    pub fn dependencies(&self, checkout: Checkout) -> String {
        let line = |dependency: &Dependency| match dependency {
            Dependency::Ours(package) => format!(
                "bouquet-{package} = {{ path = {:?} }} # {}\n",
                checkout.folder(package),
                checkout.note()
            ),
            Dependency::Other(line) => format!("{line}\n"),
        };
        self.dependencies.iter().map(line).collect()
    }
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
                dependencies: Vec::new(),
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
