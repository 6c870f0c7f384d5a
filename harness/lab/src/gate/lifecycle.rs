//! A filter's lifecycle in the exact tier: what it rejects, misses and answers phase
//! by phase.

use super::{
    Guarded,
    row::{FalseNegatives, OTHERS, READS_BACK_OTHERWISE, named, row_of, sha256_of_answers},
};
use crate::measure::{GROWN, PhasesCell};
use crate::ways::{Answers, In, Out, differing, transcript};
use bouquet_ground::record::{GateExactRow, PhaseRow};
use bouquet_ground::units::sha256;

/// It is gone through with so many keys at most.
const CAPACITY: u64 = 5_000;
/// Threads meet in another order every time: what is rejected there is no constant.
const BY_CHANCE: &str = "concurrent insert";

/// Filling, removing, growing, union, storing and inserts from threads, each as
/// far as the filter can and the keys go; false negatives are added to `missing`.
pub fn lifecycle(filter: &Guarded, missing: &mut FalseNegatives) -> Vec<GateExactRow> {
    let keys = filter.keys.up_to(GROWN * CAPACITY) / GROWN;
    if keys == 0 {
        return Vec::new();
    }
    let capacity = keys.min(filter.capacity);
    let cell = PhasesCell(filter.fixed(capacity));
    let mut rows = Vec::new();
    let mut add = |what: String, unit: &str, value: String| {
        let setting = filter.setting(&format!("a lifecycle of {capacity} keys"));
        rows.push(row_of(&filter.name, &what, setting, (unit, value)));
    };
    // The answers after the phase before, if it could be asked.
    let mut last = Some(Answers::default());
    let phases = cell.watched(&mut |phase, subject, workload| {
        let now = match transcript(&Out::ALL, subject, workload, OTHERS) {
            Ok(now) => now,
            Err(error) => {
                add(format!("ways after {phase}"), "error", format!("{error:#}"));
                last = None;
                return;
            }
        };
        match phase {
            "remove" | "grow" | "remove repeats" | "union" | "fold"
                if filter.entry.reproducible_by_seed =>
            {
                if let Some(bytes) = subject.encoded() {
                    add(
                        format!("stored bytes after {phase}"),
                        "sha256",
                        sha256(&bytes),
                    );
                }
                for (way, answers) in now.each() {
                    let what = named(&format!("answers after {phase}"), In::Singly, way);
                    add(what, "sha256", sha256_of_answers(answers));
                }
            }
            "reload" if last.as_ref().is_some_and(|last| now != *last) => {
                add(
                    "reload in a lifecycle".into(),
                    "error",
                    READS_BACK_OTHERWISE.into(),
                );
            }
            _ => {}
        }
        otherwise(phase, &now, &mut add);
        last = Some(now);
    });
    for phase in &phases {
        missing.count(Out::Singly, phase.false_negatives);
        if let Some(rejected) = phase.batch_false_negatives {
            missing.count(Out::Batches, rejected);
        }
        if !phase.error.is_empty() {
            add("lifecycle".into(), "error", phase.error.clone());
        } else if filter.entry.reproducible_by_seed && phase.phase != BY_CHANCE {
            counts(phase, &mut add);
        }
    }
    rows
}

/// Keys of either kind that a way answers for otherwise than single calls, and ways that
/// fail.
fn otherwise(phase: &str, answers: &Answers, add: &mut impl FnMut(String, &str, String)) {
    let what = |way| named(&format!("ways after {phase}"), In::Singly, way);
    for (way, own) in answers.each() {
        let differ = differing(own, answers.singly());
        if differ > 0 {
            let asked = own.len();
            let words = format!("{differ} of {asked} keys answered otherwise than by single calls");
            add(what(way), "error", words);
        }
    }
    for (way, error) in answers.errors() {
        add(what(*way), "error", error.clone());
    }
}

/// What a phase was given and did not take.
fn counts(phase: &PhaseRow, add: &mut impl FnMut(String, &str, String)) {
    let name = &phase.phase;
    if phase.inserted > 0 {
        let rejected = phase.rejected.to_string();
        add(format!("rejected in {name}"), "keys", rejected);
    }
    if phase.removed > 0 {
        let rejected = phase.removals_rejected.to_string();
        add(format!("removals rejected in {name}"), "keys", rejected);
    }
}

#[cfg(test)]
mod tests {
    use std::{path::Path, sync::Arc};

    use anyhow::Result;

    use super::*;
    use crate::gate::Definition;
    use crate::registry::{Entry, Request, State, Subject, filters};

    /// The counting filter, which removes and unites, with something wrong.
    struct Wrong {
        inner: Box<dyn Subject>,
        fault: &'static str,
        holds_all: bool,
        is_united: bool,
    }

    impl Subject for Wrong {
        fn insert(&mut self, key: &[u8]) -> bool {
            self.inner.insert(key)
        }

        fn contains(&self, key: &[u8]) -> bool {
            self.holds_all || self.inner.contains(key)
        }

        fn remove(&mut self, key: &[u8]) -> bool {
            self.inner.remove(key) && self.fault != "rejects removals"
        }

        fn contains_batch(&self, keys: &[&[u8]], found: &mut [bool]) -> bool {
            let misses = self.fault == "batches miss after union" && self.is_united;
            for (key, found) in keys.iter().zip(found) {
                *found = self.contains(key) && !misses;
            }
            true
        }

        fn state(&self, keys: u64) -> State {
            self.inner.state(keys)
        }

        fn unite(&mut self, other: &dyn Subject) -> Option<Result<()>> {
            let other: &dyn std::any::Any = other;
            let other: &Self = other.downcast_ref()?;
            self.holds_all = self.fault == "full after union";
            self.is_united = true;
            self.inner.unite(&*other.inner)
        }

        fn reload(&mut self) -> Option<Result<()>> {
            self.holds_all = self.fault == "full after reload";
            self.inner.reload()
        }
    }

    fn counting(request: &Request, fault: &'static str) -> Result<Box<dyn Subject>> {
        let all = filters();
        let counting = all.iter().find(|entry| entry.name == "counting");
        Ok(Box::new(Wrong {
            inner: (counting.unwrap().build)(request)?,
            fault,
            holds_all: false,
            is_united: false,
        }))
    }

    struct Lived {
        rows: Vec<GateExactRow>,
        missing: FalseNegatives,
    }

    fn lived(build: fn(&Request) -> Result<Box<dyn Subject>>) -> Lived {
        let text = "[key_sets]\nk = { generator = \"uuid\" }\n[[filter]]\nfilter = \"counting\"\n\
                    capacity = 1_000\nfpr = 0.01\nkeys = \"k\"\n";
        let mut filter = Definition::parse(text, Path::new("."))
            .unwrap()
            .filters
            .remove(0);
        let known = filters().into_iter().find(|entry| entry.name == "counting");
        filter.entry = Arc::new(Entry {
            build: Box::new(build),
            ..known.unwrap()
        });
        let mut missing = FalseNegatives::default();
        let rows = lifecycle(&filter, &mut missing);
        Lived { rows, missing }
    }

    /// What differs from a sound lifecycle, with its unit.
    fn differs(build: fn(&Request) -> Result<Box<dyn Subject>>) -> Vec<(String, String)> {
        let (sound, wrong) = (lived(|request| counting(request, "")), lived(build));
        assert_eq!(
            (sound.missing.of(Out::Singly), wrong.missing.of(Out::Singly)),
            (0, 0)
        );
        let own = wrong.rows.into_iter();
        let own = own.filter(|row| !sound.rows.contains(row));
        own.map(|row| (row.what, row.unit)).collect()
    }

    #[test]
    fn a_sound_life_has_its_rows() {
        let rows = lived(|request| counting(request, "")).rows;
        let listed: Vec<_> = rows.iter().map(|row| (&*row.what, &*row.unit)).collect();
        assert_eq!(
            listed,
            [
                ("answers after remove", "sha256"),
                (
                    "answers after remove, inserted singly, asked in batches",
                    "sha256"
                ),
                ("answers after grow", "sha256"),
                (
                    "answers after grow, inserted singly, asked in batches",
                    "sha256"
                ),
                ("answers after remove repeats", "sha256"),
                (
                    "answers after remove repeats, inserted singly, asked in batches",
                    "sha256"
                ),
                ("answers after union", "sha256"),
                (
                    "answers after union, inserted singly, asked in batches",
                    "sha256"
                ),
                ("rejected in insert", "keys"),
                ("removals rejected in remove", "keys"),
                ("rejected in grow", "keys"),
                ("rejected in repeat", "keys"),
                ("removals rejected in remove repeats", "keys"),
                ("rejected in union", "keys"),
            ]
        );
        assert!(differs(|request| counting(request, "")).is_empty());
    }

    /// There is no false negative in any of them.
    #[test]
    fn what_goes_wrong_in_a_life_is_seen() {
        let of = |what: &str, unit: &str| vec![(what.to_owned(), unit.to_owned())];
        let removals = ["remove", "remove repeats"];
        let rejected = removals.map(|after| of(&format!("removals rejected in {after}"), "keys"));
        // Of a union too, of which there is no phase.
        let rejected = [rejected.concat(), of("lifecycle", "error")].concat();
        assert_eq!(
            differs(|request| counting(request, "rejects removals")),
            rejected
        );
        let full = differs(|request| counting(request, "full after union"));
        let in_batches = "answers after union, inserted singly, asked in batches";
        assert_eq!(full[..1], of("answers after union", "sha256"));
        assert_eq!(full[1..], of(in_batches, "sha256"));
        assert_eq!(
            differs(|request| counting(request, "full after reload")),
            of("reload in a lifecycle", "error")
        );
    }

    /// Single calls find every key.
    #[test]
    fn batches_with_false_negatives_in_a_lifecycle_are_seen() {
        let wrong = differs(|request| counting(request, "batches miss after union"));
        let what: Vec<_> = wrong
            .iter()
            .map(|(what, unit)| (&**what, &**unit))
            .collect();
        assert_eq!(
            what,
            [
                (
                    "answers after union, inserted singly, asked in batches",
                    "sha256"
                ),
                (
                    "ways after union, inserted singly, asked in batches",
                    "error"
                ),
            ]
        );
        let missing = lived(|request| counting(request, "batches miss after union")).missing;
        assert_eq!(missing.of(Out::Batches), 1_000);
    }
}
