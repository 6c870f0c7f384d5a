//! One hash of a key picks its shard, and the remaining part of the hash everything else. Shows
//! how evenly keys that differ in one digit are distributed, and that a key given in parts has
//! the same hash as the whole key.
//!
//! cargo run --example spread

use std::error::Error;

use bouquet_core::{KeyHasher, StreamHasher};
use bouquet_hash::Folded;

const SHARDS: u64 = 64;
const KEYS: u64 = 640_000;

fn main() -> Result<(), Box<dyn Error>> {
    let hasher = Folded::with_seed(42);
    let mut keys_of = vec![0u64; SHARDS as usize];
    for id in 0..KEYS {
        let (host, page) = (format!("https://{}.example/", id % 100), id.to_string());
        let hash = hasher.hash_parts(&[host.as_bytes(), page.as_bytes()]);
        if hash != hasher.hash((host + &page).as_bytes()) {
            return Err("a key in parts hashes otherwise".into());
        }
        keys_of[hash.split(SHARDS).0 as usize] += 1;
    }
    let fewest = keys_of.iter().min().copied().unwrap_or(0);
    let most = keys_of.iter().max().copied().unwrap_or(0);
    let due = KEYS / SHARDS;
    println!("{KEYS} URLs in {SHARDS} shards, {due} due to each: {fewest} to {most}");
    // Six standard deviations of a count with this mean.
    let off = 6.0 * (due as f64).sqrt();
    if keys_of.iter().any(|keys| keys.abs_diff(due) as f64 > off) {
        return Err("the shards are uneven beyond chance".into());
    }
    Ok(())
}
