//! The calculator: the size and the FPR of a filter, from any of its numbers that determine the
//! others. The formulas are those of the filters' crates.

#[cfg(test)]
mod distinct;
mod number;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod witnessed;

use anyhow::{Context as _, Result, bail, ensure};
use bouquet_core::{
    Spec, SpecError,
    math::{MAX_HASHES, fpr_deviation, textbook_fpr},
};

pub use self::number::{Range, Steps, bytes, counts, fpr, real, reals, share, shares, whole};
use crate::{BySize, Facts, Outline, SizingFn, Variant, every, filter::last};

/// A filter that the calculator knows.
#[derive(Clone, Copy)]
pub struct Filter {
    pub facts: &'static Facts,
    sizing: SizingFn,
    by_size: Option<BySize>,
}

impl std::fmt::Debug for Filter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.facts.name)
    }
}

/// All filters, in the order of the catalogue.
pub fn filters() -> Vec<Filter> {
    fn of<V: Variant>() -> Filter {
        Filter {
            facts: &V::FACTS,
            sizing: V::SIZING,
            by_size: V::BY_SIZE,
        }
    }
    every!(of)
}

/// The numbers of a filter that are given.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Given {
    capacity: Option<u64>,
    bits: Option<u64>,
    bits_per_key: Option<f64>,
    fpr: Option<f64>,
    hashes: Option<u32>,
    stages: Option<u32>,
}

impl Given {
    /// The flags that are given.
    fn flags(&self) -> Vec<&'static str> {
        let all = [
            ("--capacity", self.capacity.is_some()),
            ("--bits", self.bits.is_some()),
            ("--bits-per-key", self.bits_per_key.is_some()),
            ("--fpr", self.fpr.is_some()),
            ("--hashes", self.hashes.is_some()),
            ("--stages", self.stages.is_some()),
        ];
        let given = all.into_iter().filter(|(_, given)| *given);
        given.map(|(flag, _)| flag).collect()
    }

    /// Checks the ranges that are the same for all filters.
    fn check(&self) -> Result<()> {
        let counts = [
            ("--capacity", self.capacity),
            ("--bits", self.bits),
            ("--hashes", self.hashes.map(u64::from)),
            ("--stages", self.stages.map(u64::from)),
        ];
        for (flag, value) in counts {
            ensure!(value != Some(0), "{flag} 0: give at least 1");
        }
        if let Some(fpr) = self.fpr.filter(|fpr| !(*fpr > 0.0 && *fpr < 1.0)) {
            bail!("--fpr {fpr:?} is not between 0 and 1: give a share such as 0.01 for 1 %");
        }
        if let Some(bits) = self.bits_per_key.filter(|bits| *bits <= 0.0) {
            bail!("--bits-per-key {bits} is not above 0: give one such as 10");
        }
        ensure!(
            self.capacity.is_none() || self.bits.is_none() || self.bits_per_key.is_none(),
            "--capacity, --bits and --bits-per-key contradict each other: any two of them give \
             the third"
        );
        Ok(())
    }
}

fn target(given: &Given) -> Result<f64> {
    given.fpr.with_context(|| too_little(given))
}

/// A message that says which numbers are missing.
fn too_little(given: &Given) -> String {
    let alone = match given.flags().join(" ") {
        none if none.is_empty() => none,
        given => format!(" by {given} alone"),
    };
    format!(
        "underdetermined{alone}: give two of --capacity, --fpr and a size (--bits, or \
         --bits-per-key beside --capacity), such as --capacity 1e6 --fpr 0.01; --hashes fixes k in \
         each case"
    )
}

/// The textbook's number of hashes for this number of bits per key.
fn classic_hashes(bits_per_key: f64) -> u32 {
    let hashes = (bits_per_key * std::f64::consts::LN_2).round();
    (hashes.min(f64::from(MAX_HASHES)) as u32).max(1)
}

/// The numbers on the command line, where a flag may have several values.
#[derive(clap::Args, Clone, Debug)]
pub struct Flags {
    /// Keys (n); of a scalable filter those of its first stage.
    #[arg(long, value_name = "N", value_parser = counts::<u64>(Steps::Decades))]
    capacity: Option<Range<u64>>,
    /// Target false-positive rate, a share.
    #[arg(long, value_name = "P", value_parser = shares(Steps::Decades))]
    fpr: Option<Range<f64>>,
    /// Bits of storage in all (m).
    #[arg(long, value_name = "M", value_parser = counts::<u64>(Steps::Decades))]
    bits: Option<Range<u64>>,
    /// Bits of storage per key.
    #[arg(long, value_name = "BITS", value_parser = reals(Steps::By(1.0)))]
    bits_per_key: Option<Range<f64>>,
    /// Probes per key (k).
    #[arg(long, value_name = "K", value_parser = counts::<u32>(Steps::By(1.0)))]
    hashes: Option<Range<u32>>,
    /// Full stages: scalable. [default: 1]
    #[arg(long, value_name = "STAGES", value_parser = counts::<u32>(Steps::By(1.0)))]
    stages: Option<Range<u32>>,
}

/// The largest number of answers; more are taken for a typing error.
const MOST_ROWS: usize = 10_000;

impl Flags {
    /// Every combination of the given values.
    fn combined(&self) -> Result<Vec<Given>> {
        fn each<T: Copy>(
            all: Vec<Given>,
            range: Option<&Range<T>>,
            set: fn(&mut Given, T),
        ) -> Result<Vec<Given>> {
            let Some(Range(values)) = range else {
                return Ok(all);
            };
            ensure!(
                all.len() * values.len() <= MOST_ROWS,
                "the ranges multiply to more than {MOST_ROWS} answers"
            );
            let with = |given: &Given, value: T| {
                let mut given = *given;
                set(&mut given, value);
                given
            };
            let each = |given| values.iter().map(move |value| with(given, *value));
            Ok(all.iter().flat_map(each).collect())
        }
        let all = vec![Given::default()];
        let all = each(all, self.capacity.as_ref(), |g, n| g.capacity = Some(n))?;
        let all = each(all, self.bits.as_ref(), |g, m| g.bits = Some(m))?;
        let per_key = self.bits_per_key.as_ref();
        let all = each(all, per_key, |g, bits| g.bits_per_key = Some(bits))?;
        let all = each(all, self.fpr.as_ref(), |g, p| g.fpr = Some(p))?;
        let all = each(all, self.hashes.as_ref(), |g, k| g.hashes = Some(k))?;
        each(all, self.stages.as_ref(), |g, s| g.stages = Some(s))
    }

    /// The answers for every combination of the given values and every filter. A filter gets only
    /// the flags that apply to it; each flag must apply to at least one of the filters.
    ///
    /// # Errors
    ///
    /// If a flag applies to no filter, or if the numbers are too few, contradict each other or are
    /// out of range.
    pub fn answers(&self, filters: &[Filter]) -> Result<Vec<Answer>> {
        let mut all: Vec<(Filter, Given)> = Vec::new();
        for given in self.combined()? {
            let unknown = |flag: &&&str| !filters.iter().any(|filter| filter.takes(flag));
            if let Some(flag) = given.flags().iter().find(unknown) {
                let names: Vec<_> = filters.iter().map(|filter| filter.facts.name).collect();
                let names = names.join(", ");
                bail!("{flag} does not apply to --filter {names}; remove it");
            }
            for filter in filters {
                let own = filter.applying(given);
                // If the flag with a range does not apply to this filter, all its requests are the
                // same and only one is kept.
                let is_own = |(of, other): &(Filter, Given)| {
                    of.facts.name == filter.facts.name && *other == own
                };
                if filters.len() == 1 || !all.iter().any(is_own) {
                    all.push((*filter, own));
                }
            }
            ensure!(all.len() <= MOST_ROWS, "more than {MOST_ROWS} answers");
        }
        let answer = |(filter, given): &(Filter, Given)| {
            filter.answer(given).map_err(|error| match given.capacity {
                // This error is about a filter and names no flag, so the flag is added.
                Some(capacity) if error.is::<SpecError>() => {
                    error.context(format!("--capacity {capacity}"))
                }
                _ => error,
            })
        };
        all.iter().map(answer).collect()
    }
}

/// What is computed for a filter.
pub struct Answer {
    filter: &'static str,
    capacity: u64,
    target_fpr: Option<f64>,
    /// The number of keys that the FPR is computed for, if it is not the capacity.
    keys: Option<u64>,
    outline: Outline,
    fpr: f64,
    /// The size for the target FPR, if another one was given.
    target_size_bits: Option<f64>,
}

/// The value of a quantity.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    Count(u64),
    Number(f64),
    Words(&'static str),
    YesNo(bool),
    Nothing,
}

/// A quantity of an answer.
pub struct Quantity {
    /// The name of the quantity in every format.
    pub name: &'static str,
    /// The unit of the number; empty for text and for yes or no.
    pub unit: &'static str,
    /// Whether the quantity is shown in the table format.
    pub is_main: bool,
    pub value: Value,
}

impl Answer {
    /// The quantities, the same ones for every answer. They are the contract of `--format json` and
    /// `csv`.
    pub fn quantities(&self) -> Vec<Quantity> {
        let quantity = |name, unit, value: Option<Value>| Quantity {
            name,
            unit,
            is_main: !["memory_bytes", "keys", "fill_mean", "fill_sd"].contains(&name),
            value: value.unwrap_or(Value::Nothing),
        };
        let count = |number: f64| Some(Value::Count(number as u64));
        let keys = self.keys.unwrap_or(self.capacity);
        let (size_bits, hashes) = (self.outline.size_bits, self.outline.hashes);
        let bits_per_key = size_bits / keys as f64;
        let textbook = self.outline.occupancy.zip(hashes).map(|(of, hashes)| {
            let slots = (of.groups * of.ranges * of.slots) as f64;
            textbook_fpr(slots, hashes, keys as f64)
        });
        let classic = textbook_fpr(bits_per_key, classic_hashes(bits_per_key), 1.0);
        let fill = self.outline.occupancy.map(|of| {
            let (mean, variance) = (of.fill_mean(keys), of.fill_variance(keys));
            // In one group, the FPR is a product of fills.
            let hashes = hashes.filter(|_| of.groups == 1);
            let spread = hashes.map(|hashes| fpr_deviation(1.0, hashes, mean, variance));
            (mean, variance.sqrt(), spread)
        });
        let number = |number: Option<f64>| number.map(Value::Number);
        vec![
            quantity("filter", "", Some(Value::Words(self.filter))),
            quantity("capacity", "keys", Some(Value::Count(self.capacity))),
            quantity("keys", "keys", self.keys.map(Value::Count)),
            quantity("size_bits", "bits", count(size_bits)),
            quantity("memory_bytes", "bytes", count((size_bits / 8.0).ceil())),
            quantity("bits_per_key", "bits/key", number(Some(bits_per_key))),
            quantity(
                "hashes",
                "probes/key",
                hashes.map(|k| Value::Count(k.into())),
            ),
            quantity("target_fpr", "share", number(self.target_fpr)),
            quantity("exact_fpr", "share", number(Some(self.fpr))),
            quantity(
                "keeps_target",
                "",
                self.target_fpr
                    .map(|target| Value::YesNo(self.fpr <= target)),
            ),
            quantity(
                "target_size_bits",
                "bits",
                self.target_size_bits.and_then(count),
            ),
            quantity("textbook_fpr", "share", number(textbook)),
            quantity("over_classic", "ratio", number(Some(self.fpr / classic))),
            quantity("fill_mean", "share", number(fill.map(|(mean, ..)| mean))),
            quantity("fill_sd", "share", number(fill.map(|(_, sd, _)| sd))),
            quantity(
                "fpr_relative_sd",
                "ratio",
                number(fill.and_then(|(.., spread)| spread)),
            ),
        ]
    }
}

impl Filter {
    /// Whether a flag applies to the filter.
    fn takes(&self, flag: &str) -> bool {
        match flag {
            "--bits" | "--bits-per-key" => self.by_size.is_some(),
            "--hashes" => self
                .by_size
                .is_some_and(|by_size| by_size.only_hashes.is_none()),
            "--stages" => self.facts.grows,
            _ => true,
        }
    }

    /// The numbers whose flags apply to the filter.
    fn applying(&self, given: Given) -> Given {
        Given {
            bits: given.bits.filter(|_| self.takes("--bits")),
            bits_per_key: given.bits_per_key.filter(|_| self.takes("--bits-per-key")),
            hashes: given.hashes.filter(|_| self.takes("--hashes")),
            stages: given.stages.filter(|_| self.takes("--stages")),
            ..given
        }
    }

    fn answer(&self, given: &Given) -> Result<Answer> {
        given.check()?;
        let (capacity, outline) = self.settle(given)?;
        // A growing filter with this many full stages.
        let stages = given.stages.unwrap_or(1);
        let keys = (1_u64.checked_shl(stages).unwrap_or(0).wrapping_sub(1))
            .checked_mul(capacity)
            .with_context(|| format!("--stages {stages}: more keys than any filter holds"))?;
        let outline = match keys == capacity {
            true => outline,
            false => (self.sizing)(capacity, &Spec::new(keys, target(given)?)?)?,
        };
        let target_size = given
            .fpr
            .filter(|_| given.bits.is_some() || given.bits_per_key.is_some());
        let target_size = target_size.map(|fpr| -> Result<f64> {
            Ok((self.sizing)(capacity, &Spec::new(capacity, fpr)?)?.size_bits)
        });
        let fpr = (outline.fpr)(keys);
        Ok(Answer {
            filter: self.facts.name,
            capacity,
            target_fpr: given.fpr,
            keys: Some(keys).filter(|keys| *keys != capacity),
            fpr: fpr
                .with_context(|| format!("a filter of this size rejects some of {keys} keys"))?,
            outline,
            target_size_bits: target_size.transpose()?,
        })
    }

    /// The capacity and the outline, from those of n, m, m/n, k and p that are given.
    fn settle(&self, given: &Given) -> Result<(u64, Outline)> {
        let by_size = |capacity, bits: u64| Ok((capacity, self.of_size(given, capacity, bits)?));
        match (given.capacity, given.bits, given.bits_per_key) {
            (Some(capacity), Some(bits), _) => by_size(capacity, bits),
            (Some(capacity), None, Some(per_key)) => {
                let unit = self.by_size.map_or(1, |by_size| by_size.unit);
                let bits = (capacity as f64 * per_key).ceil() as u64;
                by_size(
                    capacity,
                    bits.checked_next_multiple_of(unit).unwrap_or(bits),
                )
            }
            (None, Some(bits), Some(per_key)) => match (bits as f64 / per_key) as u64 {
                0 => bail!("{bits} bits are too few for a key with {per_key} bits"),
                capacity => by_size(capacity, bits),
            },
            (Some(capacity), None, None) if given.hashes.is_none() => {
                let spec = Spec::new(capacity, target(given)?)?;
                Ok((capacity, (self.sizing)(capacity, &spec)?))
            }
            (Some(capacity), None, None) => by_size(capacity, self.least_bits(given, capacity)?),
            (None, Some(bits), None) => by_size(self.most_keys(given, bits)?, bits),
            (None, None, _) => bail!("{}", too_little(given)),
        }
    }

    /// The outline of this size with the given number of hashes, or else with the one that gives
    /// the lowest FPR; ties go to the smaller number.
    fn of_size(&self, given: &Given, capacity: u64, bits: u64) -> Result<Outline> {
        let by_size = self.by_size.with_context(|| too_little(given))?;
        let of = |hashes| (by_size.outline)(capacity, bits, hashes);
        if let Some(hashes) = given.hashes.or(by_size.only_hashes) {
            return of(hashes).with_context(|| match given.hashes {
                Some(hashes) => format!("--hashes {hashes} with {bits} bits"),
                None => format!("{bits} bits"),
            });
        }
        // As a function of the number of hashes, the FPR has a single minimum, near the value of
        // the textbook.
        let fpr = |hashes: u32| (of(hashes).ok()?.fpr)(capacity);
        let near = classic_hashes(bits as f64 / capacity as f64);
        let mut best = (1..=near).rev().find(|k| fpr(*k).is_some()).unwrap_or(1);
        while best > 1 && fpr(best - 1) <= fpr(best) {
            best -= 1;
        }
        while fpr(best + 1).is_some_and(|more| fpr(best).is_some_and(|own| more < own)) {
            best += 1;
        }
        of(best).with_context(|| format!("{bits} bits"))
    }

    /// Whether a filter of this size keeps the target FPR with as many keys.
    fn keeps(&self, given: &Given, capacity: u64, bits: u64, target: f64) -> bool {
        let outline = self.of_size(given, capacity, bits);
        outline.is_ok_and(|of| {
            of.size_bits <= bits as f64 && (of.fpr)(capacity).is_some_and(|fpr| fpr <= target)
        })
    }

    /// The smallest size with which the FPR is at most the target, for a given number of hashes.
    fn least_bits(&self, given: &Given, capacity: u64) -> Result<u64> {
        let (target, unit) = (
            target(given)?,
            self.by_size.map_or(1, |by_size| by_size.unit),
        );
        let fails = |units: u64| !self.keeps(given, capacity, units * unit, target);
        let least = last((1 << 48) / unit, fails) + 1;
        ensure!(
            self.keeps(given, capacity, least * unit, target),
            "no filter of up to 2^48 bits keeps {target:?} with {} hashes at {capacity} keys",
            given.hashes.unwrap_or_default()
        );
        Ok(least * unit)
    }

    /// The largest number of keys with which the FPR is at most the target.
    fn most_keys(&self, given: &Given, bits: u64) -> Result<u64> {
        let target = target(given)?;
        // Fails early if there is no filter of this size.
        self.of_size(given, 1, bits)?;
        let most = last(1 << 50, |keys| self.keeps(given, keys, bits, target));
        ensure!(
            most > 0,
            "{bits} bits do not keep {target:?} for a single key"
        );
        Ok(most)
    }
}
