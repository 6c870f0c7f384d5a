//! A filter filled by one way and asked by all, held against one that was filled by
//! single calls.

use super::{Answers, Filled, In, count, differing};
use crate::registry::{Entry, Subject};
use crate::workload::Workload;

/// What came of a filter that was filled by one way.
pub struct Trial {
    pub way: In,
    pub filled: Filled,
    /// What it is stored as, of a filter that is the same for the same keys.
    pub bytes: Option<Vec<u8>>,
    /// The answers for all members, then for the others, by each way that it has.
    pub answers: Answers,
    /// Answers of another filter of the same keys say nothing of its own.
    is_reproducible: bool,
}

/// How a trial differs from the first, and its answers from those to single calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Differences {
    /// Keys that one of the two took and the other refused.
    pub taken: u64,
    /// The counts of new keys differ; `None` where one of the two has none.
    pub new: Option<bool>,
    /// The stored bytes differ; `None` where they may.
    pub bytes: Option<bool>,
}

impl Trial {
    /// Fills `filter`, which is empty, with the members and asks it for them and for
    /// as many `others`. `None`: it cannot be filled by this way.
    pub fn run(
        entry: &Entry,
        filter: &mut dyn Subject,
        way: In,
        workload: &Workload<'_>,
        others: u64,
    ) -> Option<Self> {
        let filled = way.fill(filter, |give| workload.members(give))?;
        let is_reproducible = entry.reproducible_by_seed;
        Some(Self {
            way,
            filled,
            bytes: filter.encoded().filter(|_| is_reproducible),
            answers: transcript(filter, workload, others),
            is_reproducible,
        })
    }

    /// Members that it took and denies, by these answers.
    pub fn denied(&self, answers: &[bool]) -> u64 {
        let members = self.filled.accepted.iter().zip(answers);
        members.filter(|(taken, held)| **taken && !**held).count() as u64
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
        let right = if self.is_reproducible {
            first.answers.singly()
        } else {
            self.answers.singly()
        };
        differing(answers, right)
    }

    /// That in words, with what is wrong of them; `None` if nothing is.
    pub fn otherwise_in_words(&self, answers: &[bool], first: &Self) -> Option<String> {
        let differ = self.otherwise(answers, first);
        let (members, others) = (self.filled.accepted.len(), answers.len());
        (differ > 0).then(|| {
            format!(
                "{differ} of {others} keys answered otherwise than by single calls: {} of \
                 {members} members denied, {} of {} non-members taken for members",
                self.denied(answers),
                self.false_positives(answers),
                others - members
            )
        })
    }

    /// Against the filter that was filled first.
    pub fn against(&self, first: &Self) -> Differences {
        let (own, other) = (&self.filled, &first.filled);
        let both_alike = self.is_reproducible;
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
            (taken > 0).then(|| format!("{taken} keys taken or refused otherwise")),
            (self.bytes == Some(true)).then(|| "stored as other bytes".to_owned()),
            (self.new == Some(true)).then(|| "another number of keys called new".to_owned()),
        ];
        let words: Vec<String> = words.into_iter().flatten().collect();
        (!words.is_empty()).then(|| format!("{} than by single calls", words.join("; ")))
    }
}

/// The answers for all members and so many others, by each way that a filter has.
pub fn transcript(filter: &dyn Subject, workload: &Workload<'_>, others: u64) -> Answers {
    Answers::to(filter, |give| {
        workload.members(&mut *give);
        workload.strangers(others, |key| {
            give(key);
            true
        });
    })
}
