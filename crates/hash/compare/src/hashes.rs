//! Hash functions: ours, and widely used ones, each by a well-maintained crate.

mod field;

use bouquet_core::{HashStream, KeyHash, StreamHasher};
use bouquet_hash::{Folded, SipKeyed, Xxh3, Xxh3Wide, murmur3};

use crate::comparison::Hash;

/// All hash functions.
pub fn hashes() -> Vec<Hash> {
    let murmur = Hash::new("murmur3-128, one pass", OURS, 128, |key| {
        murmur3::x64_64(key, 0)
    });
    let mut all = vec![
        ours("folded multiplications", 64, Folded::new()),
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

/// Both words count: the filters need them. One is rotated, because what is in both unchanged
/// would cancel in an XOR, and its computation with it: the high word of `Folded`'s product.
fn both(hash: KeyHash) -> u64 {
    hash.place ^ hash.probe.rotate_left(32)
}

fn ours<H: StreamHasher + Copy + 'static>(name: &'static str, bits: u32, hasher: H) -> Hash {
    Hash::new(name, OURS, bits, move |key| both(hasher.hash(key)))
        .in_parts(
            move || hasher.stream(),
            |state, part| state.write(part),
            |state| both(state.finish()),
        )
        .judged_by(move |key| hasher.hash(key))
        .ours()
}

#[cfg(test)]
mod tests {
    use bouquet_core::KeyHasher;

    use super::*;

    #[test]
    fn ours_are_evaluated_by_both_words() {
        let folded = Folded::new();
        let hash = ours("folded", 64, folded);
        for key in 0..100u64 {
            let key = key.to_le_bytes();
            assert_eq!(hash.of(&key), folded.hash(&key));
        }
    }

    #[test]
    fn no_word_leaves_what_is_timed() {
        // The last step of `Folded`, by the two words of its product.
        let of = |high: u64, low: u64| KeyHash::new(high ^ low, high ^ low.rotate_left(23));
        assert_ne!(both(of(1, 7)), both(of(2, 7)));
        assert_ne!(both(of(1, 7)), both(of(1, 8)));
    }
}
