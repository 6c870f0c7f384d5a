//! What filters are compared by, who is best in it, and whether that is one of
//! ours.

use super::{
    score::Score,
    table::{self, NONE},
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
    show: |score| table::decimal(score.bits_per_key),
};
pub const BOUND: Measure = Measure {
    name: "Times the bound",
    of: |score| score.times_bound,
    fit: Score::keeps_its_promise,
    show: |score| table::decimal(score.times_bound),
};
pub const TWICE: Measure = Measure {
    name: "FPR at 2x",
    of: |score| score.fpr_at_2,
    fit: Score::takes_twice,
    show: table::at_2,
};
pub const TENFOLD: Measure = Measure {
    name: "FPR at 10x",
    of: |score| score.fpr_at_10,
    fit: Score::takes_tenfold,
    show: table::at_10,
};
pub const WRITTEN: Measure = Measure {
    name: "Bytes per key written",
    of: |score| score.serialized_bytes_per_key,
    fit: |score| score.keeps_its_promise() && score.lost_by_reload == Some(0.0),
    show: table::written,
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
        if best.is_some() && self.own(score) == best {
            Text::default().strong(words)
        } else {
            words.into()
        }
    }
}

const MEASURES: [Measure; 5] = [BITS, BOUND, TWICE, TENFOLD, WRITTEN];

/// The best of ours and of the others by one measure, and which is better.
struct Duel<'a> {
    ours: Option<(f64, &'a Score)>,
    others: Option<(f64, &'a Score)>,
    ours_is_better: bool,
    others_is_better: bool,
}

fn duel<'a>(measure: &Measure, scores: &[&'a Score]) -> Duel<'a> {
    let best = |ours: bool| {
        let all = scores.iter().copied();
        measure.best(all.filter(|score| is_ours(score) == ours))
    };
    let (ours, others) = (best(true), best(false));
    // What is printed alike is no difference.
    let shown = |best: Option<(f64, &Score)>| best.map(|(_, score)| (measure.show)(score));
    let alike = shown(ours) == shown(others);
    let less = |a: Option<(f64, &Score)>, b: Option<(f64, &Score)>| {
        !alike && a.is_some_and(|(a, _)| b.is_none_or(|(b, _)| a < b))
    };
    Duel {
        ours,
        others,
        ours_is_better: less(ours, others),
        others_is_better: less(others, ours),
    }
}

/// By which figures ours are better, and by which the others: "ours are better by
/// bits per key, others by FPR at 2x". Nothing where there is but one side.
pub fn finding(scores: &[&Score]) -> Option<String> {
    let there = |ours: bool| scores.iter().any(|score| is_ours(score) == ours);
    if !there(true) || !there(false) {
        return None;
    }
    let named = |better: fn(&Duel<'_>) -> bool| -> Vec<String> {
        let all = MEASURES.iter().filter(|m| better(&duel(m, scores)));
        all.map(|m| number::inside(m.name)).collect()
    };
    let listed = |names: &[String]| {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        number::listed(&names)
    };
    let (ours, others) = (
        named(|duel| duel.ours_is_better),
        named(|duel| duel.others_is_better),
    );
    Some(match (ours.as_slice(), others.as_slice()) {
        ([], []) => "none is better than the other".to_owned(),
        (own, []) => format!("ours are better by {}", listed(own)),
        ([], theirs) => format!("other crates are better by {}", listed(theirs)),
        (own, theirs) => format!(
            "ours are better by {}, other crates by {}",
            listed(own),
            listed(theirs)
        ),
    })
}

/// Ours against the others, by each figure and by what they can do.
pub fn comparison(scores: &[&Score]) -> Table {
    let named = |measure: &Measure, best: Option<(f64, &Score)>| {
        best.map_or(NONE.to_owned(), |(_, score)| {
            let form = if score.is_static { " (static)" } else { "" };
            format!("{}{form}, {}", score.filter, (measure.show)(score))
        })
    };
    let figures = MEASURES.iter().map(|measure| {
        let duel = duel(measure, scores);
        let better = better(duel.ours_is_better, duel.others_is_better);
        let best = [duel.ours, duel.others].map(|best| named(measure, best));
        (measure.name, best, better)
    });
    let abilities = ABILITIES.iter().map(|(name, can)| {
        let able = |ours: bool| {
            let able = scores.iter().filter(|s| is_ours(s) == ours && can(s));
            able.count()
        };
        let (ours, others) = (able(true), able(false));
        let better = better(ours > 0 && others == 0, others > 0 && ours == 0);
        (*name, [ours, others].map(so_many), better)
    });
    let lines: Vec<_> = figures.chain(abilities).collect();
    Table::of(&lines)
        .column("By", |(name, ..)| *name)
        .column("Best of ours", |(_, [ours, _], _)| ours)
        .column("Best of the others", |(_, [_, others], _)| others)
        .column("Better", |(.., better)| better.clone())
        .table()
}

type Ability = (&'static str, fn(&Score) -> bool);

/// What one can or cannot.
const ABILITIES: [Ability; 3] = [
    ("Removes keys, and grows", |score| {
        score.removes && score.grows
    }),
    ("Unites, and never loses a key by it", |score| {
        score.unites_safely()
    }),
    ("Is written down and read back", |score| {
        score.lost_by_reload == Some(0.0)
    }),
];

fn is_ours(score: &Score) -> bool {
    score.role == "ours"
}

fn so_many(filters: usize) -> String {
    match filters {
        0 => "none".to_owned(),
        1 => "1 filter".to_owned(),
        more => format!("{} filters", number::count(more as u64)),
    }
}

fn better(ours: bool, others: bool) -> Text {
    match (ours, others) {
        (true, _) => "ours".into(),
        (_, true) => Text::default().strong("others"),
        _ => "neither".into(),
    }
}
