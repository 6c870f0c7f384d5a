//! The keys for measurements: synthetic ones, or the user's own.

use std::path::Path;

use anyhow::{Result, ensure};

use super::{
    requirements::KeyKind,
    workload::{KeyFacts, Workload as Requested},
};
use bouquet_measure::speed::StoredKeys;
use bouquet_measure::workload::{KeySet, Workload, mix, shuffle};

/// Limits for measurements: the number of keys, and their total size in bytes. Larger samples would
/// take too long for a recommendation.
const MOST_KEYS: u64 = 1 << 20;
const MOST_BYTES: f64 = 96e6;

/// The number of non-members that are looked up.
const NON_MEMBERS: u64 = 1 << 19;

/// Keys for a measurement. Members and non-members are disjoint by construction.
pub struct Sample {
    pub members: StoredKeys,
    pub non_members: StoredKeys,
    /// The name of the keys in the records: `u64`, `url`, or `own` for the user's keys.
    pub name: String,
    /// If the keys are integers, all members are below this number.
    pub below: u64,
}

/// A file of the user's keys, with facts about them.
pub struct Own {
    set: KeySet,
    pub facts: KeyFacts,
    pub warning: Option<String>,
}

impl Own {
    /// Reads a file, one key per line.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or has no key.
    pub fn read(path: &Path) -> Result<Self> {
        let (set, warning) = KeySet::read_file("own", path, b'\n')?;
        let mut largest = Some(0);
        set.for_each(set.len(), |key| {
            let both = largest.zip(integer(key));
            largest = both.map(|(largest, key)| key.max(largest));
        });
        let (keys, mean_bytes) = (set.len(), set.mean_bytes() as f64);
        let facts = KeyFacts {
            keys,
            mean_bytes,
            largest,
        };
        Ok(Self {
            set,
            facts,
            warning,
        })
    }
}

/// The value of a line if it is a 64-bit integer in its shortest notation.
fn integer(key: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(key).ok()?;
    let value: u64 = text.parse().ok()?;
    (value.to_string() == text).then_some(value)
}

impl Sample {
    /// The keys for a workload, at most as many as can be measured in a short time.
    ///
    /// # Errors
    ///
    /// The given keys are too few for a measurement.
    pub fn new(asked: &Requested, own: Option<&Own>, seed: u64, most: u64) -> Result<Self> {
        let by_bytes = (MOST_BYTES / asked.key_bytes.max(1.0)) as u64;
        let keys = asked.final_keys();
        let count = keys.min(MOST_KEYS).min(by_bytes).min(most).max(2);
        let Some(own) = own else {
            return Ok(Self::synthetic(asked, count, seed, most));
        };
        let count = count.min(own.set.len());
        ensure!(count > 1, "one key is too few to measure with");
        let workload = Workload::new(&own.set, seed, count)?;
        if let Some(largest) = own.facts.largest {
            let mut members = Vec::new();
            workload.members(|key| members.extend(integer(key)));
            let below = largest.saturating_add(1);
            return Ok(Self::of_integers("own", members, below, seed, most));
        }
        let [mut members, mut non_members] = [(), ()].map(|()| StoredKeys::Bytes(vec![], vec![]));
        workload.members(|key| members.push(key));
        workload.non_members(NON_MEMBERS.min(most), |key| non_members.push(key));
        Ok(Self::named("own", members, non_members))
    }

    /// A sample with `count` synthetic members and at most `most` non-members. Unlike `new`, this
    /// function does not limit `count`.
    pub fn synthetic(asked: &Requested, count: u64, seed: u64, most: u64) -> Self {
        let (name, seed) = (asked.key_kind.name(), mix(seed));
        if asked.key_kind == KeyKind::Url {
            let urls = |from: u64, count| {
                let mut kept = StoredKeys::Bytes(Vec::new(), Vec::new());
                (from..from + count).for_each(|i| kept.push(url(mix(i ^ seed)).as_bytes()));
                kept
            };
            return Self::named(name, urls(0, count), urls(1 << 40, NON_MEMBERS.min(most)));
        }
        // One member is drawn from every `each` consecutive integers, so that members are as dense
        // as in the whole workload, even if they are fewer.
        let each = asked.integers_below.unwrap_or(u64::MAX) / asked.final_keys();
        let each = each.max(1).min(u64::MAX / count);
        let member = |index: u64| index * each + mix(index ^ seed) % each;
        let mut members: Vec<u64> = (0..count).map(member).collect();
        shuffle(&mut members, seed);
        Self::of_integers(name, members, each * count, seed, most)
    }

    fn named(name: &str, members: StoredKeys, non_members: StoredKeys) -> Self {
        Self {
            members,
            non_members,
            name: name.to_owned(),
            below: 0,
        }
    }

    /// A sample with these members. Non-members are below `below` too, unless the members leave too
    /// little room there.
    fn of_integers(name: &str, members: Vec<u64>, below: u64, seed: u64, most: u64) -> Self {
        let mut sorted = members.clone();
        sorted.sort_unstable();
        let is_dense = sorted.len() as u64 > below / 2;
        let range = below.saturating_mul(if is_dense { 4 } else { 1 });
        let drawn = (0..).map(|draw| mix(draw ^ mix(seed)) % range);
        let others = drawn.filter(|key| sorted.binary_search(key).is_err());
        let others = others.take(NON_MEMBERS.min(most) as usize).collect();
        let [members, others] = [members, others].map(StoredKeys::Integers);
        Self {
            below,
            ..Self::named(name, members, others)
        }
    }
}

fn url(word: u64) -> String {
    format!("https://example.org/en/articles/{word:016x}/index.html")
}

#[cfg(test)]
mod tests {
    use std::{collections::HashSet, io::Write as _};

    use super::*;
    use crate::advise::{
        requirements::{Growth, Requirements},
        workload,
    };

    fn integers(kept: &StoredKeys) -> Vec<u64> {
        match kept {
            StoredKeys::Integers(keys) => keys.clone(),
            StoredKeys::Bytes(..) => Vec::new(),
        }
    }

    fn asked(below: Option<u64>) -> Requested {
        let below = below.map(|below| format!("integers-below = {below}"));
        workload(&format!("capacity = 1000\n{}", below.unwrap_or_default()))
    }

    #[test]
    fn members_are_different_and_non_members_are_none_of_them() {
        for below in [None, Some(1_000), Some(2_000), Some(50_000)] {
            let sample = Sample::new(&asked(below), None, 7, 3_000).unwrap();
            let members: HashSet<u64> = integers(&sample.members).into_iter().collect();
            assert_eq!(members.len(), 1_000, "{below:?}");
            let non_members = integers(&sample.non_members);
            assert!(
                non_members.iter().all(|key| !members.contains(key)),
                "{below:?}"
            );
            if below.is_some() {
                assert!(members.iter().all(|key| *key < sample.below), "{below:?}");
            }
        }
    }

    #[test]
    fn a_set_that_grows_is_measured_as_large_as_it_becomes() {
        let mut asked = asked(Some(500_000));
        asked.growth = Growth::Times(100.0);
        let sample = Sample::new(&asked, None, 7, u64::MAX).unwrap();
        assert_eq!((sample.members.len(), sample.below), (100_000, 500_000));
    }

    #[test]
    fn non_members_of_the_users_integers_lie_among_them() {
        let read = |step: u64| {
            let text: String = (0..5_000).map(|i| format!("{}\n", i * step)).collect();
            let mut file = tempfile::NamedTempFile::new().unwrap();
            file.write_all(text.as_bytes()).unwrap();
            let own = Own::read(file.path()).unwrap();
            let sample = Sample::new(&asked(None), Some(&own), 7, u64::MAX);
            let requirements = Requirements::default();
            let all = Requested::new(&requirements, Some(own.facts)).unwrap();
            let whole = Sample::new(&all, Some(&own), 7, 20_000).unwrap();
            (sample.unwrap(), whole)
        };
        for (step, share) in [(7, 0.99), (1, 0.0)] {
            for sample in <[Sample; 2]>::from(read(step)) {
                let members: HashSet<u64> = integers(&sample.members).into_iter().collect();
                let non_members = integers(&sample.non_members);
                assert!(
                    non_members.iter().all(|key| !members.contains(key)),
                    "{step}"
                );
                let inside = non_members
                    .iter()
                    .filter(|key| **key < 5_000 * step)
                    .count();
                assert!(
                    inside as f64 >= share * non_members.len() as f64,
                    "{step}: {inside}"
                );
            }
        }
    }

    #[test]
    fn lines_that_are_all_integers_are_integers() {
        let read = |text: &str| {
            let mut file = tempfile::NamedTempFile::new().unwrap();
            file.write_all(text.as_bytes()).unwrap();
            Own::read(file.path()).unwrap().facts
        };
        assert_eq!(read("7\n12\n3\n").largest, Some(12));
        assert_eq!(read("7\n012\n").largest, None);
        assert_eq!((read("a\nb\nb\n").keys, read("a\nb\n").largest), (2, None));
    }
}
