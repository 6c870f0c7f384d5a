//! Asking a filter by each way.

use anyhow::Result;

use super::{
    Out,
    batches::{Give, in_batches},
    mapped::MappedFile,
};
use crate::registry::{Subject, Viewed};

/// The answers for the same keys by each way that a filter has.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answers {
    each: Vec<(Out, Vec<bool>)>,
    /// Ways that it has and that fail.
    errors: Vec<(Out, String)>,
}

impl Answers {
    /// For all the keys that `feed` gives, by those of the ways that the filter has.
    ///
    /// # Errors
    ///
    /// What is to be mapped cannot be written, which says nothing of the filter.
    pub fn by(
        ways: &[Out],
        filter: &dyn Subject,
        feed: impl FnOnce(&mut Give<'_>),
    ) -> Result<Self> {
        let stored = Stored::of(filter, ways)?;
        let mut all = Self::default();
        let errors = answer_by(ways, filter, &stored, feed, |answers| all.append(answers));
        Ok(Self { errors, ..all })
    }

    /// `None`: it has no such way.
    pub fn of(&self, way: Out) -> Option<&[bool]> {
        self.each().find(|(own, _)| *own == way).map(|(_, own)| own)
    }

    /// Those to single calls, which every filter has.
    pub fn singly(&self) -> &[bool] {
        self.of(Out::Singly).unwrap_or_default()
    }

    pub fn each(&self) -> impl Iterator<Item = (Out, &[bool])> {
        self.each.iter().map(|(way, own)| (*way, &own[..]))
    }

    /// Why there are none by a way that it has.
    pub fn errors(&self) -> &[(Out, String)] {
        &self.errors
    }

    /// Takes in the answers for more keys.
    fn append(&mut self, more: &Self) {
        for (way, more) in &more.each {
            match self.each.iter_mut().find(|(own, _)| own == way) {
                Some((_, own)) => own.extend(more),
                None => self.each.push((*way, more.clone())),
            }
        }
    }
}

/// Answers for keys by one way; what it does not write is no answer.
type Lookup<'a> = Box<dyn Fn(&[&[u8]], &mut [bool]) + 'a>;

/// What a filter is stored as, for the ways that read it in place.
#[derive(Default)]
struct Stored {
    bytes: Option<Vec<u8>>,
    file: Option<MappedFile>,
}

impl Stored {
    /// As far as these ways need it.
    fn of(filter: &dyn Subject, ways: &[Out]) -> Result<Self> {
        let needs = |way| ways.contains(&way);
        if !needs(Out::View) && !needs(Out::Mapped) {
            return Ok(Self::default());
        }
        let bytes = filter.encoded();
        let file = bytes.as_ref().filter(|_| needs(Out::Mapped));
        Ok(Self {
            file: file.map(|bytes| MappedFile::of(bytes)).transpose()?,
            bytes,
        })
    }
}

impl Out {
    /// Whoever asks the filter so. `None`: it has no such way.
    fn open<'a>(self, filter: &'a dyn Subject, stored: &'a Stored) -> Option<Result<Lookup<'a>>> {
        let lookup: Lookup<'a> = match self {
            Self::Singly => Box::new(|keys, found| {
                for (key, found) in keys.iter().zip(found) {
                    *found = filter.contains(key);
                }
            }),
            Self::Batches if filter.contains_batch(&[], &mut []) => {
                Box::new(|keys, found| _ = filter.contains_batch(keys, found))
            }
            Self::Hashes if filter.contains_hashes(&[], &mut []) => {
                Box::new(|keys, found| _ = filter.contains_hashes(keys, found))
            }
            Self::HashBatches if filter.contains_hash_batch(&[], &mut []) => {
                Box::new(|keys, found| _ = filter.contains_hash_batch(keys, found))
            }
            Self::Parts if filter.contains_parts(&[], &mut []) => {
                Box::new(|keys, found| _ = filter.contains_parts(keys, found))
            }
            Self::Batches | Self::Hashes | Self::HashBatches | Self::Parts => return None,
            Self::View => {
                let view = filter.view(stored.bytes.as_ref()?)?;
                return Some(view.map(key_by_key));
            }
            Self::Mapped => {
                let view = filter.view(stored.file.as_ref()?)?;
                return Some(view.map(batch_by_batch));
            }
        };
        Some(Ok(lookup))
    }
}

/// By keys and by hashes, which must agree.
fn key_by_key(view: Viewed<'_>) -> Lookup<'_> {
    Box::new(move |keys, found| {
        for (key, found) in keys.iter().zip(found) {
            let answer = view.contains(key);
            if view.contains_hash(view.hash_key(key)) == answer {
                *found = answer;
            }
        }
    })
}

/// The same in batches.
fn batch_by_batch(view: Viewed<'_>) -> Lookup<'_> {
    Box::new(move |keys, found| {
        let hashes: Vec<_> = keys.iter().map(|key| view.hash_key(key)).collect();
        let (mut of_keys, mut of_hashes) = (found.to_vec(), found.to_vec());
        view.contains_batch(keys, &mut of_keys);
        view.contains_hash_batch(&hashes, &mut of_hashes);
        let both = of_keys.into_iter().zip(of_hashes);
        for ((of_key, of_hash), found) in both.zip(found) {
            if of_key == of_hash {
                *found = of_key;
            }
        }
    })
}

/// Asks the filter by those of the ways that it has for the keys that `feed` gives,
/// batch by batch; `take` gets the answers for each batch. Gives the ways that failed.
fn answer_by(
    ways: &[Out],
    filter: &dyn Subject,
    stored: &Stored,
    feed: impl FnOnce(&mut Give<'_>),
    mut take: impl FnMut(&Answers),
) -> Vec<(Out, String)> {
    let (mut lookups, mut answers) = (Vec::new(), Answers::default());
    for &way in ways {
        match way.open(filter, stored) {
            Some(Ok(lookup)) => {
                lookups.push(lookup);
                answers.each.push((way, Vec::new()));
            }
            Some(Err(error)) => answers.errors.push((way, format!("{error:#}"))),
            None => {}
        }
    }
    in_batches(feed, |keys| {
        let mut otherwise = vec![false; keys.len()];
        for (lookup, (way, found)) in lookups.iter().zip(&mut answers.each) {
            found.clone_from(&otherwise);
            lookup(keys, found);
            // An answer that is not written is none: the next way finds the wrong
            // ones there.
            if *way == Out::Singly {
                otherwise = found.iter().map(|answer| !answer).collect();
            }
        }
        take(&answers);
    });
    answers.errors
}

/// Answers to single calls and to batches, counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Count {
    pub asked: u64,
    /// Answered with "may contain".
    pub singly: u64,
    /// `None` where the filter has no batches.
    pub batches: Option<InBatches>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct InBatches {
    /// Answered with "may contain".
    pub present: u64,
    /// Answered otherwise than by single calls.
    pub otherwise: u64,
}

impl Count {
    /// Takes in the answers that [`ask`] gives.
    fn add(&mut self, answers: &Answers) {
        let singly = answers.singly();
        self.asked += singly.len() as u64;
        self.singly += count(singly);
        if let Some(own) = answers.of(Out::Batches) {
            let batches = self.batches.get_or_insert_default();
            batches.present += count(own);
            batches.otherwise += differing(own, singly);
        }
    }

    /// Of the keys that `feed` gives.
    pub fn of(filter: &dyn Subject, feed: impl FnOnce(&mut Give<'_>)) -> Self {
        let mut count = Self::default();
        let stored = Stored::default();
        answer_by(&Out::OF_KEYS, filter, &stored, feed, |answers| {
            count.add(answers);
        });
        count
    }
}

/// How many are true.
pub fn count(answers: &[bool]) -> u64 {
    answers.iter().map(|answer| u64::from(*answer)).sum()
}

/// How many of one are not as those of the other; what only one has is not.
pub fn differing(some: &[bool], others: &[bool]) -> u64 {
    let common = some.iter().zip(others).filter(|(a, b)| a != b).count();
    (common + some.len().abs_diff(others.len())) as u64
}
