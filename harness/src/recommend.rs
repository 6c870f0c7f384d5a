//! Which filter for which workload: who can do it, how large it is, how fast it
//! is, and what a lookup costs with it.
//!
//! From: Lang, Neumann, Kemper and Boncz, "Performance-Optimal Filtering: Bloom
//! overtakes Cuckoo at High Throughput", PVLDB 12(5), 2019.

mod advice;
mod cache;
mod candidates;
mod capability;
mod code;
mod impossible;
mod measure;
mod model;
mod paper;
mod sample;
mod times;
mod use_case;
mod value;
mod work_cost;
mod workload;

pub use advice::{Advice, Row, advise, candidate_targets};
pub use cache::Cache;
pub use candidates::{Candidate, Class};
pub use capability::objections;
pub use code::code;
pub use measure::{INSERTED, Measuring, anchors, is_built_in, measure};
pub use paper::{Overhead, Paper, overhead, paper};
pub use sample::{Own, Sample};
pub use times::{Operations, Times};
pub use value::{Bytes, Count, Fpr, share_words};
pub use work_cost::time;
pub use workload::{KeyKind, Wishes, Workload};
