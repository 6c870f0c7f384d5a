//! The best of ours against the best of the peers, cell by cell.

use super::score::{Column, Middle, OPERATIONS, Score};
use crate::{
    document::{Table, Text},
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    All,
    WithoutBlocks,
}

impl Class {
    fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::WithoutBlocks => "without blocks",
        }
    }

    /// What the headline says of a cell that is won.
    fn claim(self) -> &'static str {
        match self {
            Self::All => "ours is ahead of every updatable peer",
            Self::WithoutBlocks => {
                "the standard filter is ahead of every updatable peer without blocks"
            }
        }
    }

    fn has_ours(self, score: &Score<'_>) -> bool {
        score.role == "ours" && (self == Self::All || score.name.filter == FIRST.name)
    }

    fn has_peer(self, score: &Score<'_>) -> bool {
        score.role == "peer" && (self == Self::All || score.family != Family::Blocked.name())
    }
}

/// How ours gets its keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Single,
    Batch,
}

impl Way {
    const ALL: [Self; 2] = [Self::Single, Self::Batch];

    fn name(self) -> &'static str {
        match self {
            Self::Single => "one key at a time",
            Self::Batch => "in batches",
        }
    }

    fn is_of(self, score: &Score<'_>) -> bool {
        score.name.is_batch() == (self == Self::Batch)
    }
}

pub struct Race<'a> {
    column: &'a Column<'a>,
    class: Class,
    operation: usize,
    way: Way,
    ours: &'a Score<'a>,
    peer: &'a Score<'a>,
    /// How many times as long the peer takes.
    ratio: Middle,
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
    for class in [Class::All, Class::WithoutBlocks] {
        for column in columns {
            for operation in 0..OPERATIONS.len() {
                let of = |way| race(column, class, operation, way);
                races.extend(Way::ALL.into_iter().filter_map(of));
            }
        }
    }
    races
}

fn race<'a>(column: &'a Column<'a>, class: Class, operation: usize, way: Way) -> Option<Race<'a>> {
    let ours = column.best(operation, |score| class.has_ours(score) && way.is_of(score))?;
    let peer = column.best(operation, |score| class.has_peer(score))?;
    let ratio = Middle::of_ratios(&ours.net[operation], &peer.net[operation])?;
    Some(Race {
        column,
        class,
        operation,
        way,
        ours,
        peer,
        ratio,
    })
}

/// The finding.
pub fn headline(races: &[Race<'_>]) -> String {
    let clauses = [Class::All, Class::WithoutBlocks].map(|class| clause(races, class));
    let clauses: Vec<String> = clauses.into_iter().flatten().collect();
    if clauses.is_empty() {
        return "Speed".to_owned();
    }
    number::capital(&clauses.join("; "))
}

/// In how many cells ours is ahead, single calls first: they are what the peers
/// are measured by.
fn clause(races: &[Race<'_>], class: Class) -> Option<String> {
    let mut clause = None;
    for way in Way::ALL {
        let of = || races.iter().filter(|r| (r.class, r.way) == (class, way));
        let (all, way) = (of().count(), way.name());
        let ahead = of().filter(|race| race.word() == "ahead").count();
        clause = match clause {
            _ if all == 0 => clause,
            None => Some(format!("{way} {} in {ahead} of {all} cells", class.claim())),
            Some(words) => Some(format!("{words}, {way} in {ahead} of {all}")),
        };
    }
    clause
}

/// A line a cell and way.
pub fn table(races: &[Race<'_>]) -> Table {
    let ns = |race: &Race<'_>, score: &Score<'_>| {
        let middle = score.middle(race.operation);
        middle.map(|middle| number::decimal(middle.median, 1))
    };
    let two = |x| number::decimal(x, 2);
    Table::of(races)
        .column("Keys", |race| race.column.keys)
        .column("#Capacity", |race| race.column.capacity)
        .column("#Target", |race| number::share(race.column.target_fpr, 3))
        .column("Among", |race| race.class.name())
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
    let alike = |a: &Race<'_>, b: &Race<'_>| a.class == b.class && std::ptr::eq(a.column, b.column);
    let of = |races: &[Race<'_>], at| {
        let own: Vec<_> = races.iter().filter(|race| race.operation == at).collect();
        cell(&own)
    };
    Table::of(races.chunk_by(alike))
        .column("Among", |races| races[0].class.name())
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
        let ns = ns.map_or("–".to_owned(), |ns| number::decimal(ns.median, 1));
        format!("{} {ns}", score.name.label())
    };
    let weighted = |text: Text, words: String, bold: bool| match bold {
        true => text.strong(words),
        false => text.plain(words),
    };
    let ours = races.iter().fold(Text::default(), |text, race| {
        weighted(text, side(race.ours), race.word() == "ahead").plain("; ")
    });
    // Its calls are single ones: by those it is ahead or not.
    weighted(ours, side(first.peer), first.word() == "behind")
}
