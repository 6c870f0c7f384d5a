//! The crate bloom2: a filter over a compressed bitmap.

use std::hash::RandomState;

use anyhow::{Context, Result};
use bloom2::{Bloom2, BloomFilterBuilder, CompressedBitmap, FilterSize};

use bouquet_stats::witness::fpr_at_fill;

use super::{Entry, State, Subject, target};

const NAME: &str = "bloom2";

/// Its keys have a size, so that a slice is copied for each call.
type Filter = Bloom2<RandomState, CompressedBitmap, Vec<u8>>;

pub fn contender() -> Entry {
    let about = "The crate bloom2: bits that are compressed while they are few. The parts of one \
                 SipHash-1-3 with random keys are the probes; of its sizes 2^8, 2^16, 2^24 and \
                 2^32 bits the smallest that keeps the target by the textbook form";
    let theory = "the textbook form for probes that must all be set; the crate takes any one";
    Entry::new(NAME, "bloom2 0.5.1", about, theory, |request| {
        let size = size(request.capacity, target(NAME, request)?)?;
        let filter: Filter = BloomFilterBuilder::default().size(size).build();
        Ok(Peer {
            filter,
            size,
            bytes: 0,
        })
    })
}

fn size(capacity: u64, fpr: f64) -> Result<FilterSize> {
    let sizes = [
        FilterSize::KeyBytes1,
        FilterSize::KeyBytes2,
        FilterSize::KeyBytes3,
        FilterSize::KeyBytes4,
    ];
    let keeps = |size: &FilterSize| documented_fpr(*size, capacity) <= fpr;
    sizes
        .into_iter()
        .find(keeps)
        .context("no size keeps this target")
}

/// By its documentation, a 64-bit hash gives so many whole probes.
fn hashes(size: FilterSize) -> u32 {
    8 / size as u32
}

fn documented_fpr(size: FilterSize, keys: u64) -> f64 {
    let (bits, hashes) = (f64::powi(256.0, size as i32), hashes(size));
    let fill = -f64::exp_m1(-f64::from(hashes) * keys as f64 / bits);
    fpr_at_fill(fill, hashes)
}

struct Peer {
    filter: Filter,
    size: FilterSize,
    /// Only whoever may change it can read them.
    bytes: u64,
}

impl Subject for Peer {
    fn insert(&mut self, key: &[u8]) -> bool {
        self.filter.insert(&key.to_vec());
        self.bytes = self.filter.byte_size() as u64;
        true
    }

    fn contains(&self, key: &[u8]) -> bool {
        self.filter.contains(&key.to_vec())
    }

    fn state(&self, keys: u64) -> State {
        let expected = documented_fpr(self.size, keys);
        super::state(self.bytes * 8, hashes(self.size), self.bytes, expected)
    }
}
