//! Which filter for which workload: who can do it, how large it is, how fast it
//! is, and the expected cost per lookup with it.
//!
//! From: Lang, Neumann, Kemper and Boncz, "Performance-Optimal Filtering: Bloom
//! overtakes Cuckoo at High Throughput", PVLDB 12(5), 2019.

mod advice;
mod cache;
mod candidates;
mod capability;
mod code;
#[cfg(test)]
mod contradictions;
mod impossible;
#[cfg(test)]
mod joined;
mod measure;
mod model;
mod requirements;
mod sample;
mod search;
mod sizes;
mod sizing;
mod spend;
mod times;
mod value;
mod workload;
#[cfg(test)]
mod workloads;

pub use advice::{Advice, Offer, advise};
pub use cache::Cache;
#[cfg(test)]
pub use candidates::named;
pub use candidates::{Candidate, Class};
pub use code::{Checkout, code};
pub use measure::{INSERTED, Measuring, anchors, is_built_in, measure};
pub use model::{Piece, Rival};
pub use requirements::{KeyKind, Requirements};
pub use sample::{Own, Sample};
pub use sizes::{candidate_targets, sizes};
pub use sizing::{is_too_large, overhead, sizing, table_bytes};
pub use times::{Operations, Times};
pub use value::{Bytes, Count, Fpr, share_words};
pub use workload::Workload;
