use bouquet_blocked::Line;

use crate::{
    blocked::{BLOCKED, Blocks, Of, snippet},
    prelude::*,
};

pub type BlockedLine = Of<Line>;

impl Blocks for Line {
    const FACTS: Facts = Facts {
        name: "blocked-line",
        about: "Blocks of 512 bits, k probes anywhere in the block",
        about_file: Some("The same, anywhere in a line, with any k"),
        style: Style::new("orange", "flat", "dotted"),
        simplicity_rank: 50,
        snippet: snippet("BlockedBloom<Line, H>"),
        ..BLOCKED
    };
    const BLOCK: (u64, u64) = (1, 512);
}
