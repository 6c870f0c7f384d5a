//! Runs the laws of hashers of `bouquet-testkit`.

use bouquet_hash::{Folded, Xxh3, Xxh3Wide};

bouquet_testkit::hasher_laws! {
    folded {
        make: |seed| Folded::with_seed(seed),
        laws: [hasher, seeds, stream],
    }
    xxh3 {
        make: |seed| Xxh3::with_seed(seed),
        laws: [hasher, seeds, stream],
    }
    xxh3_wide {
        make: |seed| Xxh3Wide::with_seed(seed),
        laws: [hasher, seeds, stream],
    }
}

#[cfg(feature = "siphash")]
mod keyed {
    use bouquet_hash::*;

    /// Makes a secret key from the seed that a law supplies.
    fn secret(seed: u64) -> [u8; 16] {
        let mut key = [0x5e; 16];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key
    }

    bouquet_testkit::hasher_laws! {
        sip_keyed {
            make: |seed| SipKeyed::with_key(secret(seed)),
            laws: [hasher, seeds, stream],
        }
    }
}
