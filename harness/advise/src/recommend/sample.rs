//! The keys that are measured with: made, or the user's own.

use std::path::Path;

use anyhow::{Result, bail};

use super::{
    requirements::KeyKind,
    workload::{KeyFacts, Workload as Requested},
};
use bouquet_lab::speed::StoredKeys;
use bouquet_lab::workload::{KeySet, Workload, mix, shuffle};

/// The most keys that are measured with, and their most bytes: more would take
/// longer than a recommendation may.
const MOST_KEYS: u64 = 1 << 20;
const MOST_BYTES: f64 = 96e6;

/// Non-members that are asked for.
const NON_MEMBERS: u64 = 1 << 19;

/// Members and non-members, disjoint by construction.
pub struct Sample {
    pub members: StoredKeys,
    pub non_members: StoredKeys,
    /// As the records have it: `u64`, `url`, or a name of the user's keys.
    pub name: String,
    /// Integers are below this.
    pub below: u64,
}

/// A file of the user's keys, with what is known of them.
pub struct Own {
    set: KeySet,
    integers: bool,
    pub facts: KeyFacts,
    pub warning: Option<String>,
}

impl Own {
    /// Reads a file, one key per line.
    ///
    /// # Errors
    ///
    /// It cannot be read, or has no key.
    pub fn read(path: &Path) -> Result<Self> {
        let (set, warning) = KeySet::read_file("own", path, b'\n')?;
        let (mut largest, mut integers) = (0, true);
        set.for_each(set.len(), |key| match integer(key) {
            Some(value) => largest = largest.max(value),
            None => integers = false,
        });
        let facts = KeyFacts {
            keys: set.len(),
            mean_bytes: set.mean_bytes() as f64,
            largest: integers.then_some(largest),
        };
        Ok(Self {
            set,
            integers,
            facts,
            warning,
        })
    }
}

/// A line that is an integer of 64 bits, written the one shortest way.
fn integer(key: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(key).ok()?;
    let value: u64 = text.parse().ok()?;
    (value.to_string() == text).then_some(value)
}

impl Sample {
    /// Keys for a workload, at most as many as can be measured in time.
    ///
    /// # Errors
    ///
    /// The keys given are too few for any measurement.
    pub fn new(asked: &Requested, own: Option<&Own>, seed: u64, most: u64) -> Result<Self> {
        let by_bytes = (MOST_BYTES / asked.key_bytes.max(1.0)) as u64;
        let keys = asked.final_keys();
        let count = keys.min(MOST_KEYS).min(by_bytes).min(most).max(2);
        match own {
            Some(own) => Self::of_own(own, count, seed, most),
            None => Ok(Self::made(asked, count, seed, most)),
        }
    }

    /// Made keys, so many whatever it takes.
    pub fn with_keys(asked: &Requested, count: u64, seed: u64) -> Self {
        Self::made(asked, count, seed, u64::MAX)
    }

    fn of_own(own: &Own, count: u64, seed: u64, most: u64) -> Result<Self> {
        // Keys that are left over are the best non-members.
        let members = count.min(own.set.len());
        if members < 2 {
            bail!("one key is too few to measure with");
        }
        let workload = Workload::new(&own.set, seed, members)?;
        let empty = || match own.integers {
            true => StoredKeys::Integers(Vec::new()),
            false => StoredKeys::Bytes(Vec::new(), Vec::new()),
        };
        let put = |kept: &mut StoredKeys, key: &[u8]| match integer(key) {
            Some(value) if own.integers => kept.push(&value.to_le_bytes()),
            _ => kept.push(key),
        };
        let (mut inside, mut outside) = (empty(), empty());
        let non_members = NON_MEMBERS.min(most);
        // Non-members that are made up are no integers.
        let real = match own.integers {
            true => non_members.min(own.set.len() - members),
            false => non_members,
        };
        workload.members(|key| put(&mut inside, key));
        workload.non_members(real, |key| {
            put(&mut outside, key);
            true
        });
        fill_up(&mut outside, &inside, non_members, seed);
        let sum = own.set.row().sha256;
        Ok(Self {
            members: inside,
            non_members: outside,
            name: format!("own {}", sum.get(..16).unwrap_or(&sum)),
            below: own
                .facts
                .largest
                .map_or(0, |largest| largest.saturating_add(1)),
        })
    }

    fn made(asked: &Requested, count: u64, seed: u64, most: u64) -> Self {
        let non_members = NON_MEMBERS.min(most);
        let seed = mix(seed);
        // As many for each key as there are in the whole.
        let below = asked.integers_below.map(|below| {
            let each = below / asked.final_keys();
            each.max(1) * count
        });
        let made = |from: u64, count: u64, non_member: bool| {
            let mut kept = match asked.key_kind {
                KeyKind::U64 => StoredKeys::Integers(Vec::with_capacity(count as usize)),
                KeyKind::Url => StoredKeys::Bytes(Vec::new(), Vec::new()),
            };
            for index in from..from + count {
                match (asked.key_kind, below) {
                    (KeyKind::Url, _) => kept.push(url(mix(index ^ seed)).as_bytes()),
                    (KeyKind::U64, None) => kept.push(&mix(index ^ seed).to_le_bytes()),
                    (KeyKind::U64, Some(below)) => {
                        kept.push(&spread(index, below, asked, non_member, seed).to_le_bytes());
                    }
                }
            }
            kept
        };
        let mut members = made(0, count, false);
        if let StoredKeys::Integers(keys) = &mut members {
            shuffle(keys, seed);
        }
        Self {
            members,
            non_members: made(1 << 40, non_members, true),
            name: asked.key_kind.name().to_owned(),
            below: below.unwrap_or(0),
        }
    }
}

/// A member in each stretch of integers; non-members in the same stretches, where
/// they have room, else above all.
fn spread(index: u64, below: u64, asked: &Requested, non_member: bool, seed: u64) -> u64 {
    let each = (asked.integers_below.unwrap_or(below) / asked.final_keys()).max(1);
    let place = |stretch: u64| stretch * each + mix(stretch ^ seed) % each;
    match non_member {
        false => place(index),
        true if each == 1 => below + mix(index) % below.max(1),
        true => {
            let stretch = mix(index) % (below / each).max(1);
            let member = place(stretch) - stretch * each;
            stretch * each + (member + 1 + mix(index ^ 1) % (each - 1)) % each
        }
    }
}

/// Integers among the members that are none of them; above them all where the
/// members leave little room.
fn fill_up(outside: &mut StoredKeys, inside: &StoredKeys, non_members: u64, seed: u64) {
    let StoredKeys::Integers(members) = inside else {
        return;
    };
    let mut sorted = members.clone();
    sorted.sort_unstable();
    let largest = sorted.last().copied().unwrap_or(0);
    let is_dense = sorted.len() as u64 > largest / 2;
    let mut draw = 0;
    while (outside.len() as u64) < non_members {
        draw += 1;
        let word = mix(draw ^ mix(seed));
        let key = if is_dense {
            largest.saturating_add(1 + word % (largest / 2 + 1_000_000))
        } else {
            word % largest
        };
        if sorted.binary_search(&key).is_err() {
            outside.push(&key.to_le_bytes());
        }
    }
}

fn url(word: u64) -> String {
    format!("https://example.org/en/articles/{word:016x}/index.html")
}

#[cfg(test)]
mod tests {
    use std::{collections::HashSet, io::Write as _};

    use super::{
        super::{
            requirements::Requirements,
            value::{Count, Growth},
        },
        *,
    };

    fn integers(kept: &StoredKeys) -> Vec<u64> {
        match kept {
            StoredKeys::Integers(keys) => keys.clone(),
            StoredKeys::Bytes(..) => Vec::new(),
        }
    }

    fn asked(below: Option<u64>) -> Requested {
        let requirements = Requirements {
            capacity: Some(Count(1_000)),
            integers_below: below.map(Count),
            ..Requirements::default()
        };
        Requested::new(&requirements, None, None).unwrap()
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
            let all = Requested::new(&requirements, None, Some(own.facts)).unwrap();
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
