/// Exported for Parquet files, whose Bloom filters consist of `Words32` blocks.
pub use bouquet_blocked::{BlockedBloom, Geometry, Words32};

use crate::{
    blocked::{BLOCKED, Blocks, Of, snippet},
    prelude::*,
};

pub type BlockedWords32 = Of<Words32>;

impl Blocks for Words32 {
    const FACTS: Facts = Facts {
        name: "blocked-words32",
        about: "Blocks of 256 bits: one bit in each of eight 32-bit words (the split block of \
                Parquet)",
        about_file: Some("The same in half a line"),
        foreign: Some(Foreign::Blocks256),
        style: Style::new("orange", "open-square", "dashed"),
        simplicity_rank: 40,
        snippet: snippet("BlockedBloom<Words32, H>"),
        ..BLOCKED
    };
    const BLOCK: (u64, u64) = (8, 32);
}
