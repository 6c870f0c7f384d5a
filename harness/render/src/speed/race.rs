//! The best of ours against the best of the peers, cell by cell.

use super::score::{Column, OPERATIONS, Score, ratio};
use crate::{
    document::{Table, Text},
    estimate::Estimate,
    number,
};
use bouquet_catalogue::{FIRST, Family};

pub const RULE: &str = "A cell has the fastest of ours one key at a time, then in batches, and \
    the fastest peer, which gets its keys one at a time in either comparison: no peer has batches. \
    All can be updated, rejected no key and keep the target (an FPR not surely above it by more \
    than a twentieth). \"Without blocks\" sets the standard filter against the fastest peer that \
    has none. Times are net nanoseconds per key. Bold is ours where it is surely ahead of the \
    peer, and the peer where it is surely ahead of ours one key at a time: the interval of the \
    ratio leaves 1 out.";

/// Who is compared with whom.
#[derive(Debug)]
struct Class {
    name: &'static str,
    /// What the headline says of a cell that is won.
    claim: &'static str,
    is_ours: fn(&Score<'_>) -> bool,
    is_peer: fn(&Score<'_>) -> bool,
}

const CLASSES: [Class; 2] = [
    Class {
        name: "all",
        claim: "ours is ahead of every updatable peer",
        is_ours: |score| score.role == "ours",
        is_peer: |score| score.role == "peer",
    },
    Class {
        name: "without blocks",
        claim: "the standard filter is ahead of every updatable peer without blocks",
        is_ours: |score| score.role == "ours" && score.name.filter == FIRST.name,
        is_peer: |score| score.role == "peer" && score.family != Family::Blocked.name(),
    },
];

/// How ours gets its keys: whether in batches, in words.
const WAYS: [(bool, &str); 2] = [(false, "one key at a time"), (true, "in batches")];

pub struct Race<'a> {
    column: &'a Column<'a>,
    class: &'static Class,
    operation: usize,
    in_batches: bool,
    ours: &'a Score<'a>,
    peer: &'a Score<'a>,
    /// How many times as long the peer takes.
    ratio: Estimate,
}

impl Race<'_> {
    fn word(&self) -> &'static str {
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
pub fn races<'a>(columns: &'a [Column<'a>]) -> Vec<Race<'a>> {
    let mut races = Vec::new();
    for class in &CLASSES {
        for column in columns {
            for operation in 0..OPERATIONS.len() {
                let of = |(in_batches, _)| race(column, class, operation, in_batches);
                races.extend(WAYS.into_iter().filter_map(of));
            }
        }
    }
    races
}

fn race<'a>(
    column: &'a Column<'a>,
    class: &'static Class,
    operation: usize,
    in_batches: bool,
) -> Option<Race<'a>> {
    let ours = |score: &Score<'_>| (class.is_ours)(score) && score.name.is_batch() == in_batches;
    let ours = column.best(operation, ours)?;
    let peer = column.best(operation, class.is_peer)?;
    let ratio = ratio(&ours.net[operation], &peer.net[operation])?;
    Some(Race {
        column,
        class,
        operation,
        in_batches,
        ours,
        peer,
        ratio,
    })
}

/// The finding.
pub fn headline(races: &[Race<'_>]) -> String {
    let clauses = CLASSES.iter().filter_map(|class| clause(races, class));
    match number::joined(clauses, "; ").as_str() {
        "" => "Speed".to_owned(),
        words => number::capital(words),
    }
}

/// In how many cells ours is ahead, single calls first: they are what the peers
/// are measured by.
fn clause(races: &[Race<'_>], class: &Class) -> Option<String> {
    let mut clause = None;
    for (in_batches, way) in WAYS {
        let own = races.iter().filter(|race| race.class.name == class.name);
        let of = || own.clone().filter(|race| race.in_batches == in_batches);
        let all = of().count();
        let ahead = of().filter(|race| race.word() == "ahead").count();
        clause = match clause {
            _ if all == 0 => clause,
            None => Some(format!("{way} {} in {ahead} of {all} cells", class.claim)),
            Some(words) => Some(format!("{words}, {way} in {ahead} of {all}")),
        };
    }
    clause
}

/// A line a cell and way.
pub fn table(races: &[Race<'_>]) -> Table {
    let ns = |race: &Race<'_>, score: &Score<'_>| {
        let middle = score.middle(race.operation);
        middle.map(|middle| number::decimal(middle.value, 1))
    };
    let two = |x| number::decimal(x, 2);
    Table::of(races)
        .column("Keys", |race| race.column.keys)
        .column("#Capacity", |race| race.column.capacity)
        .column("#Target", |race| number::share(race.column.target_fpr, 3))
        .column("Among", |race| race.class.name)
        .column("Operation", |race| OPERATIONS[race.operation])
        .column("Ours", |race| race.ours.name.label())
        .column("#ns", |race| ns(race, race.ours))
        .column("#Bits per key", |race| race.ours.bits_per_key.map(two))
        .column("Best peer", |race| race.peer.name.label())
        .column("#ns", |race| ns(race, race.peer))
        .column("#Bits per key", |race| race.peer.bits_per_key.map(two))
        .column("#Times as fast", |race| race.ratio.words(two))
        .column("Ours is", Race::word)
        .table()
}

/// A line a column: in each cell the times of ours one key at a time and in
/// batches, and of the peer.
pub fn overview(races: &[Race<'_>]) -> Table {
    let alike = |a: &Race<'_>, b: &Race<'_>| {
        a.class.name == b.class.name && std::ptr::eq(a.column, b.column)
    };
    let of = |races: &[Race<'_>], at| {
        let own: Vec<_> = races.iter().filter(|race| race.operation == at).collect();
        cell(&own)
    };
    Table::of(races.chunk_by(alike))
        .column("Among", |races| races[0].class.name)
        .column("Keys", |races| races[0].column.keys)
        .column("#Capacity", |races| races[0].column.capacity)
        .column("#Target", |races| {
            number::share(races[0].column.target_fpr, 3)
        })
        .column("Insert", |races| of(races, 0))
        .column("Hit", |races| of(races, 1))
        .column("Miss", |races| of(races, 2))
        .column("Half-half", |races| of(races, 3))
        .table()
}

/// The names with their nanoseconds; bold is who is surely ahead.
fn cell(races: &[&Race<'_>]) -> Text {
    let Some(first) = races.first() else {
        return "–".into();
    };
    let side = |score: &Score<'_>| {
        let ns = score.middle(first.operation);
        let ns = ns.map_or("–".to_owned(), |ns| number::decimal(ns.value, 1));
        format!("{} {ns}", score.name.label())
    };
    let ours = races.iter().fold(Text::default(), |text, race| {
        text.strong_if(race.word() == "ahead", side(race.ours))
            .plain("; ")
    });
    // Its calls are single ones: by those it is ahead or not.
    ours.strong_if(first.word() == "behind", side(first.peer))
}
