//! One filter on the scoreboard: one phase of it, in one replicate.

use std::sync::Arc;

use anyhow::{Context, Result, anyhow};

use super::{guarded, strangers_for};
use crate::{
    record::PeerRow,
    registry::{Ask, Contender, Size, Subject},
    staging::interrupted,
    workload::{KeySet, Workload, mix},
};

/// See the column of the same name in [`PeerRow`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Phase {
    Load(f64),
    Union,
    Reload,
    Size,
}

impl Phase {
    pub fn name(self) -> &'static str {
        match self {
            Self::Load(_) => "load",
            Self::Union => "union",
            Self::Reload => "reload",
            Self::Size => "size",
        }
    }

    /// Keys by capacity.
    pub fn load(self) -> f64 {
        match self {
            Self::Load(load) => load,
            _ => 1.0,
        }
    }
}

pub struct PeerCell {
    pub experiment: String,
    pub contender: Arc<Contender>,
    pub keys: Arc<KeySet>,
    pub phase: Phase,
    pub capacity: u64,
    pub target_fpr: f64,
    pub replicate: u32,
    pub seed: u64,
    /// False positives to expect.
    pub hits: f64,
    pub max_strangers: u64,
}

/// A filter with what it took and what it holds.
struct Filled {
    filter: Box<dyn Subject>,
    accepted: Vec<bool>,
    allocated_bytes: u64,
}

impl PeerCell {
    pub fn measure(&self) -> PeerRow {
        let mut row = self.empty_row();
        let outcome = guarded(|| match self.phase {
            Phase::Load(_) => self.load(&mut row),
            Phase::Union => self.union(&mut row),
            Phase::Reload => self.reload(&mut row),
            Phase::Size => self.size(&mut row),
        });
        match outcome {
            Ok(outcome) => row.outcome = outcome,
            Err(error) => row.error = error,
        }
        row
    }

    fn workload(&self) -> Result<Workload<'_>> {
        let keys = (self.capacity as f64 * self.phase.load()).round() as u64;
        Workload::new(&self.keys, self.seed, keys)
    }

    fn build(&self, seed: u64) -> Result<Box<dyn Subject>> {
        (self.contender.entry.build)(&Ask {
            capacity: self.capacity,
            size: Size::TargetFpr(self.target_fpr),
            seed,
        })
    }

    /// What a filter holds is what the allocator gave this thread less what it
    /// got back: no crate has to tell it, none can forget a part, and other
    /// threads may measure at the same time. An allocator of our own would be
    /// unsafe code; the crate that counts takes the place of the global one,
    /// which is why it comes with the feature alone.
    fn filled(&self, workload: &Workload<'_>, keys: u64) -> Result<Filled> {
        let fill = |accepted: &mut Vec<bool>| {
            let mut filter = self.build(self.seed)?;
            workload.members(|key| accepted.push(filter.insert(key)));
            // A static filter is built when it is first asked.
            filter.contains(b"");
            Ok(filter)
        };
        let mut accepted = Vec::with_capacity(keys as usize);
        // What a crate allocates once a thread, such as a random generator, is
        // no part of the filter: the first one is thrown away.
        drop(fill(&mut accepted)?);
        accepted.clear();
        let mut made = Err(String::new());
        // A panic must not pass the counter by: it would count for ever.
        let info = allocation_counter::measure(|| made = guarded(|| fill(&mut accepted)));
        Ok(Filled {
            filter: made.map_err(|error| anyhow!(error))?,
            accepted,
            allocated_bytes: info.bytes_current.max(0) as u64,
        })
    }

    fn load(&self, row: &mut PeerRow) -> Result<String> {
        let workload = self.workload()?;
        let filled = self.filled(&workload, row.keys)?;
        filled.note(row);
        let filter = &*filled.filter;
        let mut accepted = filled.accepted.iter();
        workload.members(|key| {
            if accepted.next() == Some(&true) {
                row.ask_member(filter, key);
            }
        });
        let most = self.max_strangers;
        let strangers = strangers_for(self.hits, self.target_fpr, most, &self.keys);
        workload.strangers(strangers, |key| {
            row.strangers_asked += 1;
            row.false_positives += u64::from(filter.contains(key));
            !interrupted()
        });
        Ok(done())
    }

    fn union(&self, row: &mut PeerRow) -> Result<String> {
        let Some(unite) = self.contender.unite else {
            return Ok(not_offered());
        };
        let workload = self.workload()?;
        let (mut left, mut right) = (self.build(self.seed)?, self.build(mix(self.seed))?);
        let mut given = 0;
        workload.members(|key| {
            let side = if given < row.keys / 2 {
                &mut left
            } else {
                &mut right
            };
            row.refused += u64::from(!side.insert(key));
            given += 1;
        });
        if let Err(reason) = unite(&mut *left, &*right) {
            return Ok(format!("refused: {reason:#}"));
        }
        workload.members(|key| row.ask_member(&*left, key));
        Ok(done())
    }

    fn reload(&self, row: &mut PeerRow) -> Result<String> {
        let workload = self.workload()?;
        let filled = self.filled(&workload, row.keys)?;
        filled.note(row);
        let Some(reload) = self.contender.reload else {
            return Ok(not_offered());
        };
        let (bytes, again) = reload(&*filled.filter).context("cannot be written and read back")?;
        row.serialized_bytes = Some(bytes);
        workload.members(|key| {
            if filled.filter.contains(key) {
                row.ask_member(&*again, key);
            }
        });
        Ok(done())
    }

    fn size(&self, row: &mut PeerRow) -> Result<String> {
        self.filled(&self.workload()?, row.keys)?.note(row);
        Ok(done())
    }

    fn empty_row(&self) -> PeerRow {
        PeerRow {
            experiment: self.experiment.clone(),
            filter: self.contender.entry.name.into(),
            release: self.contender.release.into(),
            hashing: self.contender.hashing.name().into(),
            is_static: self.contender.is_static,
            chooses_fpr: self.contender.entry.fixed_size.is_none(),
            dataset: self.keys.name().into(),
            phase: self.phase.name().into(),
            load: self.phase.load(),
            capacity: self.capacity,
            target_fpr: self.target_fpr,
            replicate: self.replicate,
            seed: self.seed,
            keys: (self.capacity as f64 * self.phase.load()).round() as u64,
            refused: 0,
            members_asked: 0,
            false_negatives: 0,
            strangers_asked: 0,
            false_positives: 0,
            allocated_bytes: None,
            serialized_bytes: None,
            outcome: String::new(),
            error: String::new(),
        }
    }
}

impl Filled {
    fn note(&self, row: &mut PeerRow) {
        row.refused = self.accepted.iter().filter(|taken| !**taken).count() as u64;
        row.allocated_bytes = Some(self.allocated_bytes);
    }
}

impl PeerRow {
    fn ask_member(&mut self, filter: &dyn Subject, key: &[u8]) {
        self.members_asked += 1;
        self.false_negatives += u64::from(!filter.contains(key));
    }
}

fn done() -> String {
    "done".into()
}

fn not_offered() -> String {
    "not offered".into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        registry::{State, contenders},
        workload::Manifest,
    };
    use std::sync::atomic::{AtomicU32, Ordering};

    fn cell(name: &str, phase: Phase) -> PeerCell {
        let named = |contender: &Contender| contender.entry.name == name;
        cell_of(contenders().into_iter().find(named).unwrap(), phase)
    }

    fn cell_of(contender: Contender, phase: Phase) -> PeerCell {
        PeerCell {
            experiment: "test".into(),
            contender: contender.into(),
            keys: Manifest::find().unwrap().load("random-u64").unwrap().into(),
            phase,
            capacity: 2_000,
            target_fpr: 0.01,
            replicate: 0,
            seed: 5,
            hits: 200.0,
            max_strangers: 20_000,
        }
    }

    #[test]
    fn a_full_filter_is_counted_and_asked() {
        let row = cell("fastbloom", Phase::Load(1.0)).measure();
        assert_eq!((row.error.as_str(), row.outcome.as_str()), ("", "done"));
        assert_eq!((row.keys, row.members_asked), (2_000, 2_000));
        assert_eq!((row.refused, row.false_negatives), (0, 0));
        let bits_per_key = row.allocated_bytes.unwrap() as f64 * 8.0 / 2_000.0;
        assert!((9.5..11.0).contains(&bits_per_key), "{bits_per_key}");
        let rate = row.false_positives as f64 / row.strangers_asked as f64;
        assert!((0.007..0.013).contains(&rate), "{rate}");
    }

    #[test]
    fn past_capacity_some_refuse() {
        let row = cell("qfilter", Phase::Load(2.0)).measure();
        assert!(row.refused > 0 && row.false_negatives == 0, "{row:?}");
        assert_eq!(row.members_asked, 4_000 - row.refused);
    }

    #[test]
    fn unions_across_seeds_are_refused_or_lose_keys_or_are_not_offered() {
        let outcome = |name| {
            let row = cell(name, Phase::Union).measure();
            assert_eq!(row.error, "", "{name}");
            (row.outcome, row.false_negatives)
        };
        let (words, lost) = outcome("standard");
        assert!(words.starts_with("refused: ") && lost == 0, "{words}");
        let (words, lost) = outcome("fastbloom");
        assert!(words == "done" && lost > 900, "{words}, {lost}");
        assert_eq!(outcome("qfilter"), ("done".into(), 0));
        assert_eq!(outcome("bloomfilter").0, "not offered");
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
        assert_eq!(
            (row.outcome.as_str(), row.serialized_bytes),
            ("not offered", None)
        );
    }

    /// Takes the first key badly, if so.
    struct Touchy(bool);

    /// Every other one panics: the one that is counted.
    static BUILT: AtomicU32 = AtomicU32::new(0);

    fn touchy(_: &Ask) -> Result<Box<dyn Subject>> {
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

        fn remove(&mut self, _key: &[u8]) -> bool {
            false
        }

        fn state(&self, _keys: u64) -> State {
            unreachable!("never asked")
        }
    }

    #[test]
    fn a_panic_is_a_row_and_the_next_is_counted_all_the_same() {
        let held = || cell("fastbloom", Phase::Size).measure().allocated_bytes;
        let before = held();
        let phases = [Phase::Load(1.0), Phase::Union, Phase::Reload, Phase::Size];
        // More often than the counter can be left open: 64 times.
        for phase in phases.into_iter().cycle().take(100) {
            let named = |contender: &Contender| contender.entry.name == "fastbloom";
            let mut contender = contenders().into_iter().find(named).unwrap();
            contender.entry.build = touchy;
            let row = cell_of(contender, phase).measure();
            assert_eq!(row.error, "panicked: out of luck");
            assert_eq!((row.outcome.as_str(), row.allocated_bytes), ("", None));
        }
        assert_eq!(held(), before);
    }
}
