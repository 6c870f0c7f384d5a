//! The best of ours against the best of the peers, cell by cell.

use super::score::{Column, Middle, OPERATIONS, Score};
use crate::render::{
    document::{Table, Text},
    number,
};

pub const RULE: &str = "In every cell the fastest of ours stands against the fastest peer, among \
    filters that can be updated, refused no key and keep the target (an FPR not surely above it \
    by more than a twentieth). \"Without blocks\" sets the standard filter against the fastest \
    peer that has none. Told are net nanoseconds a key. Bold is who is ahead: the interval of the \
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

    fn has_ours(self, score: &Score<'_>) -> bool {
        score.role == "ours" && (self == Self::All || score.filter == "standard")
    }

    fn has_peer(self, score: &Score<'_>) -> bool {
        score.role == "peer" && (self == Self::All || score.family != "blocked")
    }
}

pub struct Race<'a> {
    column: &'a Column<'a>,
    class: Class,
    operation: usize,
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

/// All cells that have one of ours and a peer.
pub fn races<'a>(columns: &'a [Column<'a>]) -> Vec<Race<'a>> {
    let mut races = Vec::new();
    for class in [Class::All, Class::WithoutBlocks] {
        for column in columns {
            races.extend((0..OPERATIONS.len()).filter_map(|at| race(column, class, at)));
        }
    }
    races
}

fn race<'a>(column: &'a Column<'a>, class: Class, operation: usize) -> Option<Race<'a>> {
    let ours = column.best(operation, |score| class.has_ours(score))?;
    let peer = column.best(operation, |score| class.has_peer(score))?;
    let ratio = Middle::of_ratios(&ours.net[operation], &peer.net[operation])?;
    Some(Race {
        column,
        class,
        operation,
        ours,
        peer,
        ratio,
    })
}

/// The finding.
pub fn headline(races: &[Race<'_>]) -> String {
    let of = |class| races.iter().filter(move |race| race.class == class);
    let told = |class| {
        let all = of(class).count();
        let ahead = of(class).filter(|race| race.word() == "ahead").count();
        (ahead, all)
    };
    let (ahead, all) = told(Class::All);
    if all == 0 {
        return "Speed".to_owned();
    }
    let (plain, plain_all) = told(Class::WithoutBlocks);
    format!(
        "Ours ahead of every updatable peer in {ahead} of {all} cells, the standard filter ahead \
         of every one without blocks in {plain} of {plain_all}"
    )
}

/// A line a cell.
pub fn table(races: &[Race<'_>]) -> Table {
    let mut table = Table::new(&[
        "Keys",
        "#Capacity",
        "#Target",
        "Among",
        "Operation",
        "Ours",
        "#ns",
        "#Bits per key",
        "Best peer",
        "#ns",
        "#Bits per key",
        "#Times as fast",
        "Ours is",
    ]);
    for race in races {
        let ns = |score: &Score<'_>| {
            let middle = score.middle(race.operation);
            middle.map_or("–".to_owned(), |middle| number::decimal(middle.median, 1))
        };
        let bits = |score: &Score<'_>| {
            score
                .bits_per_key
                .map_or("–".to_owned(), |bits| number::decimal(bits, 2))
        };
        let interval = race.ratio.interval;
        table.row([
            Text::from(race.column.keys),
            number::count(race.column.capacity).into(),
            number::share(race.column.target_fpr, 3).into(),
            race.class.name().into(),
            OPERATIONS[race.operation].into(),
            race.ours.label().into(),
            ns(race.ours).into(),
            bits(race.ours).into(),
            race.peer.label().into(),
            ns(race.peer).into(),
            bits(race.peer).into(),
            format!(
                "{} ({} to {})",
                number::decimal(race.ratio.median, 2),
                number::decimal(interval.low, 2),
                number::decimal(interval.high, 2)
            )
            .into(),
            race.word().into(),
        ]);
    }
    table
}

/// A line a column: in each cell the times of the two, the faster one's bold.
pub fn overview(races: &[Race<'_>]) -> Table {
    let mut table = Table::new(&[
        "Among",
        "Keys",
        "#Capacity",
        "#Target",
        "Insert",
        "Hit",
        "Miss",
        "Half-half",
    ]);
    let alike = |a: &Race<'_>, b: &Race<'_>| a.class == b.class && std::ptr::eq(a.column, b.column);
    for races in races.chunk_by(alike) {
        let column = races[0].column;
        let mut cells = vec![
            Text::from(races[0].class.name()),
            column.keys.into(),
            number::count(column.capacity).into(),
            number::share(column.target_fpr, 3).into(),
        ];
        cells.extend((0..OPERATIONS.len()).map(|at| {
            let race = races.iter().find(|race| race.operation == at);
            race.map_or("–".into(), duel)
        }));
        table.row(cells);
    }
    table
}

/// Both names with their nanoseconds; bold is who is surely faster.
fn duel(race: &Race<'_>) -> Text {
    let side = |score: &Score<'_>| {
        let ns = score.middle(race.operation);
        let ns = ns.map_or("–".to_owned(), |ns| number::decimal(ns.median, 1));
        format!("{} {ns}", score.label())
    };
    let (ours, peer) = (side(race.ours), side(race.peer));
    match race.word() {
        "ahead" => Text::default().strong(ours).plain(format!("; {peer}")),
        "behind" => Text::from(format!("{ours}; ").as_str()).strong(peer),
        _ => format!("{ours}; {peer}").into(),
    }
}
