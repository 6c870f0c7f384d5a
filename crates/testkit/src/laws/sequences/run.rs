use std::{collections::BTreeMap, fmt::Debug};

use bouquet_core::TryInsert;

use super::{
    Alphabet,
    case::{Case, Op, Way, pool},
};
use crate::{Verdict, keys::show, laws::all_present};

/// How often the filter contains each key.
type Model = BTreeMap<Vec<u8>, usize>;

/// The state in the middle of a sequence.
struct Run<'a, F> {
    alphabet: &'a Alphabet<F>,
    /// Makes another filter with the same parameters.
    make: &'a dyn Fn() -> Result<F, String>,
    filter: F,
    model: Model,
    /// Whether the filter is copied and compared after every operation.
    compares: bool,
}

/// Runs the case and checks the filter after every operation.
pub(super) fn run<F>(
    make: &dyn Fn() -> Result<F, String>,
    alphabet: &Alphabet<F>,
    case: &Case,
) -> Verdict
where
    F: TryInsert<Error: Debug> + PartialEq + Clone,
{
    let mut run = Run {
        alphabet,
        make,
        filter: make()?,
        model: Model::new(),
        compares: case.compares(),
    };
    let pool = pool();
    for op in &case.ops {
        run.one(op, &pool)
            .map_err(|why| format!("{why}, in {op:?}"))?;
        all_present(&run.filter, run.model.keys(), &format!("after {op:?}"))?;
    }
    Ok(())
}

impl<F> Run<'_, F>
where
    F: TryInsert<Error: Debug> + PartialEq + Clone,
{
    fn one(&mut self, op: &Op, pool: &[Vec<u8>]) -> Verdict {
        let named = |keys: &[usize]| -> Vec<Vec<u8>> {
            keys.iter().map(|&key| pool[key].clone()).collect()
        };
        match op {
            // These operations visit all slots, which takes long in a large filter.
            Op::Union(_) | Op::Intersect(_) | Op::Clear | Op::Clone if !self.compares => Ok(()),
            Op::Insert { key, copies, way } => {
                (0..*copies).try_for_each(|_| self.insert(&pool[*key], *way))
            }
            Op::InsertBatch(keys) => self.insert_batch(&named(keys)),
            Op::Extend(keys) => self.extend(named(keys)),
            Op::Ask(keys) => self.ask(&named(keys)),
            Op::Remove {
                key,
                copies,
                hashed,
            } => (0..*copies).try_for_each(|_| self.remove(&pool[*key], *hashed)),
            Op::Union(keys) => self.union(&named(keys)),
            Op::Intersect(keys) => self.intersect(&named(keys)),
            Op::Clear => self.clear(),
            Op::Clone => {
                let copy = self.filter.clone();
                ensure!(copy == self.filter, "a clone differs from its original");
                self.filter = copy;
                Ok(())
            }
        }
    }

    /// A copy of the filter for a later comparison.
    fn copy(&self) -> Option<F> {
        self.compares.then(|| self.filter.clone())
    }

    fn insert(&mut self, key: &[u8], way: Way) -> Verdict {
        let before = self.filter.contains(key);
        let Some(was_new) = self.try_insert(key, way)? else {
            return Ok(());
        };
        ensure!(
            was_new != before,
            "insert returned {was_new} where contains was {before}: {}",
            show(key)
        );
        *self.model.entry(key.to_vec()).or_default() += 1;
        Ok(())
    }

    /// Inserts a key; returns `None` if the key was rejected.
    fn try_insert(&mut self, key: &[u8], way: Way) -> Result<Option<bool>, String> {
        let unchanged = self.copy();
        let filter = &mut self.filter;
        let answer = match (way, self.alphabet.share) {
            (Way::SharedBytes, Some(share)) => Ok(share(filter, key, false)),
            (Way::SharedHash, Some(share)) => Ok(share(filter, key, true)),
            (Way::Hash, _) => filter.try_insert_hash(filter.hash_key(key)),
            _ => filter.try_insert(key),
        };
        ensure!(
            answer.is_ok() || unchanged.is_none_or(|unchanged| *filter == unchanged),
            "a rejected key changed the filter: {}",
            show(key)
        );
        Ok(answer.ok())
    }

    fn insert_batch(&mut self, keys: &[Vec<u8>]) -> Verdict {
        let slices: Vec<&[u8]> = keys.iter().map(Vec::as_slice).collect();
        let one_by_one = self.copy();
        let (taken, new) = match self.filter.try_insert_batch(&slices) {
            Ok(new) => (keys.len(), Some(new)),
            Err(stopped) => (stopped.index, None),
        };
        for key in &keys[..taken] {
            *self.model.entry(key.clone()).or_default() += 1;
        }
        let Some(mut one_by_one) = one_by_one else {
            return Ok(());
        };
        let mut counted = 0;
        for key in &keys[..taken] {
            let answer = one_by_one.try_insert(key);
            let was_new = answer.map_err(|error| format!("taken in a batch only: {error:?}"))?;
            counted += usize::from(was_new);
        }
        ensure!(
            self.filter == one_by_one,
            "a batch is not its first {taken} keys one by one"
        );
        ensure!(
            new.is_none_or(|new| new == counted),
            "a batch counts {new:?} new keys, one by one they are {counted}"
        );
        Ok(())
    }

    fn extend(&mut self, keys: Vec<Vec<u8>>) -> Verdict {
        let Some(extend) = self.alphabet.extend else {
            return Ok(());
        };
        for key in &keys {
            *self.model.entry(key.clone()).or_default() += 1;
        }
        extend(&mut self.filter, keys);
        Ok(())
    }

    fn ask(&self, keys: &[Vec<u8>]) -> Verdict {
        let slices: Vec<&[u8]> = keys.iter().map(Vec::as_slice).collect();
        let answers: Vec<bool> = keys.iter().map(|key| self.filter.contains(key)).collect();
        let mut found: Vec<bool> = answers.iter().map(|answer| !answer).collect();
        self.filter.contains_bytes_batch(&slices, &mut found);
        for (i, key) in keys.iter().enumerate() {
            let by_hash = self.filter.contains_hash(self.filter.hash_key(key));
            ensure!(
                found[i] == answers[i] && by_hash == answers[i],
                "contains returns {}, contains_batch {}, contains_hash {by_hash}: {}",
                answers[i],
                found[i],
                show(key)
            );
        }
        Ok(())
    }

    /// Removes a member once. Of the other keys, only definitely absent ones are removed, because
    /// removing a false positive would cause false negatives.
    fn remove(&mut self, key: &[u8], hashed: bool) -> Verdict {
        let Some(remove) = self.alphabet.remove else {
            return Ok(());
        };
        let copies = self.model.get(key).copied().unwrap_or(0);
        if copies == 0 && self.filter.contains(key) {
            return Ok(());
        }
        let unchanged = self.copy();
        let answer = remove(&mut self.filter, key, hashed);
        ensure!(
            answer == (copies > 0),
            "remove returned {answer} for a key present {copies} times: {}",
            show(key)
        );
        ensure!(
            copies > 0 || unchanged.is_none_or(|unchanged| self.filter == unchanged),
            "removing an absent key changed the filter: {}",
            show(key)
        );
        match copies {
            0 => {}
            1 => drop(self.model.remove(key)),
            _ => drop(self.model.insert(key.to_vec(), copies - 1)),
        }
        Ok(())
    }

    fn union(&mut self, keys: &[Vec<u8>]) -> Verdict {
        let Some(union) = self.alphabet.union else {
            return Ok(());
        };
        let (other, theirs) = self.other(keys)?;
        union(&mut self.filter, &other).map_err(|error| format!("rejected: {error}"))?;
        for (key, copies) in theirs {
            *self.model.entry(key).or_default() += copies;
        }
        Ok(())
    }

    fn intersect(&mut self, keys: &[Vec<u8>]) -> Verdict {
        let Some(intersect) = self.alphabet.intersect else {
            return Ok(());
        };
        let (other, theirs) = self.other(keys)?;
        intersect(&mut self.filter, &other).map_err(|error| format!("rejected: {error}"))?;
        self.model.retain(|key, copies| {
            *copies = theirs.get(key).map_or(0, |&theirs| theirs.min(*copies));
            *copies > 0
        });
        Ok(())
    }

    /// Another filter with the same parameters, and a model of those `keys` that it accepted.
    fn other(&self, keys: &[Vec<u8>]) -> Result<(F, Model), String> {
        let (mut other, mut model) = ((self.make)()?, Model::new());
        for key in keys {
            if other.try_insert(key).is_ok() {
                *model.entry(key.clone()).or_default() += 1;
            }
        }
        Ok((other, model))
    }

    fn clear(&mut self) -> Verdict {
        let Some(clear) = self.alphabet.clear else {
            return Ok(());
        };
        clear(&mut self.filter);
        self.model.clear();
        ensure!(
            self.filter == (self.make)()?,
            "a cleared filter differs from a new one"
        );
        Ok(())
    }
}
