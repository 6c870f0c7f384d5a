//! The crates that Rust users take today, each at its released version and as it
//! comes: its own default hasher, its own constructor for a target FPR. Where a
//! seed can be set it is.
//!
//! Built only with the feature `peers`.

mod bloom2;
pub(super) mod bloomfilter;
mod broomfilter;
pub(super) mod fastbloom;
pub(super) mod growable;
pub(super) mod probabilistic;
pub(super) mod qfilter;
pub(super) mod sbbf;
pub(super) mod scalable_cuckoo;
pub(super) mod xorf;

use anyhow::Result;

use bouquet_stats::witness::{Array, fpr_at_fill};

use super::{Entry, Request, Size, State, Subject, state};
use crate::speed::Insertable;

/// In the order of the table. A peer's false negatives are counted and shown; they
/// fail nothing.
pub fn peers() -> Vec<Entry> {
    vec![
        fastbloom::plain(),
        fastbloom::atomic(),
        bloomfilter::contender(),
        probabilistic::contender(),
        growable::contender(),
        sbbf::contender(),
        bloom2::contender(),
        broomfilter::plain(),
        broomfilter::blocked(),
        scalable_cuckoo::contender(),
        qfilter::fixed(),
        qfilter::resizeable(),
        xorf::fuse8(),
        xorf::fuse16(),
    ]
}

const CLASSIC: &str = "the classic exact form for the m and k that the crate chose";
const PROMISED: &str = "the FPR that was asked for, which the crate promises at any load it takes";

/// Of one array of bits, all that theory says; and where the crate gives how many are
/// set, what these do.
fn classic(bits: u64, hashes: u32, memory: u64, keys: u64, ones: Option<u64>) -> State {
    let fill = ones.map(|ones| ones as f64 / bits as f64);
    State {
        fill_ratio: fill.unwrap_or(f64::NAN),
        fpr_given_bits: fill.map(|fill| fpr_at_fill(fill, hashes)),
        ..state(
            bits,
            hashes,
            memory,
            Array::whole(bits, hashes).fpr(keys).mean,
        )
    }
}

/// The target FPR, for a crate that knows no other way to be sized.
fn target(name: &str, request: &Request) -> Result<f64> {
    match request.size {
        Size::TargetFpr(fpr) => Ok(fpr),
        Size::BitsPerKey(_) => anyhow::bail!("{name} is sized by a target FPR alone"),
    }
}

/// A seed of as many bytes as a crate wants, no two words of it equal.
pub(super) fn wide_seed<const BYTES: usize>(seed: u64) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    for (i, word) in bytes.chunks_mut(8).enumerate() {
        // An odd multiplier keeps different seeds different.
        let mixed = (seed ^ i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        word.copy_from_slice(&(mixed ^ (mixed >> 29)).to_le_bytes()[..word.len()]);
    }
    bytes
}

/// A peer's filter that takes and answers keys as it does where it is timed.
struct Peer<F>(F);

/// Statistics of its current contents.
trait Resolved: Insertable<[u8]> + 'static {
    fn state_with(&self, keys: u64) -> State;

    /// As its documentation says where keys will be removed.
    fn add(&mut self, key: &[u8]) -> bool {
        self.insert(key)
    }

    /// Only asked of filters that remove.
    fn forget(&mut self, _key: &[u8]) -> bool {
        false
    }
}

impl<F: Resolved> Subject for Peer<F> {
    fn insert(&mut self, key: &[u8]) -> bool {
        self.0.add(key)
    }

    fn contains(&self, key: &[u8]) -> bool {
        Insertable::contains(&self.0, key)
    }

    fn remove(&mut self, key: &[u8]) -> bool {
        self.0.forget(key)
    }

    fn state(&self, keys: u64) -> State {
        self.0.state_with(keys)
    }
}

#[cfg(test)]
mod tests;
