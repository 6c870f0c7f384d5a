//! A cell of the scoreboard is what it says.

use super::*;
use crate::registry::{Entry, Options, Request, Size, State, filters};
use crate::workload::Manifest;
use std::sync::atomic::{AtomicU32, Ordering};

fn cell(name: &str, phase: Phase) -> PeerCell {
    let named = |contender: &Entry| contender.name == name;
    cell_of(filters().into_iter().find(named).unwrap(), phase)
}

fn cell_of(contender: Entry, phase: Phase) -> PeerCell {
    PeerCell {
        of: Fitted {
            experiment: "test".into(),
            filter: contender.into(),
            keys: Manifest::find().unwrap().load("random-u64").unwrap().into(),
            capacity: 2_000,
            size: Size::TargetFpr(0.01),
            replicate: 0,
            seed: 5,
            options: Options::default(),
        },
        phase,
        target_fpr: 0.01,
        hits: 200.0,
        max_non_members: 20_000,
    }
}

#[test]
fn a_full_filter_is_counted_and_asked() {
    let row = cell("fastbloom", Phase::Load(1.0)).measure();
    assert_eq!((row.error.as_str(), row.outcome.as_str()), ("", "done"));
    assert_eq!((row.keys, row.members_asked), (2_000, 2_000));
    assert_eq!((row.rejected, row.false_negatives), (0, 0));
    let bits_per_key = row.allocated_bytes.unwrap() as f64 * 8.0 / 2_000.0;
    assert!((9.5..11.0).contains(&bits_per_key), "{bits_per_key}");
    let rate = row.false_positives as f64 / row.non_members_asked as f64;
    assert!((0.007..0.013).contains(&rate), "{rate}");
}

#[test]
fn past_capacity_some_reject() {
    let row = cell("qfilter", Phase::Load(2.0)).measure();
    assert!(row.rejected > 0 && row.false_negatives == 0, "{row:?}");
    assert_eq!(row.members_asked, 4_000 - row.rejected);
}

#[test]
fn what_is_static_takes_no_key_past_capacity() {
    let row = cell("xorf-fuse8", Phase::Load(1.5)).measure();
    assert_eq!((row.keys, row.rejected), (3_000, 1_000));
    assert_eq!((row.members_asked, row.false_negatives), (2_000, 0));
}

#[test]
fn filters_that_need_a_growth_limit_were_given_one() {
    let row = cell("qfilter-resizeable", Phase::Load(10.0)).measure();
    assert_eq!((row.rejected, row.false_negatives), (0, 0), "{row:?}");
    let rate = row.false_positives as f64 / row.non_members_asked as f64;
    assert!((0.001..0.012).contains(&rate), "{rate}");
}

#[test]
fn unions_across_seeds_are_rejected_or_lose_keys_or_are_not_offered() {
    let outcome = |name| {
        let row = cell(name, Phase::Union).measure();
        assert_eq!(row.error, "", "{name}");
        (row.outcome, row.false_negatives)
    };
    let (words, missing) = outcome("standard");
    assert!(words.starts_with("rejected: ") && missing == 0, "{words}");
    let (words, missing) = outcome("fastbloom");
    assert!(words == "done" && missing > 900, "{words}, {missing}");
    assert_eq!(outcome("qfilter"), ("done".into(), 0));
    assert_eq!(outcome("bloomfilter").0, "not offered");
    let row = cell("qfilter", Phase::Union).measure();
    assert!(row.non_members_asked > 0, "its FPR is asked for too");
}

/// Its two hashes become one by two equal halves; others do not mind.
#[test]
fn seeds_reach_the_filter_in_their_form() {
    let rate = |name, form| {
        let row = cell(name, Phase::Seed(form)).measure();
        assert_eq!((row.error.as_str(), row.seed_form), ("", form), "{name}");
        assert_eq!(row.false_negatives, 0, "{name}");
        row.false_positives as f64 / row.non_members_asked as f64
    };
    for form in [SeedForm::Zeros, SeedForm::Ones, SeedForm::EqualHalves] {
        let (theirs, own) = (rate("bloomfilter", form), rate("standard", form));
        assert!(theirs > 0.03, "{form:?}: {theirs}");
        assert!((0.007..0.013).contains(&own), "{form:?}: {own}");
    }
    let drawn = rate("bloomfilter", SeedForm::Drawn);
    assert!((0.007..0.013).contains(&drawn), "{drawn}");
}

#[test]
fn what_was_written_is_asked_again() {
    let row = cell("bloomfilter", Phase::Reload).measure();
    assert_eq!((row.false_negatives, row.members_asked), (0, 2_000));
    assert!(row.serialized_bytes.unwrap() > 2_000, "{row:?}");
    // It does not write its hasher.
    let row = cell("bloom2", Phase::Reload).measure();
    assert!(row.false_negatives > 0, "{row:?}");
    let row = cell("standard", Phase::Reload).measure();
    assert_eq!((row.outcome.as_str(), row.false_negatives), ("done", 0));
    assert!(row.serialized_bytes.unwrap() > 2_000, "{row:?}");
}

/// Takes the first key badly, if so.
struct Touchy(bool);

/// Every other one panics: the one that is counted.
static BUILT: AtomicU32 = AtomicU32::new(0);

fn touchy(_: &Request) -> Result<Box<dyn Subject>> {
    let odd = BUILT.fetch_add(1, Ordering::Relaxed) % 2 == 1;
    Ok(Box::new(Touchy(odd)))
}

impl Subject for Touchy {
    fn insert(&mut self, _key: &[u8]) -> bool {
        assert!(!self.0, "out of luck");
        true
    }

    fn contains(&self, _key: &[u8]) -> bool {
        false
    }

    fn state(&self, _keys: u64) -> State {
        unreachable!("never asked")
    }
}

#[test]
fn a_panic_is_a_row_and_the_next_is_counted_all_the_same() {
    let allocated = || cell("fastbloom", Phase::Size).measure().allocated_bytes;
    let before = allocated();
    let phases = [Phase::Load(1.0), Phase::Union, Phase::Reload, Phase::Size];
    // More often than the counter can be left open: 64 times.
    for phase in phases.into_iter().cycle().take(100) {
        let named = |contender: &Entry| contender.name == "fastbloom";
        let mut contender = filters().into_iter().find(named).unwrap();
        contender.build = Box::new(touchy);
        let row = cell_of(contender, phase).measure();
        assert_eq!(row.error, "panicked: out of luck");
        assert_eq!((row.outcome.as_str(), row.allocated_bytes), ("", None));
    }
    assert_eq!(allocated(), before);
}

/// Rejects keys whose first byte is even, and holds these alone or none.
struct Rejecting {
    holds_rejected: bool,
}

fn rejecting(_: &Request) -> Result<Box<dyn Subject>> {
    let holds_rejected = true;
    Ok(Box::new(Rejecting { holds_rejected }))
}

impl Subject for Rejecting {
    fn insert(&mut self, key: &[u8]) -> bool {
        key[0] % 2 == 1
    }

    fn contains(&self, key: &[u8]) -> bool {
        let is_even = key.first().is_some_and(|byte| byte.is_multiple_of(2));
        self.holds_rejected && is_even
    }

    fn state(&self, _keys: u64) -> State {
        unreachable!("never asked")
    }
}

#[test]
fn keys_that_were_rejected_are_not_asked_for() {
    let row = |phase| {
        let named = |contender: &Entry| contender.name == "fastbloom";
        let mut contender = filters().into_iter().find(named).unwrap();
        contender.build = Box::new(rejecting);
        contender.unite = Some(Box::new(|_, _| Ok(())));
        // Read back it has none of the keys it had before.
        contender.reload = Some(Box::new(|_| {
            let holds_rejected = false;
            Ok((0, Box::new(Rejecting { holds_rejected })))
        }));
        let row = cell_of(contender, phase).measure();
        assert!(row.rejected > 500 && row.outcome == "done", "{row:?}");
        (row.rejected, row.members_asked, row.false_negatives)
    };
    let (rejected, asked, missing) = row(Phase::Union);
    assert_eq!((asked, missing), (2_000 - rejected, asked));
    let (_, asked, missing) = row(Phase::Reload);
    assert_eq!((asked, missing), (0, 0));
}
