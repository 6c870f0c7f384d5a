//! Whether a filter keeps what its file promises, to the keys that it was built of.

use std::{collections::HashSet, fmt::Write as _};

use anyhow::{Context, Result, ensure};
use bouquet_core::{KeyHash, KeyHasher as _};
use bouquet_hash::Xxh3Wide;

use super::{AnyFilter, Chunk, Keys, Reading};

/// Absent keys that are asked for.
const LOOKUPS: u64 = 1_000_000;
/// How many of them are made at a time.
const AT_A_TIME: u64 = 50_000;
/// Standard deviations above the FPR promised, past which chance is no excuse: once in
/// thirty thousand files.
const DEVIATIONS: f64 = 4.0;

/// What was found.
#[derive(Clone, PartialEq, Debug)]
pub struct Promise {
    /// Keys that were looked up, repeats counted, and the false negatives among them.
    pub keys: u64,
    pub false_negatives: u64,
    /// Different keys.
    pub different: u64,
    /// Keys that the filter was sized for; `None` if it grows.
    pub capacity: Option<u64>,
    /// The FPR that it was sized for.
    pub target_fpr: f64,
    /// Absent keys that were looked up, and those that it reports as present.
    pub absent: u64,
    pub hits: u64,
}

impl Promise {
    /// Asks a filter for the keys that it was built of, and for as many absent ones as
    /// its FPR needs.
    ///
    /// Takes some 40 bytes for each different key.
    ///
    /// # Errors
    ///
    /// Keys that cannot be read, or a file that does not say what it was sized for.
    pub fn of(filter: &dyn AnyFilter, keys: Keys) -> Result<Self> {
        let facts = filter.facts(None);
        let lacks = |what: &str| {
            format!(
                "its format, {}, does not say {what}: without it there is no promise to judge",
                filter.format()
            )
        };
        let target_fpr = facts
            .target_fpr
            .with_context(|| lacks("the FPR that it was sized for"))?;
        let grows = facts.load.keys_left.is_none();
        let capacity = match grows {
            true => None,
            false => Some(
                facts
                    .capacity
                    .with_context(|| lacks("for how many keys it was made"))?,
            ),
        };
        let (mut asked, mut seen) = (Lookups::default(), HashSet::new());
        asked.all(filter, keys, |chunk| seen.extend(chunk.keys().map(wide)))?;
        ensure!(
            !seen.is_empty(),
            "there are no keys, so there is nothing to judge: supply those that it was built from"
        );
        let mut absent = Lookups::default();
        let mut from = 0;
        while from < LOOKUPS {
            let lines = absent_keys(from..from + AT_A_TIME, &seen);
            absent.all(filter, Keys::of_text("keys made up", lines), |_| ())?;
            from += AT_A_TIME;
        }
        Ok(Self {
            keys: asked.keys,
            false_negatives: asked.keys - asked.found,
            different: seen.len() as u64,
            capacity,
            target_fpr,
            absent: absent.keys,
            hits: absent.found,
        })
    }

    /// Whether there are more different keys than it was sized for.
    pub fn is_overfull(&self) -> bool {
        self.capacity.is_some_and(|most| self.different > most)
    }

    /// Whether more absent keys are reported as present than chance makes of the FPR.
    pub fn is_over_target(&self) -> bool {
        let expected = self.target_fpr * self.absent as f64;
        self.hits as f64 > expected + DEVIATIONS * expected.sqrt().max(1.0)
    }

    /// Whether all is as promised.
    pub fn is_kept(&self) -> bool {
        self.false_negatives == 0 && !self.is_overfull() && !self.is_over_target()
    }
}

fn wide(key: &[u8]) -> KeyHash {
    Xxh3Wide::default().hash(key)
}

/// Keys, one per line, that are not among these.
fn absent_keys(numbers: std::ops::Range<u64>, seen: &HashSet<KeyHash>) -> Vec<u8> {
    let (mut lines, mut key) = (Vec::new(), String::new());
    for number in numbers {
        key.clear();
        // Writing to a string does not fail.
        let _ = write!(key, "no key of yours: {number:016x}");
        if !seen.contains(&wide(key.as_bytes())) {
            lines.extend_from_slice(key.as_bytes());
            lines.push(b'\n');
        }
    }
    lines
}

#[derive(Default)]
struct Lookups {
    keys: u64,
    found: u64,
}

impl Lookups {
    fn all(
        &mut self,
        filter: &dyn AnyFilter,
        keys: Keys,
        mut each: impl FnMut(&Chunk),
    ) -> Result<()> {
        let mut reading = Reading::new(keys, filter.hash());
        let mut found = Vec::new();
        while let Some(chunk) = reading.next_chunk()? {
            filter.contains(chunk, &mut found)?;
            self.keys += chunk.len() as u64;
            self.found += found.iter().filter(|found| **found).count() as u64;
            each(chunk);
        }
        Ok(())
    }
}
