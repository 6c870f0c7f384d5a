//! Prints how many bits a number of keys needs: by the textbook formula, which misses its
//! target FPR, and the smallest size that meets the target.
//!
//! cargo run --example sizing

use std::error::Error;

use bouquet_core::math::{Parameters, estimate_parameters, expected_fpr, min_bits_exact};

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "     keys   target | textbook, bits  times the target | least bits  times the target"
    );
    let (mut sizes, mut missed) = (0, 0);
    for keys in [1, 100, 10_000, 1_000_000] {
        for target in [0.01, 1e-3, 1e-6] {
            let times = |made: Parameters| expected_fpr(made.size_bits, made.hashes, keys) / target;
            let textbook = estimate_parameters(keys, target)?;
            let least = min_bits_exact(keys, target)?;
            println!(
                "{keys:9} {target:8} | {:14}  {:16.4} | {:10}  {:16.4}",
                textbook.size_bits,
                times(textbook),
                least.size_bits,
                times(least)
            );
            if times(least) > 1.0 {
                return Err(format!("{keys} keys at {target} miss their target").into());
            }
            sizes += 1;
            missed += usize::from(times(textbook) > 1.0);
        }
    }
    println!("the textbook's size misses {missed} of {sizes} targets, the exact one none");
    Ok(())
}
