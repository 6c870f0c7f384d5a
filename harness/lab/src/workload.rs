//! Keys, and who is member and who stranger. Seeded, no clock.

mod file;
mod generate;
mod manifest;
mod members;
mod set;

pub use generate::mix;
pub use manifest::{Manifest, hex, sha256};
pub use members::Workload;
pub use set::KeySet;
