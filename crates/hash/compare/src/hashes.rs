//! Hash functions: ours, and those of the field, each by a well-kept crate.

mod field;

use bouquet_core::{HashStream, KeyHash, StreamHasher};
use bouquet_hash::{SipKeyed, Xxh3, Xxh3Wide, murmur3};

use crate::race::Hash;

/// All that there are.
pub fn hashes() -> Vec<Hash> {
    let murmur = Hash::new("murmur3-128, one pass", OURS, 128, |key| {
        murmur3::x64_64(key, 0)
    });
    let mut all = vec![
        ours("xxh3, remixed", 64, Xxh3::new()),
        ours("xxh3 in 128 bits", 128, Xxh3Wide::new()),
        ours("siphash-1-3, keyed", 128, SipKeyed::with_key([7; 16])),
        murmur
            .in_parts(
                || murmur3::Murmur3::new(0),
                |state, part| state.write(part),
                |state| state.finish()[0],
            )
            .ours(),
    ];
    all.extend(field::all());
    all
}

/// This package has the version of the workspace.
const OURS: &str = concat!("bouquet-hash ", env!("CARGO_PKG_VERSION"));

/// Both words count: the filters need them.
fn both(hash: KeyHash) -> u64 {
    hash.place ^ hash.probe
}

fn ours<H: StreamHasher + Copy + 'static>(name: &'static str, bits: u32, hasher: H) -> Hash {
    Hash::new(name, OURS, bits, move |key| both(hasher.hash(key)))
        .in_parts(
            move || hasher.stream(),
            |state, part| state.write(part),
            |state| both(state.finish()),
        )
        .ours()
}
