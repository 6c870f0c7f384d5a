//! Removes duplicate lines from a text, in a fraction of the memory of `sort -u` and without
//! changing the order, and counts the distinct lines that it removes by mistake.
//!
//! Whoever writes the lines could choose them so that they are removed; `SipKeyed` with a
//! secret key prevents that.
//!
//! cargo run --example distinct_lines

use std::{collections::HashSet, error::Error, fs};

use bouquet_standard::{Inspect, StandardBloom};

fn main() -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../datasets/packages.txt"
    ))?;
    // Every line once, then every third line again.
    let lines = || text.lines().chain(text.lines().step_by(3));
    let mut seen = StandardBloom::new(text.lines().count(), 0.001)?;
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
