//! The location schemes of textbooks and tutorials. They have no known fault, unless their
//! description mentions one.

use bouquet_core::{KeyHash, KeyHasher, Locate};
use bouquet_hash::{
    Xxh3,
    murmur3::x64_128,
    reduce::multiply_shift,
    scheme::{DoubleHashing, EnhancedDoubleHashing},
};
use sha2::{Digest, Sha256};

use super::{
    Locator, Pairs, Scheme, claiming,
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
                Locator::probing(at, Pairs::WrappingStride, hash, place)
            },
        },
        Scheme {
            name: "independent",
            about: "A hash of its own for each probe: what theory assumes",
            role: "known-good",
            make: |at| independent(at, multiply_shift),
        },
        Scheme {
            name: "sha256-rounds",
            about: "SHA-256 of the key and the probe index in decimal, mod m: slow and even",
            role: "known-good",
            make: |at| {
                let hash = |key: &[u8]| Sha256::new_with_prefix(key);
                Locator::probing(at, Pairs::Independent, hash, move |state, i| {
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

fn xxh3<G>(geometry: G, pairs: Pairs, seed: u64) -> anyhow::Result<Locator>
where
    G: Locate<Hash = KeyHash> + 'static,
{
    let hasher = Xxh3::with_seed(seed);
    claiming(geometry, move |key| hasher.hash(key), pairs)
}

/// FNV-1a in 64 bits.
pub fn fnv1a_64(key: &[u8]) -> u64 {
    key.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// FNV-1 in 64 bits, which multiplies before it combines the byte.
pub fn fnv1_64(key: &[u8]) -> u64 {
    key.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        hash.wrapping_mul(0x0100_0000_01b3) ^ u64::from(*byte)
    })
}

/// The remainder of a big-endian number mod m, computed word by word.
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

    /// Test vectors from the authors of FNV.
    #[test]
    fn published_values() {
        assert_eq!(fnv1a_64(b"foobar"), 0x8594_4171_f739_67e8);
        assert_eq!(fnv1_64(b"foobar"), 0x340d_8765_a4dd_a9c2);
    }

    #[test]
    fn a_long_number_has_the_remainder_of_python() {
        // The expected value is that of Python's int(hashlib.sha256(b"tulip0").hexdigest(), 16) %
        // 958511.
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
