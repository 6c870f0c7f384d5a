//! The formulas against a small case: nodes that are really made, on this
//! machine.

use std::collections::HashSet;

use anyhow::{Result, bail};

use super::cluster::{Cluster, Node};
use crate::{
    recommend::{Candidate, Times},
    registry::{Made, hold},
    speed::{Hold, Kept, timed},
    stats::proportion,
    workload::mix,
};

const KEYS: u64 = 40_000;
const NODES: u64 = 8;
const TARGET: f64 = 0.05;
const STRANGERS: u64 = 20_000;
/// The FPR of one filter differs from the next by so much beside the chance of
/// its hits.
const SPREAD: f64 = 0.05;

/// One formula against what was made.
#[derive(Clone, Debug)]
pub struct Checked {
    pub candidate: Candidate,
    pub what: &'static str,
    pub formula: f64,
    pub measured: f64,
    pub agrees: bool,
}

/// Makes the small case of every structure.
///
/// # Errors
///
/// One cannot be made.
pub fn check(candidates: &[Candidate], times: &Times) -> Result<Vec<Checked>> {
    let cluster = Cluster {
        keys: KEYS,
        fpr: TARGET,
        key_bytes: 8,
        integers_below: None,
    };
    let mut checked = Vec::new();
    for &candidate in candidates {
        if candidate.is_sized() {
            let node = cluster.node(candidate, NODES, times)?;
            checked.extend(filters(&node)?);
        }
        if candidate == Candidate::HashSet {
            let node = cluster.node(candidate, 1, times)?;
            let set: HashSet<u64> = (0..KEYS).collect();
            // Seven eighths of the buckets, each of a key and a byte.
            let measured = set.capacity() as f64 * 8.0 / 7.0 * 9.0 + 16.0;
            checked.push(exactly(candidate, "bytes per node", node.bytes, measured));
        }
    }
    Ok(checked)
}

fn exactly(candidate: Candidate, what: &'static str, formula: f64, measured: f64) -> Checked {
    Checked {
        candidate,
        what,
        formula,
        measured,
        agrees: (formula - measured).abs() <= 1e-6 * formula,
    }
}

/// The node of a key: not by the hash that the filters use.
fn node_of(key: u64) -> usize {
    (mix(key ^ 0x5eed) % NODES) as usize
}

/// Nodes that were filled.
struct Made8 {
    nodes: Vec<Box<dyn Hold>>,
    ns_per_key: f64,
}

fn made(node: &Node) -> Result<Made8> {
    let mut parts = vec![Vec::new(); NODES as usize];
    for key in (0..KEYS).map(mix) {
        parts[node_of(key)].push(key);
    }
    let made = Made {
        capacity: node.room,
        target_fpr: TARGET,
        keyed: false,
        below: 0,
    };
    let (mut nodes, mut ns) = (Vec::new(), 0.0);
    for part in parts {
        let mut set = hold(node.candidate.name(), &made)?;
        let count = part.len();
        let keys = Kept::Integers(part);
        let (accepted, took) = timed(|| set.insert(&keys, 0..count));
        if accepted != count as u64 {
            bail!("{} refused keys", node.candidate.name());
        }
        ns += took;
        nodes.push(set);
    }
    Ok(Made8 {
        nodes,
        ns_per_key: ns / KEYS as f64,
    })
}

fn filters(node: &Node) -> Result<Vec<Checked>> {
    let Made8 { nodes, ns_per_key } = made(node)?;
    let bytes: Vec<_> = nodes.iter().filter_map(|set| set.bytes()).collect();
    let stored: u64 = bytes.iter().map(|bytes| bytes.stored).sum();
    let allocated = bytes.iter().map(|bytes| bytes.allocated).max().unwrap_or(0);
    let strangers = Kept::Integers((0..STRANGERS).map(|i| mix(KEYS + i)).collect());
    let (mut one, mut any) = (0, 0);
    for at in 0..strangers.len() {
        let Kept::Integers(keys) = &strangers else {
            break;
        };
        let holds = |set: &dyn Hold| set.ask(&strangers, at..at + 1) == 1;
        one += u64::from(holds(&*nodes[node_of(keys[at])]));
        any += u64::from(nodes.iter().any(|set| holds(&**set)));
    }
    let rate = |what, formula, held| {
        let interval = proportion(held, STRANGERS, 0.9999);
        let measured = held as f64 / STRANGERS as f64;
        let (low, high) = (
            (1.0 - SPREAD) * interval.low,
            (1.0 + SPREAD) * interval.high,
        );
        Checked {
            candidate: node.candidate,
            what,
            formula,
            measured,
            agrees: (low..=high).contains(&formula),
        }
    };
    let mut checked = vec![
        exactly(
            node.candidate,
            "bytes per node",
            node.bytes.ceil(),
            allocated as f64,
        ),
        exactly(
            node.candidate,
            "bytes of a refresh",
            node.refresh_bytes,
            stored as f64,
        ),
        rate("FPR, one node asked", node.fpr_one, one),
        rate("FPR, all asked", node.fpr_all, any),
    ];
    if !cfg!(debug_assertions)
        && let Some(formula) = node.rebuild_s
    {
        checked.push(Checked {
            candidate: node.candidate,
            what: "rebuild of a node, s",
            formula,
            measured: ns_per_key * node.keys as f64 / 1e9,
            // Another machine's times: told, not judged.
            agrees: true,
        });
    }
    Ok(checked)
}
