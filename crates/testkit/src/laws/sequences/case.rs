use std::{f64::consts::LN_2, fmt};

use crate::keys::member;

/// Number of different keys in the sequences, more than the capacity of the largest small filter.
pub(super) const KEYS: usize = 48;

/// The approximate maximum number of bits of a filter that is copied and compared: 128 KiB.
const MOST_COMPARED_BITS: f64 = 1_048_576.0;

/// The keys: most of them are pseudo-random, the last ones are short and prefixes of one another.
pub(super) fn pool() -> Vec<Vec<u8>> {
    let short: [&[u8]; 8] = [b"", b"\0", b"\0\0", b"\0\0\0", b"\xff", b"a", b"ab", b"abc"];
    let random = (0..).map(|i| member(i).to_vec()).take(KEYS - short.len());
    random.chain(short.map(<[u8]>::to_vec)).collect()
}

/// One sequence of operations and the parameters of the filter on which it runs.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub capacity: u64,
    pub target_fpr: f64,
    pub seed: u64,
    pub ops: Vec<Op>,
}

impl Case {
    /// Whether the filter is small enough to be copied and compared after every operation.
    pub fn compares(&self) -> bool {
        self.capacity as f64 * bits_per_key(self.target_fpr) <= MOST_COMPARED_BITS
    }
}

/// Bits per key of a classic Bloom filter.
pub(super) fn bits_per_key(target_fpr: f64) -> f64 {
    -target_fpr.log2() / LN_2
}

/// An operation. Keys are given by their indices in the [`pool`].
#[derive(Clone, Debug)]
pub(super) enum Op {
    Insert {
        key: usize,
        copies: usize,
        way: Way,
    },
    InsertBatch(Vec<usize>),
    Extend(Vec<usize>),
    Ask(Vec<usize>),
    Remove {
        key: usize,
        copies: usize,
        hashed: bool,
    },
    Union(Vec<usize>),
    Intersect(Vec<usize>),
    Clear,
    Clone,
}

/// How a key is inserted.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way {
    Bytes,
    Hash,
    SharedBytes,
    SharedHash,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            capacity,
            target_fpr,
            seed,
            ops,
        } = self;
        write!(f, "{capacity} keys at {target_fpr}, seed {seed}:")?;
        for op in ops {
            write!(f, " {op:?}")?;
        }
        Ok(())
    }
}
