//! What filters are compared by, who is best in it, and whether that is one of
//! ours.

use super::{
    score::Score,
    words::{self, NONE},
};
use crate::{
    document::{Table, Text},
    number,
};

/// A figure by which filters are compared; less is better.
pub struct Measure {
    name: &'static str,
    of: fn(&Score) -> Option<f64>,
    /// Whether a filter takes part: a figure that comes of a broken promise is
    /// no merit.
    fit: fn(&Score) -> bool,
    show: fn(&Score) -> String,
}

pub const BITS: Measure = Measure {
    name: "Bits per key",
    of: |score| score.bits_per_key,
    fit: Score::keeps_its_promise,
    show: |score| words::decimal(score.bits_per_key),
};
pub const BOUND: Measure = Measure {
    name: "Times the bound",
    of: Score::times_bound,
    fit: Score::keeps_its_promise,
    show: |score| words::decimal(score.times_bound()),
};
pub const TWICE: Measure = Measure {
    name: "FPR at 2x",
    of: |score| Some(score.twice.fpr?.value),
    fit: |score| score.takes(&score.twice),
    show: |score| words::past(&score.twice),
};
pub const TENFOLD: Measure = Measure {
    name: "FPR at 10x",
    of: |score| Some(score.tenfold.fpr?.value),
    fit: |score| score.takes(&score.tenfold),
    show: words::at_10,
};
pub const WRITTEN: Measure = Measure {
    name: "Bytes per key written",
    of: |score| score.serialized_bytes_per_key,
    fit: |score| score.keeps_its_promise() && score.reload.missing == Some(0.0),
    show: words::written,
};

impl Measure {
    fn own(&self, score: &Score) -> Option<f64> {
        (self.fit)(score).then(|| (self.of)(score)).flatten()
    }

    fn best<'a>(&self, scores: impl Iterator<Item = &'a Score>) -> Option<(f64, &'a Score)> {
        let own = scores.filter_map(|score| Some((self.own(score)?, score)));
        own.min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// The figure of one of these filters, marked if none has a better one.
    pub fn cell(&self, score: &Score, all: &[&Score]) -> Text {
        let words = (self.show)(score);
        let best = self.best(all.iter().copied()).map(|(best, _)| best);
        Text::default().strong_if(best.is_some() && self.own(score) == best, words)
    }
}

const MEASURES: [Measure; 5] = [BITS, BOUND, TWICE, TENFOLD, WRITTEN];

/// Who is better; neither is none.
type Better = Option<Party>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Party {
    Ours,
    Others,
}

impl Party {
    const BOTH: [Self; 2] = [Self::Ours, Self::Others];

    fn has(self, score: &Score) -> bool {
        score.is_ours() == (self == Self::Ours)
    }

    /// The party of which alone this holds.
    fn alone([ours, others]: [bool; 2]) -> Better {
        match (ours, others) {
            (true, false) => Some(Self::Ours),
            (false, true) => Some(Self::Others),
            _ => None,
        }
    }
}

/// The best of each party by one measure.
type Duel<'a> = [Option<(f64, &'a Score)>; 2];

fn duel<'a>(measure: &Measure, scores: &[&'a Score]) -> (Duel<'a>, Better) {
    let all = || scores.iter().copied();
    let duel = Party::BOTH.map(|party| measure.best(all().filter(|score| party.has(score))));
    // What is printed alike is no difference.
    let [ours, others] = duel.map(|best| best.map(|(_, score)| (measure.show)(score)));
    let better = match duel.map(|best| best.map(|(figure, _)| figure)) {
        _ if ours == others => None,
        [Some(ours), Some(others)] => Party::alone([ours < others, others < ours]),
        each => Party::alone(each.map(|figure| figure.is_some())),
    };
    (duel, better)
}

/// By which figures ours are better, and by which the others: "ours are better by
/// bits per key, others by FPR at 2x". Nothing where there is but one side.
pub fn finding(scores: &[&Score]) -> Option<String> {
    let there = |party: &Party| scores.iter().any(|score| party.has(score));
    if !Party::BOTH.iter().all(there) {
        return None;
    }
    let [ours, others] = Party::BOTH.map(|party| {
        let own = MEASURES.iter().filter(|m| duel(m, scores).1 == Some(party));
        number::listed(own.map(|m| number::inside(m.name)))
    });
    Some(match (ours.as_str(), others.as_str()) {
        ("", "") => "none is better than the other".to_owned(),
        (own, "") => format!("ours are better by {own}"),
        ("", theirs) => format!("other crates are better by {theirs}"),
        (own, theirs) => format!("ours are better by {own}, other crates by {theirs}"),
    })
}

/// What ours and the others are compared by, at one target.
struct Line {
    target: f64,
    by: &'static str,
    /// Of ours and of the others.
    best: [String; 2],
    better: Better,
}

/// Ours against the others, by each figure and by what they can do.
pub fn comparison(scores: &[&Score]) -> Table {
    table(&lines(scores), false)
}

/// The same of every target.
pub fn comparisons(by_target: &[(f64, Vec<&Score>)]) -> Table {
    let each = by_target.iter().flat_map(|(_, scores)| lines(scores));
    table(&each.collect::<Vec<_>>(), true)
}

fn lines(scores: &[&Score]) -> Vec<Line> {
    let target = scores.first().map_or(0.0, |score| score.of.target_fpr);
    let figures = MEASURES.iter().map(|measure| {
        let (best, better) = duel(measure, scores);
        let named = |(_, score): (f64, &Score)| {
            let form = if score.of.is_static { " (static)" } else { "" };
            format!("{}{form}, {}", score.of.filter, (measure.show)(score))
        };
        Line {
            target,
            by: measure.name,
            best: best.map(|best| best.map_or(NONE.to_owned(), named)),
            better,
        }
    });
    let abilities = ABILITIES.iter().map(|(name, can)| {
        let able = |party: Party| scores.iter().filter(|s| party.has(s) && can(s)).count();
        let able = Party::BOTH.map(able);
        Line {
            target,
            by: name,
            best: able.map(so_many),
            better: Party::alone(able.map(|n| n > 0)),
        }
    });
    figures.chain(abilities).collect()
}

fn table(lines: &[Line], has_targets: bool) -> Table {
    let mut table = Table::of(lines);
    if has_targets {
        table = table.column("#Target", |line| number::share(line.target, 3));
    }
    table
        .column("By", |line| line.by)
        .column("Best of ours", |line| &line.best[0])
        .column("Best of the others", |line| &line.best[1])
        .column("Better", |line| match line.better {
            Some(Party::Ours) => "ours".into(),
            Some(Party::Others) => Text::default().strong("others"),
            None => Text::from("neither"),
        })
        .table()
}

type Ability = (&'static str, fn(&Score) -> bool);

/// What one can or cannot.
const ABILITIES: [Ability; 3] = [
    ("Removes keys, and grows", |score| {
        score.removes && score.grows
    }),
    ("Unites, with no false negatives afterwards", |score| {
        score.unites_safely()
    }),
    ("Is written down and read back", |score| {
        score.reload.missing == Some(0.0)
    }),
];

fn so_many(filters: usize) -> String {
    match filters {
        0 => "none".to_owned(),
        1 => "1 filter".to_owned(),
        more => format!("{} filters", number::count(more as u64)),
    }
}
