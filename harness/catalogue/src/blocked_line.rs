use bouquet_blocked::Line;

use crate::{
    ExactSize, Facts, Look, Marker, Snippet, Stroke,
    blocked::{BLOCKED, COLOUR, blocked},
};

pub struct BlockedLine;

blocked!(
    BlockedLine,
    Line,
    3,
    Facts {
        name: "blocked-line",
        about: "Blocks of 512 bits, k probes anywhere in the block",
        about_file: Some("The same, anywhere in a line, with any k"),
        look: Look {
            colour: COLOUR,
            marker: Marker::Flat,
            stroke: Stroke::Dotted,
        },
        plainness: 50,
        snippet: Snippet {
            full: "BlockedBloom<Line, H>",
            imports: &["Line"],
            ..BLOCKED.snippet
        },
        ..BLOCKED
    },
    |probes| Ok(Line::new(probes)?),
    |size| Ok(Line::new(size.hashes()?)?),
    ("bit in its block", 512)
);
