//! Why two filters cannot be merged, in terms of the flags that they were built with.

use anyhow::{Error, anyhow};
use bouquet_core::{Incompatible, Parameter};

use super::AnyFilter;

/// The error for filters of different formats, variants or hashes.
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

/// The error for filters of one kind with a parameter that differs.
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
