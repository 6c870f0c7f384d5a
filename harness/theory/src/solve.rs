//! For filters with m, n and k: computes the numbers that were not given from those that were, and
//! the quantities that all such filters have.

use anyhow::{Context, Result, bail, ensure};
use bouquet_core::{
    MAX_SIZE_BITS,
    math::{
        Occupancy, Parameters, estimate_parameters, expected_fpr, fpr_deviation, hash_floor,
        textbook_fpr, with_hash_floor,
    },
};

use super::{
    Answer, Request,
    model::{Model, classic_hashes},
    request::flag,
    search::{least_units, smallest, textbook_bits_per_key},
};

/// Two computations of the same number count as equal if their relative difference is at most this.
const SAME: f64 = 1e-14;

/// The size m, the capacity n and the number of hashes k of a filter.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settled {
    pub capacity: u64,
    /// The size m in units of the model.
    pub units: u64,
    pub hashes: u32,
}

/// Determines m, n and k from those of the numbers n, m, m/n, k and p that are given.
///
/// # Errors
///
/// If too few or too many numbers are given, or if the filter would be too large.
pub fn settle(request: &Request, model: &Model<'_>) -> Result<Settled> {
    let unit = model.unit;
    let (capacity, units) = match (request.capacity, request.bits, request.bits_per_key) {
        (Some(capacity), Some(bits), _) => (capacity, whole_units(bits, unit)?),
        (Some(capacity), None, Some(per_key)) => {
            let units = (capacity as f64 * per_key / unit as f64).ceil();
            if units * unit as f64 > MAX_SIZE_BITS as f64 {
                bail!("{capacity} keys with {per_key} bits each are more than 2^48 bits");
            }
            (capacity, units as u64)
        }
        (None, Some(bits), Some(per_key)) => {
            let capacity = (bits as f64 / per_key) as u64;
            ensure!(
                capacity != 0,
                "{bits} bits hold no key with {per_key} bits each"
            );
            (capacity, whole_units(bits, unit)?)
        }
        (Some(capacity), None, None) if request.hashes.is_none() => {
            let built = model.built(capacity, target(request)?)?;
            return Ok(Settled {
                capacity,
                units: built.size_bits,
                hashes: built.hashes,
            });
        }
        (Some(capacity), None, None) => (capacity, settle_size(request, model, capacity)?),
        (None, Some(bits), None) => {
            let units = whole_units(bits, unit)?;
            (settle_capacity(request, model, units)?, units)
        }
        (None, None, _) => bail!("{}", too_little(request)),
    };
    let hashes = hashes_for(request, model, units, capacity)?;
    Ok(Settled {
        capacity,
        units,
        hashes,
    })
}

/// A message that says which numbers are missing, given those that are there.
fn too_little(request: &Request) -> String {
    let given: Vec<_> = request.given().into_iter().map(flag).collect();
    let alone = match given.is_empty() {
        true => String::new(),
        false => format!(" by {} alone", given.join(" ")),
    };
    format!(
        "underdetermined{alone}: give two of --capacity, --fpr and a size (--bits, or --bits-per-key beside \
         --capacity), such as --capacity 1e6 --fpr 0.01; --hashes fixes k in each case"
    )
}

fn whole_units(bits: u64, unit: u64) -> Result<u64> {
    match bits / unit {
        0 => bail!("--bits {bits} is less than the {unit} bits that the filter has at least"),
        units => Ok(units),
    }
}

fn hashes_for(request: &Request, model: &Model<'_>, units: u64, capacity: u64) -> Result<u32> {
    let most = (model.most_hashes)(units);
    match request.hashes {
        Some(hashes) if hashes > most => {
            bail!("--hashes {hashes}: this filter has at most {most}")
        }
        Some(hashes) => Ok(hashes),
        None => Ok(model.best_hashes(units, capacity)),
    }
}

fn target(request: &Request) -> Result<f64> {
    request.fpr.with_context(|| too_little(request))
}

/// For given n, p and k: the smallest size with which the FPR is at most p.
fn settle_size(request: &Request, model: &Model<'_>, capacity: u64) -> Result<u64> {
    let (fpr, hashes) = (target(request)?, request.hashes.unwrap_or(1));
    let keeps =
        |units| hashes <= (model.most_hashes)(units) && (model.fpr)(units, hashes, capacity) <= fpr;
    least_units(model.unit, capacity, fpr, keeps).with_context(|| {
        format!(
            "no filter of up to 2^48 bits keeps {fpr:?} with {hashes} hashes at {capacity} keys"
        )
    })
}

/// For given m and p, and optionally k: the largest number of keys with which the FPR is at most p.
fn settle_capacity(request: &Request, model: &Model<'_>, units: u64) -> Result<u64> {
    let fpr = target(request)?;
    // Fails early if the filter does not support this number of hashes.
    hashes_for(request, model, units, 1)?;
    let size_bits = units * model.unit;
    let passes = |keys: u64| {
        let hashes = request
            .hashes
            .unwrap_or_else(|| model.best_hashes(units, keys));
        (model.fpr)(units, hashes, keys) > fpr
    };
    let guess = size_bits as f64 / textbook_bits_per_key(fpr);
    let Some(too_many) = smallest(guess as u64, MOST_KEYS, passes) else {
        bail!("--fpr {fpr:?} is so high that no number of keys passes it")
    };
    let capacity = too_many - 1;
    ensure!(
        capacity != 0,
        "{size_bits} bits do not keep {fpr:?} for a single key"
    );
    Ok(capacity)
}

/// The upper limit of the search; this many keys fill any filter.
const MOST_KEYS: u64 = 1 << 62;

/// The quantities of every filter that has m, n and k. `slots` is the value of m in the textbook
/// formula.
pub fn describe(
    request: &Request,
    model: &Model<'_>,
    settled: &Settled,
    slots: u64,
) -> Result<Answer> {
    let Settled {
        capacity,
        units,
        hashes,
    } = *settled;
    let size_bits = units * model.unit;
    let exact = (model.fpr)(units, hashes, capacity);
    let textbook = textbook_fpr(slots as f64, hashes, capacity as f64);
    let mut answer = Answer::default();
    common(&mut answer, request, capacity, size_bits, exact);
    answer.set("hashes", hashes);
    answer.set("textbook_fpr", textbook);
    // The two values are computed in different ways, so a difference in the last digits is taken as
    // zero.
    let excess = exact / textbook - 1.0;
    let excess = if excess.abs() < SAME { 0.0 } else { excess };
    answer.set("exact_over_textbook", excess);
    if let Some(target) = request.fpr {
        let Parameters { size_bits, hashes } = model.least(capacity, target)?;
        let least = size_bits * model.unit;
        let field = estimate_parameters(capacity, target)?;
        let gives = expected_fpr(field.size_bits, field.hashes, capacity);
        answer.set("least_size_bits", least);
        answer.set("least_hashes", hashes);
        answer.set("least_over_textbook", least as f64 / field.size_bits as f64);
        answer.set("textbook_size_bits", field.size_bits);
        answer.set("textbook_hashes", field.hashes);
        answer.set("textbook_size_fpr", gives);
        answer.set("textbook_size_over_target", gives / target);
    }
    Ok(answer)
}

/// The quantities of every filter: with `keys` keys, `size_bits` bits and the FPR `exact`.
pub fn common(answer: &mut Answer, request: &Request, keys: u64, size_bits: u64, exact: f64) {
    let floor = hash_floor(keys, request.hash_bits);
    answer.set("filter", request.form.name);
    answer.set("capacity", keys);
    answer.set("size_bits", size_bits);
    answer.set("memory_bytes", size_bits.div_ceil(8));
    answer.set("exact_fpr", exact);
    answer.set("hash_bits", request.hash_bits);
    answer.set("hash_floor", floor);
    answer.set(
        "fpr_with_hash_floor",
        with_hash_floor(exact, keys, request.hash_bits),
    );
    if let Some(target) = request.fpr {
        answer.set("target_fpr", target);
        let reached = with_hash_floor(exact, keys, request.hash_bits);
        answer.set("keeps_target", reached <= target);
    }
    at_equal_memory(answer, size_bits as f64 / keys as f64, exact);
}

/// Compares the FPR with that of a standard filter with the same number of bits per key.
pub fn at_equal_memory(answer: &mut Answer, bits_per_key: f64, exact: f64) {
    let hashes = classic_hashes(bits_per_key);
    let classic = textbook_fpr(bits_per_key, hashes, 1.0);
    answer.set("bits_per_key", bits_per_key);
    answer.set("classic_hashes", hashes);
    answer.set("classic_fpr", classic);
    answer.set("over_classic", exact / classic);
    answer.set("information_bound", (-bits_per_key).exp2());
}

/// Sets the mean and the standard deviation of the fill ratio.
pub fn fill(answer: &mut Answer, occupancy: Occupancy, keys: u64) {
    answer.set("fill_mean", occupancy.fill_mean(keys));
    answer.set("fill_sd", occupancy.fill_variance(keys).sqrt());
}

/// Sets the fill ratio and the relative standard deviation of the FPR, for a filter whose FPR is
/// the fill ratio to the k-th power or the product of k fill ratios.
pub fn fill_and_spread(answer: &mut Answer, occupancy: Occupancy, hashes: u32, keys: u64) {
    fill(answer, occupancy, keys);
    let (mean, variance) = (occupancy.fill_mean(keys), occupancy.fill_variance(keys));
    let spread = fpr_deviation(1.0, hashes, mean, variance);
    answer.set("fpr_relative_sd", spread);
}
