use bouquet_blocked::Words32;

use crate::{
    ExactSize, Facts, Foreign, Look, Marker, Snippet, Stroke,
    blocked::{BLOCKED, COLOUR, blocked},
};

pub struct BlockedWords32;

blocked!(
    BlockedWords32,
    Words32,
    2,
    Facts {
        name: "blocked-words32",
        about: "Blocks of 256 bits: one bit in each of eight 32-bit words (the split block of \
                Parquet)",
        about_file: Some("The same in half a line"),
        foreign: Some(Foreign::Blocks256),
        look: Look {
            colour: COLOUR,
            marker: Marker::OpenSquare,
            stroke: Stroke::Dashed,
        },
        plainness: 40,
        snippet: Snippet {
            full: "BlockedBloom<Words32, H>",
            imports: &["Words32"],
            ..BLOCKED.snippet
        },
        ..BLOCKED
    },
    |_| Ok(Words32),
    |size| size.only_hashes(8).map(|()| Words32),
    ("bit in its word", 32)
);
