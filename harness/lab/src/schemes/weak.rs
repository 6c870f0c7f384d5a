//! Schemes with a known fault. A test that cannot find them finds nothing.
//!
//! Where the fault lies: in the hash function ([`hashes`]), in how one hash
//! becomes k locations ([`steps`]), or in how a word becomes a slot
//! ([`reductions`]).

mod hashes;
mod reductions;
mod steps;

use anyhow::Result;
use bouquet_core::KeyHash;
use bouquet_hash::scheme::DoubleHashing;

use super::{Locator, MakeLocator, Pairs, Scheme, Wanted, claiming};

pub use reductions::independent;

pub fn schemes() -> Vec<Scheme> {
    let mut all = hashes::schemes();
    all.extend(steps::schemes());
    all.extend(reductions::schemes());
    all
}

/// A scheme that must be found.
pub fn bad(name: &'static str, about: &'static str, make: MakeLocator) -> Scheme {
    Scheme {
        name,
        about,
        role: "known-bad",
        make,
    }
}

/// h1 + i h2 mod m over whatever gives the two words.
pub fn double_hashing<F>(at: Wanted, words: F) -> Result<Box<dyn Locator>>
where
    F: Fn(&[u8]) -> (u64, u64) + 'static,
{
    let geometry = DoubleHashing::new(at.slots, at.probes)?;
    let hash = move |key: &[u8]| {
        let (h1, h2) = words(key);
        KeyHash::new(h1, h2)
    };
    claiming(geometry, hash, Pairs::Stride)
}
