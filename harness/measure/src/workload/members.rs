//! Members and non-members of a key set, disjoint by construction.

use std::io::Write as _;

use anyhow::{Result, bail};

use super::{KeySet, mix, shuffle};

/// A division of a key set into members and non-members. The same set, seed and number of members
/// always give the same division in the same order.
pub struct Workload<'a> {
    set: &'a KeySet,
    members: u64,
    /// For a file: the indexes of its keys in an order that depends on the seed.
    order: Vec<u32>,
    /// For a generated set: the index of the first member.
    base: u64,
}

impl<'a> Workload<'a> {
    /// Chooses `members` keys of the set as members.
    pub fn new(set: &'a KeySet, seed: u64, members: u64) -> Result<Self> {
        if set.is_generated() {
            // The indexes of the non-members follow those of the members. There are more indexes
            // than any run needs; only IPv4 keys and short keys repeat at large indexes.
            return Ok(Self {
                set,
                members,
                order: Vec::new(),
                base: mix(seed) >> 1,
            });
        }
        let (name, keys) = (set.name(), set.len());
        if members > keys {
            bail!("{name} has {keys} keys, {members} are needed");
        }
        let Ok(count) = u32::try_from(keys) else {
            bail!("{name} has {keys} keys, more than 2^32");
        };
        let mut order: Vec<u32> = (0..count).collect();
        shuffle(&mut order, seed);
        Ok(Self {
            set,
            members,
            order,
            base: 0,
        })
    }

    /// Calls `visit` with each member.
    pub fn members(&self, mut visit: impl FnMut(&[u8])) {
        let mut buffer = Vec::new();
        for i in 0..self.members {
            visit(self.set.get(self.index(i), &mut buffer));
        }
    }

    /// The i-th member; `buffer` is used if the key is generated.
    pub fn member<'k>(&'k self, i: u64, buffer: &'k mut Vec<u8>) -> &'k [u8] {
        self.set.get(self.index(i), buffer)
    }

    /// Calls `visit` with `count` distinct non-members: first with the keys of the set that are not
    /// members. If a file has too few, further non-members are its keys with the byte that ends a
    /// line and a number appended. They cannot equal a line, because no line contains this byte.
    pub fn non_members(&self, count: u64, mut visit: impl FnMut(&[u8])) {
        let mut buffer = Vec::new();
        let end = self.set.end();
        let real = end.map_or(count, |_| count.min(self.set.len() - self.members));
        for i in 0..real {
            visit(self.set.get(self.index(self.members + i), &mut buffer));
        }
        let Some(end) = end else { return };
        let mut derived = Vec::new();
        let mut unused = Vec::new();
        for i in 0..count - real {
            derived.clear();
            // The keys are taken in the order of the file, because random order would cost a cache
            // miss per key.
            derived.extend_from_slice(self.set.get(i % self.set.len(), &mut unused));
            derived.push(end);
            let _ = write!(derived, "{}", i / self.set.len());
            visit(&derived);
        }
    }

    fn index(&self, i: u64) -> u64 {
        match self.order.get(i as usize) {
            Some(index) => u64::from(*index),
            None => self.base.wrapping_add(i),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::generate::Generator;
    use std::collections::HashSet;

    fn lines(count: usize) -> KeySet {
        let text: String = (0..count).map(|i| format!("key {i}\n")).collect();
        KeySet::of_lines("test", "", text.into_bytes(), b'\n')
    }

    fn made(name: &str) -> KeySet {
        KeySet::made(name, "", Generator::named(name, 1).unwrap(), 1_000)
    }

    fn both(set: &KeySet, seed: u64, members: u64, non_members: u64) -> [Vec<Vec<u8>>; 2] {
        let workload = Workload::new(set, seed, members).unwrap();
        let (mut inside, mut outside) = (Vec::new(), Vec::new());
        workload.members(|key| inside.push(key.to_vec()));
        workload.non_members(non_members, |key| outside.push(key.to_vec()));
        [inside, outside]
    }

    #[test]
    fn members_and_non_members_are_different_and_disjoint() {
        for set in [lines(100), made("sequential"), made("uuid"), made("ipv4")] {
            let [inside, outside] = both(&set, 7, 60, 1_000);
            assert_eq!((inside.len(), outside.len()), (60, 1_000));
            let all: HashSet<_> = inside.iter().chain(&outside).collect();
            assert_eq!(all.len(), 1_060, "{}", set.name());
        }
    }

    #[test]
    fn the_seed_gives_the_split() {
        for set in [lines(100), made("sequential"), made("random-u64")] {
            assert_eq!(both(&set, 7, 60, 100), both(&set, 7, 60, 100));
            assert_ne!(both(&set, 7, 60, 100)[0], both(&set, 8, 60, 100)[0]);
        }
    }

    #[test]
    fn one_key_and_too_few_keys() {
        let [inside, outside] = both(&lines(1), 1, 1, 25);
        assert_eq!(inside, [b"key 0"]);
        assert_eq!(outside[11], b"key 0\n11");
        assert!(Workload::new(&lines(1), 1, 2).is_err());
    }
}
