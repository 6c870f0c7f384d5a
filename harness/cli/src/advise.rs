//! Decides which filter to use for a workload: which candidates meet its requirements, how large
//! and how fast they are, and the expected cost per lookup with each.
//!
//! The cost model is from Lang, Neumann, Kemper and Boncz, "Performance-Optimal Filtering: Bloom
//! overtakes Cuckoo at High Throughput", PVLDB 12(5), 2019.

mod advice;
mod candidates;
mod code;
#[cfg(test)]
mod contradictions;
mod elsewhere;
#[cfg(test)]
mod experts_tests;
#[cfg(test)]
mod joined;
mod measure;
mod requirements;
mod sample;
mod sizing;
mod times;
mod workload;
#[cfg(test)]
mod workloads;

pub use advice::{Advice, FEW_BYTES, Offer, TIE, advise, keys_that_fit};
pub use candidates::{Candidate, Class};
pub use code::code;
pub use elsewhere::{Elsewhere, LOCKED, elsewhere};
pub use measure::measured;
pub use requirements::{Bytes, Growth, Requirements, share_words};
pub use sample::{Own, Sample};
pub use times::Times;
pub use workload::Workload;

/// The workload that the text of a workload file describes.
#[cfg(test)]
fn workload(text: &str) -> Workload {
    Workload::new(&Requirements::of_toml(text).unwrap(), None).unwrap()
}
