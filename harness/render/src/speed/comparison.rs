//! The best of ours against the best of the peers, cell by cell.

use std::ops::Range;

use super::score::{Column, IN_TURN, MEASURED, OPERATIONS, Score, in_words, ratio};
use crate::{document::Table, estimate::Estimate, groups::distinct, number};
use bouquet_catalogue::{FIRST, Family};

pub const RULE: &str = "A cell has the fastest of ours one key at a time, then in batches, and \
    the fastest peer, which gets its keys one at a time in either comparison: no peer has batches. \
    All can be updated, rejected no key and keep the target (an FPR not surely above it by more \
    than a twentieth). \"Without blocks\" compares the standard filter with the fastest peer that \
    has none. Times are net nanoseconds per key. \"In turn\" is latency: each key depends on the \
    answer before. Bold is ours where it is surely ahead of the peer, and the peer where it is \
    surely ahead of ours one key at a time: the interval of the ratio leaves 1 out.";

/// Who is compared with whom.
#[derive(Debug)]
pub struct Class {
    pub name: &'static str,
    /// Whom the headline is about.
    pub subject: &'static str,
    is_ours: fn(&Score<'_>) -> bool,
    is_peer: fn(&Score<'_>) -> bool,
}

pub const CLASSES: [Class; 2] = [
    Class {
        name: "all",
        subject: "ours against every updatable peer",
        is_ours: |score| score.role == "ours",
        is_peer: |score| score.role == "peer",
    },
    Class {
        name: "without blocks",
        subject: "the standard filter against every updatable peer without blocks",
        is_ours: |score| score.role == "ours" && score.name.filter == FIRST.name,
        is_peer: |score| score.role == "peer" && score.family != Family::Blocked.name(),
    },
];

/// How ours gets its keys, and what is measured so.
#[derive(Debug)]
pub struct Given {
    pub words: &'static str,
    in_batches: bool,
    operations: Range<usize>,
}

/// Single calls first: they are what the peers are measured by.
pub const GIVEN: [Given; 3] = [
    Given {
        words: "one key at a time",
        in_batches: false,
        operations: 0..OPERATIONS.len(),
    },
    Given {
        words: "in batches",
        in_batches: true,
        operations: 0..OPERATIONS.len(),
    },
    Given {
        words: "each key after the answer before (latency)",
        in_batches: false,
        operations: IN_TURN,
    },
];

pub struct PeerComparison<'a> {
    pub column: &'a Column<'a>,
    pub class: &'static Class,
    given: &'static Given,
    pub operation: usize,
    pub ours: &'a Score<'a>,
    pub peer: &'a Score<'a>,
    /// How many times as long the peer takes.
    pub ratio: Estimate,
}

impl PeerComparison<'_> {
    pub fn is_of(&self, class: &Class, given: &Given) -> bool {
        self.class.name == class.name && self.given.words == given.words
    }

    pub fn word(&self) -> &'static str {
        let interval = self.ratio.interval;
        if interval.low > 1.0 {
            "ahead"
        } else if interval.high < 1.0 {
            "behind"
        } else {
            "undecided"
        }
    }
}

/// All cells that have one of ours and a peer, those of one operation together.
pub fn comparisons<'a>(columns: &'a [Column<'a>]) -> Vec<PeerComparison<'a>> {
    let mut comparisons = Vec::new();
    for class in &CLASSES {
        for column in columns {
            for operation in 0..MEASURED.len() {
                let given = GIVEN.iter();
                let given = given.filter(|given| given.operations.contains(&operation));
                comparisons
                    .extend(given.filter_map(|given| comparison(column, class, given, operation)));
            }
        }
    }
    comparisons
}

fn comparison<'a>(
    column: &'a Column<'a>,
    class: &'static Class,
    given: &'static Given,
    operation: usize,
) -> Option<PeerComparison<'a>> {
    let is_given = |score: &Score<'_>| score.name.is_batch() == given.in_batches;
    let ours = column.best(operation, |score| (class.is_ours)(score) && is_given(score))?;
    let peer = column.best(operation, class.is_peer)?;
    let ratio = ratio(&ours.net[operation], &peer.net[operation])?;
    Some(PeerComparison {
        column,
        class,
        given,
        operation,
        ours,
        peer,
        ratio,
    })
}

/// The fastest peer over hits and misses at random, of all and of those without blocks.
pub fn fastest_peers<'a>(column: &'a Column<'a>) -> Vec<&'a Score<'a>> {
    let half = OPERATIONS.len() - 1;
    let peers = CLASSES.iter().map(|class| column.best(half, class.is_peer));
    distinct(peers.flatten().map(|score| score.name))
        .into_iter()
        .filter_map(|name| column.scores.iter().find(|score| score.name == name))
        .collect()
}

/// A line a cell and way.
pub fn table(comparisons: &[PeerComparison<'_>]) -> Table {
    let ns = |comparison: &PeerComparison<'_>, score: &Score<'_>| {
        let middle = score.middle(comparison.operation);
        middle.map(|middle| number::decimal(middle.value, 1))
    };
    let two = |x| number::decimal(x, 2);
    Table::of(comparisons)
        .column("Keys", |comparison| comparison.column.keys)
        .column("#Capacity", |comparison| comparison.column.capacity)
        .column("#Target", |comparison| {
            number::share(comparison.column.target_fpr, 3)
        })
        .column("Among", |comparison| comparison.class.name)
        .column("Operation", |comparison| in_words(comparison.operation))
        .column("Ours", |comparison| comparison.ours.name.label())
        .column("#ns", |comparison| ns(comparison, comparison.ours))
        .column("#Bits per key", |comparison| {
            comparison.ours.bits_per_key.map(two)
        })
        .column("Best peer", |comparison| comparison.peer.name.label())
        .column("#ns", |comparison| ns(comparison, comparison.peer))
        .column("#Bits per key", |comparison| {
            comparison.peer.bits_per_key.map(two)
        })
        .column("#Times as fast", |comparison| comparison.ratio.words(two))
        .column("Ours is", PeerComparison::word)
        .table()
}
