//! Times the hash functions on keys of three lengths: `cargo bench -p bouquet-hash`. The crate
//! `murmur3` is another implementation of MurmurHash3 x64 128, to compare with.

#![allow(clippy::unwrap_used, reason = "a program for interactive use")]

use std::{hint::black_box, time::Instant};

use bouquet_core::KeyHasher;
use bouquet_hash::{Folded, Xxh3, murmur3::x64_128};

const LENGTHS: [usize; 3] = [8, 32, 256];
/// The number of keys, few enough for the nearest caches.
const KEYS: usize = 64;
/// How often a round hashes each key. The fastest round counts.
const TIMES: usize = 10_000;
const ROUNDS: u32 = 5;

/// Prints the nanoseconds per key for each length.
fn row<H>(name: &str, hash: impl Fn(&[u8]) -> H) {
    print!("{name:12}");
    for length in LENGTHS {
        let keys: Vec<u8> = (0..KEYS * length).map(|i| (i * 31 % 251) as u8).collect();
        let times = (0..ROUNDS).map(|_| {
            let start = Instant::now();
            for _ in 0..TIMES {
                for key in black_box(&keys).chunks_exact(length) {
                    black_box(hash(key));
                }
            }
            start.elapsed().as_nanos() as f64 / (KEYS * TIMES) as f64
        });
        print!("{:12.1}", times.fold(f64::INFINITY, f64::min));
    }
    println!();
}

fn main() {
    print!("{:12}", "ns per key");
    for length in LENGTHS {
        print!("{:>12}", format!("{length} bytes"));
    }
    println!();
    let (folded, xxh3) = (Folded::with_seed(1), Xxh3::with_seed(1));
    row("Folded", |key| folded.hash(key));
    row("Xxh3", |key| xxh3.hash(key));
    #[cfg(feature = "siphash")]
    {
        let keyed = bouquet_hash::SipKeyed::with_key([7; 16]);
        row("SipKeyed", |key| keyed.hash(key));
    }
    row("MurmurHash3", |key| x64_128(key, 1));
    row("murmur3", |mut key| {
        murmur3::murmur3_x64_128(&mut key, 1).unwrap()
    });
}
