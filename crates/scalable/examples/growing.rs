//! A log of unknown length: the filter is sized for a thousand keys but gets a hundred
//! thousand, and its FPR is measured whenever the number of keys has grown tenfold.
//!
//! cargo run --example growing

use std::error::Error;

use bouquet_scalable::{Inspect, ScalableBloom};

fn main() -> Result<(), Box<dyn Error>> {
    let mut seen = ScalableBloom::new(1_000, 0.01)?;
    let asked = 1u64 << 40..(1 << 40) + 100_000;
    let mut next = 0u64;
    for until in [1_000, 10_000, 100_000] {
        seen.extend(next..until);
        next = until;
        if let Some(key) = (0..until).find(|key| !seen.contains(key)) {
            return Err(format!("{key} is a false negative after {until} keys").into());
        }
        let wrong = asked.clone().filter(|key| seen.contains(key)).count();
        println!(
            "{until:6} keys: {} stages, {:6} bytes, {wrong} false positives of 100000",
            seen.stages().count(),
            seen.memory_bytes()
        );
        if wrong > 1_100 {
            return Err("the rate is above its target".into());
        }
    }
    Ok(())
}
