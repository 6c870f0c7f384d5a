//! Why two filters cannot be made one, in the words of the flags that they were built with.

use anyhow::{Error, anyhow};
use bouquet_core::{Incompatible, Parameter};

use super::AnyFilter;

/// Of filters that are of different kinds, or whose hashes are.
pub fn in_kind(ours: &dyn AnyFilter, theirs: &dyn AnyFilter) -> Error {
    let [ours, theirs] = [ours, theirs].map(|filter| (filter.format(), filter.facts(None)));
    let (what, flags) = if ours.0 != theirs.0 {
        (format!("{} and {}", ours.0, theirs.0), "--to")
    } else if ours.1.filter != theirs.1.filter {
        (
            format!("{} and {}", ours.1.filter, theirs.1.filter),
            "--filter",
        )
    } else {
        (
            format!("hashed by {} and by {}", ours.1.hash, theirs.1.hash),
            "--hasher",
        )
    };
    anyhow!("they are {what}, whose bits mean other keys; build both with the same {flags}")
}

/// Of filters of one kind: a parameter of one is another in the other.
pub fn in_parameters(error: Error) -> Error {
    let Some(differ) = error.downcast_ref::<Incompatible>() else {
        return error;
    };
    let (what, flags) = match differ.parameter {
        Parameter::SizeBits => ("their bits", "--bits, or the same --capacity and --fpr"),
        Parameter::Hashes => ("hashes per key", "--hashes, or the same --fpr"),
        Parameter::Seed => ("the seed of the hash", "--seed, or --hash-key-file"),
        Parameter::Other(name) => (name, "flags"),
        _ => ("their geometry", "flags"),
    };
    anyhow!(
        "they differ in {what}, {} and {}; build both with the same {flags}",
        differ.left,
        differ.right
    )
}
