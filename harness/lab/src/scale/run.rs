//! Every subject at every size, and what is made of it.

use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Result;

use super::{
    PROBES,
    exact::agrees,
    judge::{Finding, LEVEL, findings},
    sample::{Sample, Shortfall},
};
use crate::schemes::{Fault, Locator, SIZES};
use bouquet_ground::Outcome;
use bouquet_ground::staging::{Interrupted, interrupted};

/// A bucket of four fingerprints of 16 bits takes six.
const HALVINGS: u32 = 6;

/// What a subject is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// It must pass.
    Filter,
    /// It must pass.
    Scheme,
    /// Of a role that promises nothing: shown, not judged.
    Shown,
    /// It must be caught where its fault shows, and nowhere else.
    Control,
}

impl Kind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Filter => "filter",
            Self::Scheme | Self::Shown => "scheme",
            Self::Control => "control",
        }
    }
}

/// A scheme or filter to be looked at.
pub struct Candidate {
    pub name: &'static str,
    pub kind: Kind,
    pub make: fn(slots: u64, probes: u32, seed: u64) -> Result<Box<dyn Locator>>,
    /// What must come of it at a size.
    pub fault: Box<dyn Fn(u64) -> Fault + Sync>,
}

/// What came of a subject at a size.
#[derive(Clone, PartialEq, Debug)]
pub enum Found {
    Passes,
    /// A subject that must pass does not: by these checks.
    Fails(Vec<&'static str>),
    /// A control is found, as it must be: by these checks.
    Caught(Vec<&'static str>),
    /// A control whose fault shows is not found. The run is void.
    Missed,
    /// A control that does no harm here is found. The run is void.
    Accused(Vec<&'static str>),
    /// Of a subject that is not judged.
    Flagged(Vec<&'static str>),
    /// The layout has no such size.
    Refused(String),
}

impl Found {
    /// A subject that is not judged, or a layout without such a size, fails nothing.
    pub fn outcome(&self) -> Outcome {
        match self {
            Self::Fails(_) => Outcome::Fail,
            Self::Missed | Self::Accused(_) => Outcome::Void,
            _ => Outcome::Pass,
        }
    }
}

/// A subject at a size.
pub struct AtSize {
    pub name: &'static str,
    pub kind: Kind,
    /// m as asked for.
    pub asked: u64,
    /// m as the layout has it.
    pub slots: u64,
    pub found: Found,
    /// `None`: a location was outside, or the layout has no such size.
    pub sample: Option<Sample>,
    pub findings: Vec<Finding>,
    /// Whether 128-bit arithmetic agrees, where it is known.
    pub exact: Option<bool>,
}

/// A run over subjects and all [`SIZES`].
pub struct Run<'a> {
    pub subjects: &'a [Candidate],
    pub seed: u64,
    pub jobs: usize,
}

impl Run<'_> {
    /// A row for every subject and size, in this order whatever the number of
    /// threads.
    pub fn rows(&self) -> Result<Vec<AtSize>> {
        let tasks = self.subjects.len() * SIZES.len();
        let next = AtomicUsize::new(0);
        let worker = || {
            let mut rows = Vec::new();
            while !interrupted() {
                let task = next.fetch_add(1, Ordering::Relaxed);
                if task >= tasks {
                    break;
                }
                let subject = &self.subjects[task / SIZES.len()];
                rows.push((task, self.row(subject, SIZES[task % SIZES.len()])));
            }
            rows
        };
        let mut rows = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..self.jobs.clamp(1, tasks.max(1)))
                .map(|_| scope.spawn(worker))
                .collect();
            let done = workers.into_iter().map(|worker| {
                worker
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            });
            done.flatten().collect::<Vec<_>>()
        });
        if interrupted() {
            return Err(Interrupted.into());
        }
        rows.sort_by_key(|(task, _)| *task);
        Ok(rows.into_iter().map(|(_, row)| row).collect())
    }

    /// The locator for m, or for a half or a quarter of it and so on: counters
    /// of several bits end before 2^48.
    fn largest(&self, subject: &Candidate, asked: u64) -> Result<Box<dyn Locator>> {
        let make = |halvings: u32| (subject.make)(asked >> halvings, PROBES, self.seed);
        make(0).or_else(|error| {
            (1..=HALVINGS)
                .find_map(|times| make(times).ok())
                .ok_or(error)
        })
    }

    fn row(&self, subject: &Candidate, asked: u64) -> AtSize {
        let mut row = AtSize {
            name: subject.name,
            kind: subject.kind,
            asked,
            slots: asked,
            found: Found::Passes,
            sample: None,
            findings: Vec::new(),
            exact: None,
        };
        let locator = match self.largest(subject, asked) {
            Ok(locator) => locator,
            Err(error) => {
                row.found = Found::Refused(format!("{error:#}"));
                return row;
            }
        };
        row.slots = locator.slots();
        row.exact = agrees(subject.name, &*locator, self.seed);
        let mut flags = Vec::new();
        if row.exact == Some(false) {
            flags.push("exact");
        }
        match Sample::take(&*locator) {
            Ok(sample) => {
                row.findings = findings(&sample);
                let alpha = LEVEL / (self.subjects.len() * SIZES.len() * row.findings.len()) as f64;
                let flagged = row.findings.iter().filter(|finding| finding.p < alpha);
                flags.extend(flagged.map(|finding| finding.check.name()));
                row.sample = Some(sample);
            }
            Err(Shortfall::Outside) => flags.push("range"),
            Err(Shortfall::Count) => flags.push("count"),
        }
        row.found = found(subject, asked, flags);
        row
    }
}

fn found(subject: &Candidate, asked: u64, flags: Vec<&'static str>) -> Found {
    let passes = flags.is_empty();
    match (subject.kind, (subject.fault)(asked)) {
        (Kind::Control, Fault::Shows) if passes => Found::Missed,
        (Kind::Control, Fault::Shows) => Found::Caught(flags),
        (Kind::Control, Fault::Harmless) if !passes => Found::Accused(flags),
        (Kind::Shown, _) if !passes => Found::Flagged(flags),
        (_, _) if !passes => Found::Fails(flags),
        _ => Found::Passes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schemes::{controls, schemes};

    fn outcomes(subject: Candidate) -> Vec<Found> {
        let run = Run {
            subjects: &[subject],
            seed: 1,
            jobs: 2,
        };
        let rows = run.rows().unwrap();
        rows.into_iter().map(|row| row.found).collect()
    }

    #[test]
    fn a_filter_with_an_index_of_32_bits_fails_where_32_bits_end() {
        let cut = controls().swap_remove(4);
        assert_eq!(cut.scheme.name, "index-32");
        let outcomes = outcomes(Candidate {
            name: "cut",
            kind: Kind::Filter,
            make: cut.scheme.make,
            fault: Box::new(|_| Fault::Harmless),
        });
        for (size, outcome) in SIZES.iter().zip(outcomes) {
            assert_eq!(
                outcome.outcome() == Outcome::Fail,
                *size > (1 << 32) + 1,
                "{size} {outcome:?}"
            );
        }
    }

    #[test]
    fn a_control_that_is_right_makes_the_run_void() {
        let outcomes = outcomes(Candidate {
            name: "right",
            kind: Kind::Control,
            make: schemes()[0].make,
            fault: Box::new(|_| Fault::Shows),
        });
        assert!(outcomes.iter().all(|outcome| *outcome == Found::Missed));
    }

    #[test]
    fn a_harmless_control_that_is_accused_makes_the_run_void() {
        let cut = controls().swap_remove(0);
        let outcomes = outcomes(Candidate {
            name: "cut",
            kind: Kind::Control,
            make: cut.scheme.make,
            fault: Box::new(|_| Fault::Harmless),
        });
        let void = |found: &Found| found.outcome() == Outcome::Void;
        assert!(outcomes.iter().all(void), "{outcomes:?}");
    }
}
