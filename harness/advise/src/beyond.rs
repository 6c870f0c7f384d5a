//! Beyond one machine, by formulas: how many nodes a set of keys takes, what each
//! holds, what a refresh sends, what the FPR is over shards, how long a rebuild
//! takes. The same formulas are compared with a small case that is really made.

mod check;
mod cluster;

pub use check::{Checked, check};
pub use cluster::{Cluster, FORMULAS, Node, nodes, structures};
