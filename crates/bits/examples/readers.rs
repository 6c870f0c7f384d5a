//! The readers of a website on two days, as exact sets of small numbers with one bit per user:
//! who came on both days, and how the memory compares with a `HashSet`.
//!
//! cargo run --example readers

use std::{collections::HashSet, error::Error, mem::size_of};

use bouquet_bits::BitArray;

const USERS: u64 = 1_000_000;

/// The users who came on a day: a random quarter of all, drawn with SplitMix64.
fn came(day: u64) -> impl Iterator<Item = u64> {
    (0..USERS).filter(move |user| {
        let mut z = (day * USERS + user).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z >> 62 == 0
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut monday, mut tuesday) = (BitArray::new(USERS)?, BitArray::new(USERS)?);
    monday.set_all(came(1));
    tuesday.set_all(came(2));
    let exact: [HashSet<u64>; 2] = [came(1).collect(), came(2).collect()];

    let bytes = monday.memory_bytes() + tuesday.memory_bytes();
    monday.intersect_with(&tuesday)?;
    let both: HashSet<u64> = monday.iter_ones().collect();
    println!("{} users came on both days", both.len());
    if both.is_empty() || both != &exact[0] & &exact[1] {
        return Err("a user is missing or too many".into());
    }
    // Counts only the numbers, without the free slots of the hash tables.
    let least = (exact[0].len() + exact[1].len()) * size_of::<u64>();
    println!("two days: {bytes} bytes of bits; a set of numbers takes {least} at least");
    Ok(())
}
