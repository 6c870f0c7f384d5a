//! Drops the lines of a text that came before, as `sort -u` does, in the order they come
//! and in a fraction of the memory; and counts the new ones that it drops by mistake.
//!
//! Lines that others write may be chosen to be dropped; `SipKeyed` with a secret key prevents that.
//!
//! cargo run --example distinct_lines

use std::{collections::HashSet, error::Error, fs};

use bouquet_standard::{Inspect, StandardBloom};

fn main() -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../datasets/packages.txt"
    ))?;
    // Every line once, and every third again.
    let lines = || text.lines().chain(text.lines().step_by(3));
    let mut seen = StandardBloom::new(text.lines().count() as u64, 0.001)?;
    let mut exact = HashSet::new();
    let (mut dropped, mut by_mistake) = (0, 0);
    for line in lines() {
        let (is_new, is_really_new) = (seen.insert(line), exact.insert(line));
        if is_new && !is_really_new {
            return Err(format!("{line} came before and counts as new").into());
        }
        dropped += usize::from(!is_new);
        by_mistake += usize::from(!is_new && is_really_new);
    }
    println!(
        "{} lines: {dropped} dropped, {by_mistake} of them by mistake (target 1 in 1000)",
        lines().count()
    );
    let names: usize = exact.iter().map(|line| line.len()).sum();
    println!(
        "the filter takes {} bytes, the names alone {names}",
        seen.memory_bytes()
    );
    if by_mistake * 500 > exact.len() {
        return Err("more than twice the target".into());
    }
    Ok(())
}
