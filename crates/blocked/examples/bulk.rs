//! Inserts and looks up a million numbers in batches, which fetch the cache lines of many keys
//! in parallel, and measures the FPR.
//!
//! cargo run --release --example bulk

use std::error::Error;

use bouquet_blocked::{BlockedBloom, Inspect};

const KEYS: u64 = 1_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut filter = BlockedBloom::new(KEYS as usize, 0.01)?;
    let members: Vec<u64> = (0..KEYS).collect();
    let others: Vec<u64> = (KEYS..2 * KEYS).collect();
    let new = filter.insert_batch(&members);
    println!("{new} of {KEYS} were definitely new when they came");

    let mut found = vec![false; members.len()];
    filter.contains_batch(&members, &mut found);
    if let Some(index) = found.iter().position(|found| !found) {
        return Err(format!("{} is a false negative", members[index]).into());
    }
    filter.contains_batch(&others, &mut found);
    let wrong = found.iter().filter(|found| **found).count();
    println!("{wrong} false positives of {KEYS} non-members: target 1 in 100");
    let bits = 8.0 * filter.memory_bytes() as f64 / KEYS as f64;
    println!("{bits:.2} bits per key, one cache line per lookup");
    if wrong as u64 * 50 > KEYS {
        return Err("more than twice the target".into());
    }
    Ok(())
}
