//! Who asks: members, non-members, and the keys that the attacker tries.

use std::io::Write;

use super::cost::Cost;
use crate::workload::mix;
use bouquet_ground::interrupt::interrupted;

/// Where the non-members begin; below are members.
const NON_MEMBERS: u64 = 1 << 40;

/// Trials between two looks whether Ctrl-C was pressed.
const POLL: u64 = 1 << 16;

/// The `index`-th member: an id of 32 hexadecimal digits, as sessions have.
pub fn member(seed: u64, index: u64) -> [u8; 32] {
    id(seed, index)
}

/// The `index`-th non-member: an id that no member has.
pub fn non_member(seed: u64, index: u64) -> [u8; 32] {
    id(seed, NON_MEMBERS + index)
}

fn id(seed: u64, index: u64) -> [u8; 32] {
    // Distinct by the first word alone, a bijection of the index.
    let first = mix(index ^ mix(seed));
    let words = [first, mix(first ^ seed)];
    let mut id = [0; 32];
    for (at, digit) in id.iter_mut().enumerate() {
        let nibble = words[at / 16] >> (60 - 4 * (at % 16)) & 0xf;
        *digit = b"0123456789abcdef"[nibble as usize];
    }
    id
}

/// The words of a key of 32 bytes.
pub fn words(key: &[u8; 32]) -> [u64; 4] {
    let (words, _) = key.as_chunks::<8>();
    std::array::from_fn(|i| u64::from_le_bytes(words[i]))
}

/// The key of these words.
pub fn bytes(words: [u64; 4]) -> [u8; 32] {
    let mut key = [0; 32];
    for (bytes, word) in key.chunks_exact_mut(8).zip(words) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    key
}

/// Keys tried one after another, counters in text, until the budget is spent.
pub struct Search {
    next: u64,
    budget: u64,
    cost: Cost,
    key: Vec<u8>,
}

impl Search {
    /// The keys of this seed, and how many may be tried.
    pub fn new(seed: u64, trials: u64) -> Self {
        Self {
            // Other keys for other seeds; no counter gets to the next start.
            next: (mix(seed) >> 34) << 30,
            budget: trials,
            cost: Cost::default(),
            key: Vec::new(),
        }
    }

    /// The next key that does what is wanted; `None` if the budget is spent, or
    /// Ctrl-C was pressed.
    pub fn find(&mut self, mut wanted: impl FnMut(&[u8]) -> bool) -> Option<&[u8]> {
        let before = self.cost.trials;
        while self.cost.trials < self.budget {
            if self.cost.trials.is_multiple_of(POLL) && interrupted() {
                return None;
            }
            self.cost.trials += 1;
            self.next += 1;
            self.key.clear();
            // Writing to memory does not fail.
            let _ = write!(self.key, "try-{}", self.next);
            if wanted(&self.key) {
                self.cost.found_after(self.cost.trials - before);
                return Some(&self.key);
            }
        }
        None
    }

    /// What it has cost so far.
    pub fn cost(&self) -> Cost {
        self.cost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_and_non_members_differ() {
        let mut keys: Vec<_> = (0..1_000)
            .flat_map(|i| [member(1, i), non_member(1, i), member(2, i)])
            .collect();
        assert!(keys.iter().flatten().all(u8::is_ascii_hexdigit));
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 3_000);
    }

    #[test]
    fn a_budget_ends() {
        let mut search = Search::new(1, 10);
        let mut seen = Vec::new();
        let mut third = |key: &[u8]| {
            seen.push(key.to_vec());
            seen.len() % 3 == 0
        };
        for found in [1, 2, 3] {
            assert!(search.find(&mut third).is_some());
            let cost = search.cost();
            assert_eq!((cost.found, cost.trials), (found, 3 * found));
        }
        assert!(search.find(&mut third).is_none());
        assert!(search.find(&mut third).is_none());
        let cost = search.cost();
        assert_eq!((cost.found, cost.trials), (3, 10));
        // Three waits of 3 trials.
        assert_eq!(cost.trials_sd(), 3.0);
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 10);
    }
}
