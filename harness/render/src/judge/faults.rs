//! Known faults of other crates: a run of the scoreboard that does not find them
//! shows nothing of faults that nobody knows.

use super::{Collector, Outcome};
use crate::number;
use bouquet_ground::record::{FaultFigure, PeerFaultRow, PeerRow, Records, SeedForm};

/// A known fault, and what was measured where it shows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct KnownFault<'a> {
    pub fault: &'a PeerFaultRow,
    /// `None`: nothing was measured there, or only errors.
    pub figure: Option<f64>,
}

/// The faults that the run must find, in the order of the table.
pub fn known_faults(records: &Records) -> Vec<KnownFault<'_>> {
    let found = records.peer_faults.iter().map(|fault| {
        let rows = records.peers.iter().filter(|row| fault.shows_in(row));
        let rows: Vec<&PeerRow> = rows.filter(|row| row.error.is_empty()).collect();
        let figure = figure(fault.figure, &rows);
        KnownFault { fault, figure }
    });
    found.collect()
}

fn figure(figure: FaultFigure, rows: &[&PeerRow]) -> Option<f64> {
    let sum = |of: fn(&PeerRow) -> u64| rows.iter().map(|row| of(row)).sum::<u64>();
    let (some, whole) = match figure {
        FaultFigure::Fpr => (
            sum(|row| row.false_positives),
            sum(|row| row.non_members_asked),
        ),
        FaultFigure::FalseNegatives => {
            (sum(|row| row.false_negatives), sum(|row| row.members_asked))
        }
        FaultFigure::BitsPerKey => (
            sum(|row| row.allocated_bytes.unwrap_or(0) * 8),
            sum(|row| row.keys),
        ),
    };
    (whole > 0).then(|| some as f64 / whole as f64)
}

impl KnownFault<'_> {
    pub fn is_seen(&self) -> bool {
        self.figure.is_some_and(|own| own >= self.fault.at_least)
    }

    /// A figure of its kind in words.
    fn words(&self, figure: f64) -> String {
        match self.fault.figure {
            FaultFigure::Fpr => format!("FPR {}", number::share(figure, 2)),
            FaultFigure::FalseNegatives => {
                format!("{} false negatives", number::share(figure, 2))
            }
            FaultFigure::BitsPerKey => format!("{} bits per key", number::decimal(figure, 1)),
        }
    }

    pub fn seen(&self) -> String {
        let figure = self.figure.map(|figure| self.words(figure));
        figure.unwrap_or_else(|| "not measured".to_owned())
    }

    pub fn at_least(&self) -> String {
        self.words(self.fault.at_least)
    }

    pub fn under(&self) -> String {
        let PeerFaultRow {
            phase,
            capacity,
            seed_form,
            ..
        } = self.fault;
        under(phase, *capacity, *seed_form)
    }
}

/// What a filter was measured under.
pub fn under(phase: &str, capacity: u64, form: SeedForm) -> String {
    let keys = number::count(capacity);
    match (phase, form) {
        ("union", _) => "united across seeds".to_owned(),
        ("reload", _) => "written and read back".to_owned(),
        ("seed", SeedForm::EqualHalves) => "seed of equal halves".to_owned(),
        ("seed", form) => format!("seed of {}", form.name()),
        _ => format!("{keys} keys"),
    }
}

/// A fault that is not seen voids the run, whoever's filter it is of.
pub fn judge(collector: &mut Collector<'_>) {
    for found in known_faults(collector.records) {
        let fault = found.fault;
        let (outcome, by) = match found.is_seen() {
            true => (Outcome::Pass, String::new()),
            false => (
                Outcome::Void,
                format!("{}, known is at least {}", found.seen(), found.at_least()),
            ),
        };
        let what = format!(
            "known fault of {}, {}: {}",
            fault.release,
            found.under(),
            fault.fault
        );
        collector.enter(false, outcome, (&fault.filter, ""), what, by);
    }
}
