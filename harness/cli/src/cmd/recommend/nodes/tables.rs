//! The structures beside each other, and the formulas beside what was made.

use bouquet_advise::beyond::{Checked, Node};
use bouquet_advise::recommend::{Bytes, Candidate, share_words};
use bouquet_ground::units::time;
use bouquet_render::columns::{Table, Value};

pub fn name(candidate: Candidate) -> &'static str {
    match candidate {
        Candidate::SortedArray => "list (sorted)",
        Candidate::HashSet => "map",
        other => other.name(),
    }
}

/// For people.
pub fn for_people(link: Bytes, planned: &[Node]) -> Table {
    let bytes = |bytes: f64| Bytes(bytes).to_string();
    Table::answer(planned)
        .column("structure", |node| name(node.candidate))
        .column("bits per key", |node| {
            (node.bits_per_key * 100.0).round() / 100.0
        })
        .column("memory", |node| bytes(node.bytes * node.nodes as f64))
        .column("nodes", |node| node.nodes)
        .column("keys per node", |node| node.keys)
        .column("memory per node", |node| bytes(node.bytes))
        .column("FPR, one asked", |node| share_words(node.fpr_one))
        .column("FPR, all asked", |node| share_words(node.fpr_all))
        .column("refresh", |node| bytes(node.refresh_bytes))
        .column("over the link", |node| {
            time(node.refresh_bytes / link.0 * 1e9)
        })
        .column("rebuild of a node", |node| {
            node.rebuild_s.map(|s| time(s * 1e9))
        })
        .table()
}

/// For programs.
pub fn plain(link: Bytes, planned: &[Node]) -> Table {
    Table::answer(planned)
        .column("structure", |node| node.candidate.name())
        .column("bits_per_key", |node| node.bits_per_key)
        .column("nodes", |node| node.nodes)
        .column("keys_per_node", |node| node.keys)
        .column("room_per_node", |node| node.room)
        .column("bytes_per_node", |node| node.bytes)
        .column("payload_bytes_per_node", |node| node.payload_bytes)
        .column("fpr_one_asked", |node| node.fpr_one)
        .column("fpr_all_asked", |node| node.fpr_all)
        .column("refresh_bytes", |node| node.refresh_bytes)
        .column("refresh_s", |node| node.refresh_bytes / link.0)
        .column("rebuild_s", |node| node.rebuild_s)
        .table()
}

pub fn checked(checks: &[Checked]) -> Table {
    let agrees = |agrees: Option<bool>| agrees.map_or("not judged".into(), Value::from);
    Table::answer(checks)
        .column("structure", |check| name(check.candidate))
        .column("what", |check| check.what)
        .column("formula", |check| check.formula)
        .column("measured", |check| check.measured)
        .column("agrees", |check| agrees(check.agrees))
        .table()
}
