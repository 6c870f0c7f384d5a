//! The formulas.

use anyhow::{Result, bail};

use crate::recommend::{
    Candidate, Count, KeyKind, Requirements, Times, Workload, is_too_large, overhead, sizing,
    table_bytes,
};

/// The formulas, as they are shown.
pub const FORMULAS: [&str; 8] = [
    "keys go to S nodes by their hash, n/S each: n/S + 5 sqrt(n/S) on the fullest (binomial; a node \
     exceeds that with probability 3e-7)",
    "memory per node = what the structure takes for so many keys: a filter by its own exact sizing, \
     with the value itself; a list of keys of b bytes b per key; a map (hashbrown) the next power of \
     two of 8/7 of the keys, times b + 1; a bitmap U/8 bytes; a binary fuse filter 1.125 \
     fingerprints per key and more where keys are few",
    "nodes: the fewest S whose memory per node fits (--node-memory), or those given (--nodes)",
    "FPR, one node asked = p(n/S): the key's own node answers",
    "FPR, all asked = 1 - (1 - p(n/S))^S: whoever does not know the node asks every one",
    "refresh = the bytes of all S files: bits, headers, check sums; over a link of L bytes per second, \
     by L",
    "a filter that all share, sized for all n, is sent whole to each who has it: refresh bytes at \
     --nodes 1",
    "rebuild = n/S times the time of an insert, each node its own keys on one thread",
];

/// The deviations above the mean that a node is sized for.
const DEVIATIONS: f64 = 5.0;

/// More nodes than this are none that anyone has.
const MOST_NODES: u64 = 10_000_000;

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct Cluster {
    pub keys: u64,
    pub fpr: f64,
    /// Of a key, for structures that hold keys; 8 is an integer.
    pub key_bytes: u64,
    /// Keys are integers below this.
    pub integers_below: Option<u64>,
}

/// A structure on every node.
#[derive(Clone, Debug)]
pub struct Node {
    pub candidate: Candidate,
    pub nodes: u64,
    /// The mean, and what it is sized for.
    pub keys: u64,
    pub room: u64,
    pub bits_per_key: f64,
    pub bytes: f64,
    /// Of the payload alone.
    pub payload_bytes: f64,
    pub fpr_one: f64,
    pub fpr_all: f64,
    /// Of all nodes together.
    pub refresh_bytes: f64,
    /// Of one node; empty where nobody measured an insert.
    pub rebuild_s: Option<f64>,
}

/// What a key set can be stored in: the keys, a bit for each possible key, filters.
pub fn structures(cluster: &Cluster) -> impl Iterator<Item = Candidate> {
    let has_bitmap = cluster.integers_below.is_some();
    let order = [
        Candidate::SortedArray,
        Candidate::HashSet,
        Candidate::Bitmap,
    ];
    let filters = Candidate::all().into_iter().filter(|one| match one {
        // What threads of a node do is no part of the plan.
        Candidate::InShards(_) => false,
        Candidate::Fuse8 | Candidate::Fuse16 => true,
        one => one.is_sized(),
    });
    order
        .into_iter()
        .filter(move |one| *one != Candidate::Bitmap || has_bitmap)
        .chain(filters)
}

impl Cluster {
    /// One node's part as a workload. The integers of a node are as far apart as
    /// its keys: a bitmap takes the range of integers, not their hash, for its
    /// part.
    fn part(&self, keys: u64, nodes: u64) -> Result<Workload> {
        let requirements = Requirements {
            capacity: Some(Count(keys)),
            key_kind: Some(if self.key_bytes == 8 {
                KeyKind::U64
            } else {
                KeyKind::Url
            }),
            ..Requirements::default()
        };
        let mut workload = Workload::new(&requirements, None, None)?;
        workload.key_bytes = self.key_bytes as f64;
        workload.integers_below = self
            .integers_below
            .map(|below| below.div_ceil(nodes).max(1));
        Ok(workload)
    }

    /// Bytes of what holds keys, all of one length and side by side.
    fn flat(&self, candidate: Candidate, keys: u64) -> Option<f64> {
        let (keys, length) = (keys as f64, self.key_bytes as f64);
        match candidate {
            Candidate::SortedArray => Some(keys * length),
            Candidate::HashSet => Some(table_bytes(keys, length)),
            _ => None,
        }
    }

    /// The structure on so many nodes.
    ///
    /// # Errors
    ///
    /// None is so large.
    pub fn node(&self, candidate: Candidate, nodes: u64, times: &Times) -> Result<Node> {
        let keys = self.keys.div_ceil(nodes);
        let room = if nodes == 1 {
            keys
        } else {
            (keys as f64 + DEVIATIONS * (keys as f64).sqrt()).ceil() as u64
        };
        let workload = self.part(room, nodes)?;
        let sizing = sizing(candidate, &workload, self.fpr)?;
        let payload = self.flat(candidate, room).unwrap_or(sizing.payload_bytes);
        let over = overhead(candidate, &workload, self.fpr)?;
        let fpr_one = sizing.fpr(keys).unwrap_or(1.0);
        let bytes = payload + over.memory;
        let insert = times.of(candidate, room, sizing.target_fpr);
        Ok(Node {
            candidate,
            nodes,
            keys,
            room,
            bits_per_key: 8.0 * bytes / keys as f64,
            bytes,
            payload_bytes: payload,
            fpr_one,
            // 1 - (1 - p)^S without the loss of digits.
            fpr_all: -(nodes as f64 * (-fpr_one).ln_1p()).exp_m1(),
            refresh_bytes: nodes as f64 * (payload + over.stored),
            rebuild_s: insert.map(|times| times.insert.median * keys as f64 / 1e9),
        })
    }
}

/// The structure on the fewest nodes of so much memory.
///
/// # Errors
///
/// There are not so many nodes, or no number of them would do.
pub fn nodes(cluster: &Cluster, candidate: Candidate, memory: f64, times: &Times) -> Result<Node> {
    let fits = |nodes: u64| match cluster.node(candidate, nodes, times) {
        Ok(node) => Ok(node.bytes <= memory),
        // More nodes have less each; of all else they have as much.
        Err(error) if is_too_large(&error) => Ok(false),
        Err(error) => Err(error),
    };
    let (mut fails, mut holds) = (0, 1);
    while !fits(holds)? {
        (fails, holds) = (holds, 2 * holds);
        if holds > MOST_NODES {
            bail!(
                "{}: more than {MOST_NODES} nodes of {memory} bytes",
                candidate.name()
            );
        }
    }
    while holds - fails > 1 {
        let middle = fails + (holds - fails) / 2;
        if fits(middle)? {
            holds = middle;
        } else {
            fails = middle;
        }
    }
    cluster.node(candidate, holds, times)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recommend::named;

    const HUGE: Cluster = Cluster {
        keys: 1_000_000_000_000,
        fpr: 0.01,
        key_bytes: 16,
        integers_below: Some(1 << 60),
    };

    #[test]
    fn a_million_million_keys_overflow_nothing() {
        let times = Times::committed("u64", false).unwrap();
        let memory = 64.0 * 1_073_741_824.0;
        for candidate in [Candidate::PLAIN, named("cuckoo"), Candidate::HashSet] {
            let node = nodes(&HUGE, candidate, memory, &times).unwrap();
            assert!(
                node.bytes <= memory && node.bytes > 0.4 * memory,
                "{node:?}"
            );
            assert!(node.refresh_bytes.is_finite() && node.fpr_all <= 1.0);
            let all = node.nodes as f64 * node.keys as f64;
            assert!((1.0..1.001).contains(&(all / 1e12)), "{node:?}");
        }
        // 9.585 bits per key.
        let node = nodes(&HUGE, Candidate::PLAIN, memory, &times).unwrap();
        assert_eq!(node.nodes, 18);
        assert!(
            nodes(&HUGE, Candidate::Bitmap, memory, &times)
                .unwrap()
                .nodes
                > 1_000_000
        );
    }

    #[test]
    fn what_more_nodes_do_not_mend_is_an_error() {
        let times = Times::committed("u64", false).unwrap();
        let low = Cluster {
            keys: 1_000_000,
            fpr: 1e-15,
            ..HUGE
        };
        let error = nodes(&low, Candidate::PLAIN, 1e12, &times).unwrap_err();
        assert!(format!("{error:#}").contains("hash"), "{error:#}");
    }

    #[test]
    fn asking_all_nodes_adds_their_rates_up() {
        let times = Times::committed("u64", false).unwrap();
        let node = HUGE.node(named("blocked"), 50, &times).unwrap();
        assert!((node.fpr_all - (1.0 - (1.0 - node.fpr_one).powi(50))).abs() < 1e-12);
        assert!(node.fpr_one <= 0.01);
        let single = HUGE.node(named("blocked"), 1, &times).unwrap();
        assert!((single.fpr_all - single.fpr_one).abs() < 1e-15);
    }
}
