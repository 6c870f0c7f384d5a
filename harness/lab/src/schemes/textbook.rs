//! Schemes of textbooks and tutorials, without a known fault unless said so.

use bouquet_core::{KeyHash, KeyHasher, Locate};
use bouquet_hash::{
    Xxh3, Xxh3Wide,
    murmur3::x64_128,
    reduce::multiply_shift,
    scheme::{DoubleHashing, EnhancedDoubleHashing},
};
use sha2::{Digest, Sha256};

use super::{
    Locator, Pairs, Probing, Scheme, claiming,
    functions::*,
    weak::{double_hashing, independent},
};

pub fn schemes() -> Vec<Scheme> {
    vec![
        Scheme {
            name: "double-hashing",
            about: "h1 + i h2 mod m (Kirsch and Mitzenmacher 2006), over XXH3",
            role: "known-good",
            make: |at| {
                xxh3(
                    DoubleHashing::new(at.slots, at.probes)?,
                    Pairs::Stride,
                    at.seed,
                )
            },
        },
        Scheme {
            name: "enhanced-double-hashing",
            about: "Double hashing with a cubic term (Dillinger and Manolios 2004), over XXH3",
            role: "known-good",
            make: |at| {
                let geometry = EnhancedDoubleHashing::new(at.slots, at.probes)?;
                xxh3(geometry, Pairs::Enhanced, at.seed)
            },
        },
        Scheme {
            name: "murmur3-double-hashing",
            about: "h1 + i h2 over the words of MurmurHash3 x64 128, wrapping, then mod m",
            role: "known-good",
            make: |at| {
                let hash = move |key: &[u8]| x64_128(key, at.seed as u32);
                let place = move |[h1, h2]: &[u64; 2], i: u32| {
                    h1.wrapping_add(u64::from(i).wrapping_mul(*h2)) % at.slots
                };
                Probing::claiming(at, Pairs::WrappingStride, hash, place)
            },
        },
        Scheme {
            name: "odd-double-hashing",
            about: "Double hashing with h2 forced odd: at even m the differences of \
                    neighbouring probes are odd, which pairs of probes show",
            role: "known-structure",
            make: |at| {
                let hasher = Xxh3Wide::with_seed(at.seed);
                double_hashing(at, move |key| {
                    let hash = hasher.hash(key);
                    (hash.place, hash.probe | 1)
                })
            },
        },
        Scheme {
            name: "independent",
            about: "A hash of its own for each probe: what theory assumes",
            role: "known-good",
            make: |at| independent(at, multiply_shift),
        },
        Scheme {
            name: "rotate-multiply",
            about: "XXH3, multiplied and rotated from probe to probe, multiply-shift",
            role: "known-good",
            make: |at| {
                let hasher = Xxh3::with_seed(at.seed);
                let hash = move |key: &[u8]| hasher.hash(key).place;
                Probing::boxed(at, hash, move |word, i| {
                    let turn = |word: u64| word.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
                    multiply_shift((0..i).fold(*word, |word, _| turn(word)), at.slots)
                })
            },
        },
        Scheme {
            name: "sha256-rounds",
            about: "SHA-256 of the key and the probe index in decimal, mod m: slow and even",
            role: "known-good",
            make: |at| {
                let hash = |key: &[u8]| Sha256::new_with_prefix(key);
                Probing::boxed(at, hash, move |state, i| {
                    let digest = state.clone().chain_update(i.to_string()).finalize();
                    remainder(&digest.into(), at.slots)
                })
            },
        },
        Scheme {
            name: "fnv-double-hashing",
            about: "Double hashing over FNV-1a and FNV-1 in 64 bits",
            role: "textbook",
            make: |at| double_hashing(at, |key| (fnv1a_64(key), fnv1_64(key))),
        },
    ]
}

fn xxh3<G>(geometry: G, pairs: Pairs, seed: u64) -> anyhow::Result<Box<dyn Locator>>
where
    G: Locate<Hash = KeyHash> + 'static,
{
    let hasher = Xxh3::with_seed(seed);
    claiming(geometry, move |key| hasher.hash(key), pairs)
}

/// A big-endian number mod m, word by word.
fn remainder(bytes: &[u8; 32], m: u64) -> u64 {
    let (words, _) = bytes.as_chunks::<8>();
    words.iter().fold(0, |rest, word| {
        let whole = u128::from(rest) << 64 | u128::from(u64::from_be_bytes(*word));
        (whole % u128::from(m)) as u64
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_number_has_the_remainder_of_python() {
        // int(hashlib.sha256(b"tulip0").hexdigest(), 16) % 958511
        let digest = Sha256::digest(b"tulip0");
        let mut bits = 0;
        for byte in digest {
            for bit in (0..8).rev() {
                bits = (2 * bits + u64::from(byte >> bit & 1)) % 958_511;
            }
        }
        assert_eq!(remainder(&digest.into(), 958_511), bits);
    }
}
