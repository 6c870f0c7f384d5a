//! A filter filled by one way and asked by all, compared with one that was filled by
//! single calls.

use anyhow::Result;

use super::{
    Alike, Answers, In, Out,
    answers::{count, differing},
    fill::{Filled, Full, Kind, singly},
};
use crate::registry::{Entry, Size, Subject};
use crate::workload::Workload;

/// What came of a filter that was filled by one way.
pub struct Trial {
    pub way: In,
    pub filter: Box<dyn Subject>,
    pub filled: Filled,
    /// What it is stored as, of a filter that is the same for the same keys.
    pub bytes: Option<Vec<u8>>,
    /// The answers for all members, then for the others, by each way that it is asked.
    pub answers: Answers,
    alike: Alike,
    /// What it is compared with in place of the first.
    beside: Option<Box<Self>>,
}

/// How a trial differs from the first, and its answers from those to single calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Differences {
    /// Keys that one of the two took and the other rejected.
    pub taken: u64,
    /// The counts of new keys differ; `None` where one of the two has none.
    pub new: Option<bool>,
    /// The stored bytes differ; `None` where they may.
    pub bytes: Option<bool>,
}

impl Trial {
    /// Fills a filter with the members and asks it for them and for as many `others`.
    /// `None`: it cannot be filled by this way.
    ///
    /// # Errors
    ///
    /// Filling it failed.
    pub fn run(
        kind: &Kind<'_>,
        way: In,
        workload: &Workload<'_>,
        others: u64,
    ) -> Result<Option<Self>> {
        let Some(full) = way.fill(kind, |give| workload.members(give))? else {
            return Ok(None);
        };
        let Full {
            filter,
            filled,
            beside,
        } = full;
        let alike = way.alike(kind.entry);
        let of = |filter: Box<dyn Subject>, filled: Filled, ways: &[Out]| {
            Ok::<_, anyhow::Error>(Self {
                way,
                filled,
                bytes: filter.encoded().filter(|_| alike >= Alike::Bytes),
                answers: transcript(ways, &*filter, workload, others)?,
                filter,
                alike,
                beside: None,
            })
        };
        let beside = beside.map(|mut plain| {
            let filled = singly(&mut *plain, |give| workload.members(give));
            of(plain, filled, &[Out::Singly]).map(Box::new)
        });
        Ok(Some(Self {
            beside: beside.transpose()?,
            ..of(filter, filled, way.asked())?
        }))
    }

    /// Bytes that it takes at least: what was taken of each key, the answers by each way, and
    /// the filter, twice more as what it is stored as.
    pub fn least_bytes(entry: &Entry, keys: u64, size: Size, others: u64) -> f64 {
        let is_ours = entry.role == "ours";
        let (ways, copies) = if is_ours {
            (Out::ALL.len(), 3.0)
        } else {
            (1, 1.0)
        };
        let answers = (keys + others) as f64 * ways as f64;
        keys as f64 * (1.0 + copies * size.least_bits(entry) / 8.0) + answers
    }

    /// Members that it accepted and misses, by these answers.
    pub fn false_negatives(&self, answers: &[bool]) -> u64 {
        let members = self.filled.accepted.iter().zip(answers);
        members.filter(|(taken, found)| **taken && !**found).count() as u64
    }

    /// Non-members that it takes for members, by these answers.
    pub fn false_positives(&self, answers: &[bool]) -> u64 {
        count(
            answers
                .get(self.filled.accepted.len()..)
                .unwrap_or_default(),
        )
    }

    /// Keys that these answers speak otherwise of than `first` does, filled and asked
    /// by single calls; where no two filters are alike, than this one does.
    pub fn otherwise(&self, answers: &[bool], first: &Self) -> u64 {
        let right = match self.alike {
            Alike::Nothing => self,
            Alike::Answers | Alike::Bytes => self.beside(first),
        };
        differing(answers, right.answers.singly())
    }

    /// What it is compared with: the filter that was filled first, or one of its own
    /// size.
    fn beside<'a>(&'a self, first: &'a Self) -> &'a Self {
        self.beside.as_deref().unwrap_or(first)
    }

    /// That in words, with what is wrong of them; `None` if nothing is.
    pub fn otherwise_in_words(&self, answers: &[bool], first: &Self) -> Option<String> {
        let differ = self.otherwise(answers, first);
        let (members, others) = (self.filled.accepted.len(), answers.len());
        (differ > 0).then(|| {
            format!(
                "{differ} of {others} keys answered otherwise than by single calls: {} of \
                 {members} members are false negatives, {} of {} non-members false positives",
                self.false_negatives(answers),
                self.false_positives(answers),
                others - members
            )
        })
    }

    /// Against the filter that was filled first.
    pub fn against(&self, first: &Self) -> Differences {
        let first = self.beside(first);
        let (own, other) = (&self.filled, &first.filled);
        let both_alike = self.alike >= Alike::Answers;
        Differences {
            taken: if both_alike {
                differing(&own.accepted, &other.accepted)
            } else {
                0
            },
            new: own.new.zip(other.new).map(|(a, b)| both_alike && a != b),
            bytes: self
                .bytes
                .as_ref()
                .zip(first.bytes.as_ref())
                .map(|(a, b)| a != b),
        }
    }
}

impl Differences {
    /// `None` if there are none.
    pub fn in_words(&self) -> Option<String> {
        let taken = self.taken;
        let words = [
            (taken > 0).then(|| format!("{taken} keys taken or rejected otherwise")),
            (self.bytes == Some(true)).then(|| "stored as other bytes".to_owned()),
            (self.new == Some(true)).then(|| "another number of keys called new".to_owned()),
        ];
        let words: Vec<String> = words.into_iter().flatten().collect();
        (!words.is_empty()).then(|| format!("{} than by single calls", words.join("; ")))
    }
}

/// The answers for all members and so many others, by those of the ways that a filter
/// has; an error as of [`Answers::by`].
pub fn transcript(
    ways: &[Out],
    filter: &dyn Subject,
    workload: &Workload<'_>,
    others: u64,
) -> Result<Answers> {
    Answers::by(ways, filter, |give| {
        workload.members(&mut *give);
        workload.non_members(others, |key| {
            give(key);
            true
        });
    })
}
