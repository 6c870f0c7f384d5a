//! The calculator: computes the size, FPR, capacity or number of hashes of a filter from the other
//! quantities, with the formulas of the filters' crates.

#[cfg(test)]
mod distinct;
#[cfg(test)]
mod independent;
mod number;
#[cfg(test)]
mod reference;

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use bouquet_core::{
    Spec, SpecError,
    math::{MAX_HASHES, fpr_deviation, textbook_fpr},
};

pub use self::number::{Range, Steps, bytes, counts, fpr, real, reals, share, shares, whole};
use crate::{
    BySize, Facts, FilterInfo, Outline, SizingFn, filter::last, for_each_filter, sizing::HASH_BITS,
};

/// A filter that the calculator knows.
#[derive(Clone, Copy, Debug)]
pub struct Filter {
    pub facts: &'static Facts,
    sizing: SizingFn,
    by_size: Option<BySize>,
}

pub fn filters() -> Vec<Filter> {
    fn of<V: FilterInfo>() -> Filter {
        Filter {
            facts: &V::FACTS,
            sizing: V::SIZING,
            by_size: V::BY_SIZE,
        }
    }
    for_each_filter!(of)
}

/// The flags that take numbers. If several have ranges, the values of the last flag vary fastest.
const FLAGS: [&str; 6] = [
    "--capacity",
    "--bits",
    "--bits-per-key",
    "--fpr",
    "--hashes",
    "--stages",
];

/// The values of the flags, in the order of [`FLAGS`]; `None` if a flag is not given.
type Numbers = [Option<f64>; 6];

/// The values of the flags as fields with names, and the flags that are given.
struct Given {
    flags: Vec<&'static str>,
    capacity: Option<u64>,
    bits: Option<u64>,
    bits_per_key: Option<f64>,
    fpr: Option<f64>,
    hashes: Option<u32>,
    stages: u32,
}

fn flags(numbers: &Numbers) -> impl Iterator<Item = &'static str> {
    let given = FLAGS.into_iter().zip(numbers);
    given.filter_map(|(flag, number)| number.map(|_| flag))
}

impl Given {
    /// Checks the limits of the numbers that are the same for all filters.
    fn of(numbers: &Numbers) -> Result<Self> {
        let [capacity, bits, bits_per_key, fpr, hashes, stages] = *numbers;
        let counts = [capacity, bits, None, None, hashes, stages];
        if let Some(at) = counts.iter().position(|count| *count == Some(0.0)) {
            bail!("{} 0: give at least 1", FLAGS[at]);
        }
        if let Some(fpr) = fpr.filter(|fpr| !(*fpr > 0.0 && *fpr < 1.0)) {
            bail!("--fpr {fpr:?} is not between 0 and 1: give a share such as 0.01 for 1 %");
        }
        if let Some(bits) = bits_per_key.filter(|bits| *bits <= 0.0) {
            bail!("--bits-per-key {bits} is not above 0: give one such as 10");
        }
        ensure!(
            capacity.and(bits).and(bits_per_key).is_none(),
            "--capacity, --bits and --bits-per-key contradict each other: any two of them give \
             the third"
        );
        Ok(Self {
            flags: flags(numbers).collect(),
            capacity: capacity.map(|count| count as u64),
            bits: bits.map(|count| count as u64),
            bits_per_key,
            fpr,
            hashes: hashes.map(|count| count as u32),
            stages: stages.map_or(1, |count| count as u32),
        })
    }
}

fn target(given: &Given) -> Result<f64> {
    given.fpr.with_context(|| too_little(given))
}

/// A message that says which numbers are missing.
fn too_little(given: &Given) -> String {
    let alone = match given.flags.join(" ") {
        none if none.is_empty() => none,
        given => format!(" by {given} alone"),
    };
    format!(
        "underdetermined{alone}: give two of --capacity, --fpr and a size (--bits, or \
         --bits-per-key beside --capacity), such as --capacity 1e6 --fpr 0.01; --hashes fixes k in \
         each case"
    )
}

/// The number of hashes for this number of bits per key, by the textbook formula.
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

/// The largest number of answers; more are considered a typing error.
const MOST_ROWS: usize = 10_000;

impl Flags {
    /// Every combination of the given values.
    fn combined(&self) -> Result<Vec<Numbers>> {
        fn numbers<T: Copy>(range: &Option<Range<T>>, number: fn(T) -> f64) -> Vec<f64> {
            let values = range.iter().flat_map(|range| &range.0);
            values.map(|value| number(*value)).collect()
        }
        let ranges = [
            numbers(&self.capacity, |count| count as f64),
            numbers(&self.bits, |count| count as f64),
            numbers(&self.bits_per_key, |bits| bits),
            numbers(&self.fpr, |share| share),
            numbers(&self.hashes, f64::from),
            numbers(&self.stages, f64::from),
        ];
        let mut all = vec![[None; FLAGS.len()]];
        for (at, values) in ranges.iter().enumerate().filter(|(_, one)| !one.is_empty()) {
            ensure!(
                all.len() * values.len() <= MOST_ROWS,
                "the ranges multiply to more than {MOST_ROWS} answers"
            );
            let with = |mut numbers: Numbers, value: f64| {
                numbers[at] = Some(value);
                numbers
            };
            let each = |numbers| values.iter().map(move |value| with(numbers, *value));
            all = all.into_iter().flat_map(each).collect();
        }
        Ok(all)
    }

    /// The answers for every combination of the given values and every filter. A filter gets only
    /// the flags that apply to it; each flag must apply to at least one of the filters.
    ///
    /// # Errors
    ///
    /// If a flag applies to no filter, or if the numbers are too few, contradict each other or are
    /// out of range.
    pub fn answers(&self, filters: &[Filter]) -> Result<Vec<Answer>> {
        let mut all: Vec<(&Filter, Numbers)> = Vec::new();
        for numbers in self.combined()? {
            let unknown = |flag: &&str| !filters.iter().any(|filter| filter.takes(flag));
            if let Some(flag) = flags(&numbers).find(unknown) {
                let names: Vec<_> = filters.iter().map(|filter| filter.facts.name).collect();
                let names = names.join(", ");
                bail!("{flag} does not apply to --filter {names}; remove it");
            }
            for filter in filters {
                let own: Numbers =
                    std::array::from_fn(|at| numbers[at].filter(|_| filter.takes(FLAGS[at])));
                // If a flag does not apply to this filter, all values of its range give equal
                // requests, of which only one is kept.
                let is_own = |(of, other): &(&Filter, Numbers)| {
                    of.facts.name == filter.facts.name && *other == own
                };
                if filters.len() == 1 || !all.iter().any(is_own) {
                    all.push((filter, own));
                }
            }
            ensure!(all.len() <= MOST_ROWS, "more than {MOST_ROWS} answers");
        }
        let answer = |(filter, numbers): &(&Filter, Numbers)| {
            let given = Given::of(numbers)?;
            filter.answer(&given).map_err(|error| {
                // A `SpecError` names no flag, so the flag is added.
                let capacity = given.capacity.unwrap_or_default();
                match error.downcast_ref() {
                    Some(SpecError::BelowHashFloor { floor, .. }) => anyhow!(
                        "--capacity {capacity}: hashes of {HASH_BITS} bits allow no FPR below \
                         {floor:.1e} at this capacity: lower the capacity or raise the FPR"
                    ),
                    Some(_) if given.capacity.is_some() => {
                        error.context(format!("--capacity {capacity}"))
                    }
                    _ => error,
                }
            })
        };
        all.iter().map(answer).collect()
    }
}

/// The quantities that are computed for a filter. They are the same for all filters, because users
/// rely on them in `--format json` and `csv`.
pub type Answer = Vec<Quantity>;

#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    Count(u64),
    Number(f64),
    Words(&'static str),
    YesNo(bool),
    Nothing,
}

pub struct Quantity {
    /// The name of the quantity in every format.
    pub name: &'static str,
    /// The unit of the number; empty for text and for yes or no.
    pub unit: &'static str,
    /// Whether the quantity is shown in the table format.
    pub is_main: bool,
    pub value: Value,
}

impl Filter {
    /// Whether a flag applies to the filter.
    fn takes(&self, flag: &str) -> bool {
        match flag {
            "--bits" | "--bits-per-key" => self.by_size.is_some(),
            "--hashes" => self.by_size.is_some_and(|of| of.only_hashes.is_none()),
            "--stages" => self.facts.grows,
            _ => true,
        }
    }

    fn unit(&self) -> u64 {
        self.by_size.map_or(1, |of| of.unit)
    }

    fn answer(&self, given: &Given) -> Result<Answer> {
        let (capacity, mut outline) = self.settle(given)?;
        // A growing filter with `stages` full stages holds (2^stages - 1) times its capacity.
        let stages = given.stages;
        let keys = (1_u64.checked_shl(stages).unwrap_or(0).wrapping_sub(1))
            .checked_mul(capacity)
            .with_context(|| format!("--stages {stages}: more keys than any filter holds"))?;
        let is_full = keys != capacity;
        if is_full {
            outline = (self.sizing)(capacity, &Spec::new(keys, target(given)?)?)?;
        }
        let is_sized = given.bits.is_some() || given.bits_per_key.is_some();
        let target_size = match given.fpr.filter(|_| is_sized) {
            Some(fpr) => Some((self.sizing)(capacity, &Spec::new(capacity, fpr)?)?.size_bits),
            None => None,
        };
        let Outline {
            size_bits,
            fpr,
            hashes,
            occupancy,
        } = outline;
        let fpr = fpr(keys)
            .with_context(|| format!("a filter of this size rejects some of {keys} keys"))?;
        let bits_per_key = size_bits / keys as f64;
        let textbook = occupancy.zip(hashes).map(|(of, hashes)| {
            let slots = (of.groups * of.ranges * of.slots) as f64;
            textbook_fpr(slots, hashes, keys as f64)
        });
        let classic = textbook_fpr(bits_per_key, classic_hashes(bits_per_key), 1.0);
        let fill = occupancy.map(|of| (of.fill_mean(keys), of.fill_variance(keys)));
        // The standard deviation of the FPR follows from the mean and the variance of the fill
        // ratio only if all slots form one group.
        let one_group = occupancy.zip(hashes).filter(|(of, _)| of.groups == 1);
        let spread = one_group
            .zip(fill)
            .map(|((_, hashes), (mean, variance))| fpr_deviation(1.0, hashes, mean, variance));
        let (number, count) = (Value::Number, |number: f64| Value::Count(number as u64));
        let quantity = |name, unit, value: Option<Value>| Quantity {
            name,
            unit,
            is_main: !["memory_bytes", "keys", "fill_mean", "fill_sd"].contains(&name),
            value: value.unwrap_or(Value::Nothing),
        };
        let memory = count((size_bits / 8.0).ceil());
        let keeps_target = given.fpr.map(|target| Value::YesNo(fpr <= target));
        Ok(vec![
            quantity("filter", "", Some(Value::Words(self.facts.name))),
            quantity("capacity", "keys", Some(Value::Count(capacity))),
            quantity("keys", "keys", is_full.then_some(Value::Count(keys))),
            quantity("size_bits", "bits", Some(count(size_bits))),
            quantity("memory_bytes", "bytes", Some(memory)),
            quantity("bits_per_key", "bits/key", Some(number(bits_per_key))),
            quantity("hashes", "probes/key", hashes.map(|k| count(k.into()))),
            quantity("target_fpr", "share", given.fpr.map(number)),
            quantity("exact_fpr", "share", Some(number(fpr))),
            quantity("keeps_target", "", keeps_target),
            quantity("target_size_bits", "bits", target_size.map(count)),
            quantity("textbook_fpr", "share", textbook.map(number)),
            quantity("over_classic", "ratio", Some(number(fpr / classic))),
            quantity("fill_mean", "share", fill.map(|(mean, _)| number(mean))),
            quantity("fill_sd", "share", fill.map(|(_, of)| number(of.sqrt()))),
            quantity("fpr_relative_sd", "ratio", spread.map(number)),
        ])
    }

    /// Computes the capacity, size and FPR of the filter from the flags that are given.
    fn settle(&self, given: &Given) -> Result<(u64, Outline)> {
        let by_size = |capacity, bits: u64| Ok((capacity, self.of_size(given, capacity, bits)?));
        match (given.capacity, given.bits, given.bits_per_key) {
            (Some(capacity), Some(bits), _) => by_size(capacity, bits),
            (Some(capacity), None, Some(per_key)) => {
                let bits = (capacity as f64 * per_key).ceil() as u64;
                let whole = bits.checked_next_multiple_of(self.unit());
                by_size(capacity, whole.unwrap_or(bits))
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

    /// The FPR and the other values of a filter of this size. If no number of hashes is given, the
    /// number with the lowest FPR is used; ties go to the smaller number.
    fn of_size(&self, given: &Given, capacity: u64, bits: u64) -> Result<Outline> {
        let by_size = self.by_size.with_context(|| too_little(given))?;
        let of = |hashes| (by_size.outline)(capacity, bits, hashes);
        if let Some(hashes) = given.hashes.or(by_size.only_hashes) {
            return of(hashes).with_context(|| match given.hashes {
                Some(hashes) => format!("--hashes {hashes} with {bits} bits"),
                None => format!("{bits} bits"),
            });
        }
        // As a function of the number of hashes, the FPR has a single minimum, near the textbook
        // value.
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

    /// Whether the FPR of a filter of `bits` bits with `capacity` keys is at most the target.
    fn keeps(&self, given: &Given, capacity: u64, bits: u64, target: f64) -> bool {
        let outline = self.of_size(given, capacity, bits);
        outline.is_ok_and(|of| {
            of.size_bits <= bits as f64 && (of.fpr)(capacity).is_some_and(|fpr| fpr <= target)
        })
    }

    /// The smallest size in bits with which the FPR is at most the target.
    fn least_bits(&self, given: &Given, capacity: u64) -> Result<u64> {
        let (target, unit) = (target(given)?, self.unit());
        let fails = |units: u64| !self.keeps(given, capacity, units * unit, target);
        let least = last((1 << 48) / unit, fails) + 1;
        ensure!(
            self.keeps(given, capacity, least * unit, target),
            "no filter of up to 2^48 bits keeps {target:?} with {} hashes at {capacity} keys",
            given.hashes.unwrap_or_default()
        );
        Ok(least * unit)
    }

    /// The largest number of keys with which the FPR of a filter of `bits` bits meets the target.
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
