//! The formulas against a small case: nodes that are really made, on this
//! machine.

use std::collections::HashSet;

use anyhow::{Result, bail, ensure};

use super::cluster::{Cluster, Node};
use crate::recommend::{Candidate, Class, Times, is_built_in};
use bouquet_lab::registry::{Made, bitmap_bytes, make_set};
use bouquet_lab::speed::{SetLoops, StoredKeys, counted, timed};
use bouquet_lab::workload::mix;
use bouquet_stats::proportion;

/// So many that what a filter takes beside its bits is that of another size than
/// the one it is predicted from.
const KEYS: u64 = 720_000;
const NODES: u64 = 8;
/// Of a bitmap.
const BELOW: u64 = 20 * KEYS;
const TARGET: f64 = 0.05;
const NON_MEMBERS: u64 = 200_000;
/// The FPR of one filter differs from the next by so much beside the chance of
/// its hits.
const SPREAD: f64 = 0.01;
/// What a filter takes beside its bits differs by what fills a line, of each of
/// its shards.
const LINE: f64 = 64.0;
/// A static filter is counted with the value itself.
const VALUE: f64 = 128.0;

/// One formula against what was made.
#[derive(Clone, Debug)]
pub struct Checked {
    pub candidate: Candidate,
    pub what: &'static str,
    pub formula: f64,
    pub measured: f64,
    /// `None`: reported, not judged.
    pub agrees: Option<bool>,
}

/// Makes the small case of every structure that this program can make.
///
/// # Errors
///
/// One cannot be made.
pub fn check(candidates: &[Candidate], times: &Times) -> Result<Vec<Checked>> {
    let cluster = small(KEYS);
    let mut checked = Vec::new();
    for &candidate in candidates {
        if !is_built_in(candidate) {
            continue;
        }
        let nodes = match candidate.class() {
            Class::Exact => 1,
            _ => NODES,
        };
        let node = cluster.node(candidate, nodes, times)?;
        match candidate.class() {
            Class::Exact => checked.push(exact(&node)?),
            _ => checked.extend(filters(&node, times)?),
        }
    }
    Ok(checked)
}

fn small(keys: u64) -> Cluster {
    Cluster {
        keys,
        fpr: TARGET,
        key_bytes: 8,
        integers_below: Some(BELOW),
    }
}

/// Bytes, to so many.
fn within(candidate: Candidate, what: &'static str, sizes: [f64; 2], apart: f64) -> Checked {
    let [formula, measured] = sizes;
    Checked {
        candidate,
        what,
        formula,
        measured,
        agrees: Some((formula - measured).abs() <= apart),
    }
}

/// What holds keys: as allocated, or by its room where no allocator counts.
fn exact(node: &Node) -> Result<Checked> {
    let (room, allocated) = match node.candidate {
        Candidate::SortedArray => {
            let (list, allocated) = counted(|| (0..KEYS).collect::<Vec<u64>>());
            (8.0 * list.capacity() as f64, allocated)
        }
        Candidate::HashSet => {
            let (set, allocated) = counted(|| (0..KEYS).collect::<HashSet<u64>>());
            // Seven eighths of the buckets, each of a key and a byte.
            (set.capacity() as f64 * 8.0 / 7.0 * 9.0 + 16.0, allocated)
        }
        Candidate::Bitmap => (bitmap_bytes(BELOW)? as f64, None),
        other => bail!("{} is not planned for", other.name()),
    };
    let measured = allocated.map_or(room, |bytes| bytes as f64);
    let sizes = [node.bytes, measured];
    Ok(within(node.candidate, "bytes per node", sizes, LINE))
}

/// The node of a key: not by the hash that the filters use.
fn node_of(key: u64) -> usize {
    (mix(key ^ 0x5eed) % NODES) as usize
}

/// Nodes that were filled.
#[derive(Default)]
struct Filled {
    nodes: Vec<Box<dyn SetLoops>>,
    ns_per_key: f64,
    keys: Vec<u64>,
    /// Bytes that each has allocated, where they are counted.
    allocated: Vec<i64>,
}

fn filled(node: &Node) -> Result<Filled> {
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
    let mut filled = Filled::default();
    for part in parts {
        let count = part.len();
        let keys = StoredKeys::Integers(part);
        let (done, bytes) = counted(|| -> Result<_> {
            let mut set = make_set(node.candidate.name(), &made)?;
            let (accepted, took) = timed(|| set.insert(&keys, 0..count));
            let (finished, more) = timed(|| set.finish());
            finished?;
            Ok((set, accepted, took + more))
        });
        let (set, accepted, took) = done?;
        ensure!(
            accepted == count as u64,
            "{} rejected keys",
            node.candidate.name()
        );
        filled.ns_per_key += took / KEYS as f64;
        filled.nodes.push(set);
        filled.keys.push(count as u64);
        filled.allocated.extend(bytes);
    }
    Ok(filled)
}

fn filters(node: &Node, times: &Times) -> Result<Vec<Checked>> {
    let filled = filled(node)?;
    let mut checked = bytes(node, &filled, times)?;
    checked.extend(rates(node, &filled.nodes));
    if !cfg!(debug_assertions)
        && let Some(formula) = node.rebuild_s
    {
        checked.push(Checked {
            candidate: node.candidate,
            what: "rebuild of a node, s",
            formula,
            measured: filled.ns_per_key * node.keys as f64 / 1e9,
            // Another machine's times.
            agrees: None,
        });
    }
    Ok(checked)
}

fn bytes(node: &Node, filled: &Filled, times: &Times) -> Result<Vec<Checked>> {
    let within = |what, sizes, apart| within(node.candidate, what, sizes, apart);
    let all_bytes: Vec<_> = filled.nodes.iter().filter_map(|set| set.bytes()).collect();
    if let Some(most) = all_bytes.iter().map(|bytes| bytes.allocated).max() {
        let stored: u64 = all_bytes.iter().map(|bytes| bytes.stored).sum();
        let lines = node
            .candidate
            .ours()
            .map_or(1.0, |own| f64::from(own.parts));
        return Ok(vec![
            within(
                "bytes per node",
                [node.bytes.ceil(), most as f64],
                lines * LINE,
            ),
            within(
                "bytes of a refresh",
                [node.refresh_bytes, stored as f64],
                NODES as f64 * lines * LINE,
            ),
        ]);
    }
    // A static filter is sized for the keys that it really has.
    let (mut formula, mut measured) = (0.0, 0.0);
    for (keys, allocated) in filled.keys.iter().zip(&filled.allocated) {
        let own = small(*keys).node(node.candidate, 1, times)?;
        formula += own.bytes / NODES as f64;
        measured += *allocated as f64 / NODES as f64;
    }
    Ok(vec![within("bytes per node", [formula, measured], VALUE)])
}

fn rates(node: &Node, nodes: &[Box<dyn SetLoops>]) -> [Checked; 2] {
    let non_members: Vec<u64> = (0..NON_MEMBERS).map(|i| mix(KEYS + i)).collect();
    let kept = StoredKeys::Integers(non_members.clone());
    let (mut one, mut any) = (0, 0);
    for (at, key) in non_members.into_iter().enumerate() {
        let holds = |set: &dyn SetLoops| set.look_up(&kept, at..at + 1) == 1;
        one += u64::from(holds(&*nodes[node_of(key)]));
        any += u64::from(nodes.iter().any(|set| holds(&**set)));
    }
    [
        ("FPR, one node asked", node.fpr_one, one),
        ("FPR, all asked", node.fpr_all, any),
    ]
    .map(|(what, formula, found)| {
        let interval = proportion(found, NON_MEMBERS, 0.9999);
        let low = (1.0 - SPREAD) * interval.low;
        let high = (1.0 + SPREAD) * interval.high;
        Checked {
            candidate: node.candidate,
            what,
            formula,
            measured: found as f64 / NON_MEMBERS as f64,
            agrees: Some((low..=high).contains(&formula)),
        }
    })
}
