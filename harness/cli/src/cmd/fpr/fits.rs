//! Whether the key sets can fill the filters that are asked for: what cannot be is
//! rejected before the first is made, and what is made smaller is said.

use anyhow::{Result, bail};

use bouquet_render::number;

/// Keys that the filters are sized for, if nothing is said.
const USUAL: u64 = 10_000;

/// A key set by its name, and how many keys it has.
pub type Set<'a> = (&'a str, u64);

/// The capacity to measure at: the usual one, or the one that was given if every
/// set can fill it to this load.
pub fn capacity(given: Option<u64>, fullest: f64, sets: &[Set<'_>]) -> Result<u64> {
    let Some(capacity) = given else {
        return Ok(USUAL);
    };
    let (short, enough): (Vec<Set<'_>>, Vec<_>) = sets
        .iter()
        .copied()
        .partition(|set| fills(*set, fullest) < capacity);
    let Some((name, keys)) = short.into_iter().min_by_key(|(_, keys)| *keys) else {
        return Ok(capacity);
    };
    let at = match fullest {
        1.0 => String::new(),
        load => format!(" at load {}", number::significant(load, 3)),
    };
    let most = fills((name, keys), fullest);
    let others: Vec<&str> = enough.iter().map(|(name, _)| *name).collect();
    let others = match others.as_slice() {
        [] => String::new(),
        some => format!(", or take --datasets {}", some.join(",")),
    };
    bail!(
        "--capacity {capacity}: the {} keys of {name} cannot fill it{at}: \
         give {most} or less{others}",
        number::count(keys)
    )
}

/// The capacity that a set fills to this load.
fn fills((_, keys): Set<'_>, fullest: f64) -> u64 {
    (keys as f64 / fullest) as u64
}

/// Which sets fill less than the capacity in the sweeps, a sentence each.
pub fn cut_in_sweeps(capacity: u64, fullest: f64, sets: &[Set<'_>]) -> Vec<String> {
    let cut = sets.iter().filter(|set| fills(**set, fullest) < capacity);
    let words = |set: &Set<'_>| {
        format!(
            "{} has {} keys: its filters are sized for {}, not for {}.",
            set.0,
            number::count(set.1),
            number::count(fills(*set, fullest).max(1)),
            number::count(capacity)
        )
    };
    cut.map(words).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETS: [Set<'_>; 2] = [("few", 1_000), ("many", 10_000_000)];

    #[test]
    fn a_capacity_that_a_set_cannot_fill_is_rejected() {
        let rejection = |given, load, sets: &[Set<'_>]| {
            capacity(Some(given), load, sets).unwrap_err().to_string()
        };
        assert_eq!(
            rejection(1_001, 1.0, &SETS),
            "--capacity 1001: the 1,000 keys of few cannot fill it: give 1000 or less, or take \
             --datasets many"
        );
        assert_eq!(
            rejection(1_000_000_000_000, 2.0, &SETS[1..]),
            "--capacity 1000000000000: the 10,000,000 keys of many cannot fill it at load 2: give \
             5000000 or less"
        );
        assert!(capacity(Some(501), 2.0, &SETS).is_err());
        assert_eq!(capacity(Some(500), 2.0, &SETS).unwrap(), 500);
        assert_eq!(capacity(Some(1_000), 1.0, &SETS).unwrap(), 1_000);
        assert_eq!(capacity(None, 1.0, &SETS).unwrap(), USUAL);
    }

    #[test]
    fn what_is_made_smaller_is_said() {
        assert_eq!(
            cut_in_sweeps(USUAL, 1.0, &SETS),
            ["few has 1,000 keys: its filters are sized for 1,000, not for 10,000."]
        );
        assert!(cut_in_sweeps(1_000, 1.0, &SETS).is_empty());
    }
}
