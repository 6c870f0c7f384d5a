//! A law about hashing a key in parts.

use bouquet_core::{HashStream, StreamHasher};

use super::Verdict;
use crate::Rng;

/// However a key is split, hashing its parts gives the same hash as hashing all its bytes at once.
/// Tested with every split into two parts of keys of up to 300 bytes, every split into three parts
/// up to 40 bytes, random splits of longer keys, single bytes, and empty parts. `finish` can be
/// called repeatedly and before the end, and a cloned stream is independent of the original.
///
/// # Errors
///
/// The length of the key and the positions at which it was split.
pub fn stream<H: StreamHasher>(make: impl Fn(u64) -> H) -> Verdict {
    let hasher = make(90);
    let text = Rng::new(91).bytes(5_000);
    for len in 0..=300 {
        for cut in 0..=len {
            same(&hasher, &text[..len], &[cut])?;
        }
    }
    for len in 0..=40 {
        for first in 0..=len {
            for second in first..=len {
                same(&hasher, &text[..len], &[first, second])?;
            }
        }
    }
    let mut rng = Rng::new(92);
    for _ in 0..1_000 {
        let len = 41 + rng.below(4_960) as usize;
        let mut cuts: Vec<usize> = (0..1 + rng.below(6))
            .map(|_| rng.below(len as u64) as usize)
            .collect();
        cuts.sort_unstable();
        same(&hasher, &text[..len], &cuts)?;
    }
    same(&hasher, &text, &(0..text.len()).collect::<Vec<_>>())?;
    on_the_way(&hasher, &text[..600])
}

fn same<H: StreamHasher>(hasher: &H, key: &[u8], cuts: &[usize]) -> Verdict {
    let mut parts = Vec::new();
    let mut from = 0;
    for &cut in cuts {
        parts.push(&key[from..cut]);
        from = cut;
    }
    parts.push(&key[from..]);

    let whole = hasher.hash(key);
    let cuts = &cuts[..cuts.len().min(6)];
    ensure!(
        hasher.hash_parts(&parts) == whole,
        "hash_parts: {} bytes cut at {cuts:?} hash differently",
        key.len()
    );
    let mut stream = hasher.stream();
    for part in &parts {
        stream.write(part);
    }
    ensure!(
        stream.finish() == whole,
        "stream: {} bytes cut at {cuts:?} hash differently",
        key.len()
    );
    ensure!(
        stream.finish() == whole,
        "finish differs the second time, {} bytes",
        key.len()
    );
    Ok(())
}

fn on_the_way<H: StreamHasher>(hasher: &H, key: &[u8]) -> Verdict {
    let mut stream = hasher.stream();
    for (i, byte) in key.iter().enumerate() {
        ensure!(
            stream.finish() == hasher.hash(&key[..i]),
            "finish after {i} bytes is not their hash"
        );
        let mut fork = stream.clone();
        fork.write(&[!byte]);
        stream.write(&[*byte]);
    }
    ensure!(
        stream.finish() == hasher.hash(key),
        "a stream that was finished on the way ends differently"
    );
    Ok(())
}
