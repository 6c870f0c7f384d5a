//! Computes a recommendation from a workload and the times of candidates.
//!
//! The expected cost per lookup is C = t_l + [s + (1 - s) f] t_w, with s the share of hits, t_l the
//! time of a lookup in the set (a filter or an exact set), f the FPR and t_w the cost of a backing
//! lookup.
//!
//! Hits need the backing lookup with every candidate, so the term s t_w is left out: the compared
//! cost is t_l + (1 - s) f t_w, plus the time to build the set divided by the number of lookups.
//!
//! If false positives lose keys instead of causing backing lookups, the set saves the backing
//! lookups of hits: the cost is t_l with a set, and s t_w without.

use std::cmp::Ordering;

use anyhow::{Context, Result, bail};
use bouquet_catalogue::HASH_BITS;
use bouquet_core::math::hash_floor;

use super::{
    candidates::{Candidate, Class},
    requirements::{Bytes, Growth, share_words},
    sizing::{Sizing, sizes, sizing},
    times::{Operations, Times},
    workload::{MOST_KEYS, Workload},
};
use bouquet_record::{detailed::Detailed, units::bytes_up};

/// Costs that differ by less than this share of what the cheapest set saves per lookup count as
/// equal: memory decides then. Nobody sees a hundredth of what was saved, and everybody pays for bits.
const SLIGHT: f64 = 0.01;
/// Of two times or two FPRs, `a` counts as lower than `b` if `a < LESS * b`.
const LESS: f64 = 0.97;
/// Of the memories of two offers, `a` counts as no larger than `b` if `a <= MORE_MEMORY * b`.
const MORE_MEMORY: f64 = 1.01;
/// Memories that differ by less than this factor are a tie, which the simpler set wins.
pub const TIE: f64 = 1.001;
/// An exact set that takes more than this many times the bits of the smallest filter for the target
/// FPR is rejected, since the extra memory brings nothing that was required.
pub const TOO_MANY_BITS: f64 = 1.3;
/// Half the first-level data cache of common processors, in bytes. Exact sets that take no more, and
/// cost about as little as the cheapest, are taken before filters: memory that nobody misses makes
/// every answer right.
pub const FEW_BYTES: f64 = 16_384.0;
/// The reason for rejecting a candidate that meets the requirements but was not measured.
const NO_TIMES: &str = "its times are not known: add --measure";

/// A candidate of a certain size, with its times and its cost.
#[derive(Clone)]
pub struct Offer {
    pub sizing: Sizing,
    pub times: Operations,
    pub fpr: f64,
    /// The memory of all filters of the workload together, in bytes.
    pub memory: f64,
    /// The total size in bytes if all filters of the workload are saved to files; `None` if Bouquet
    /// has no file format for the candidate.
    pub stored: Option<f64>,
    /// The time of a lookup in the set, plus the build time divided by the number of lookups.
    pub base: f64,
    /// The share of lookups that cause an unnecessary backing lookup.
    pub unnecessary: f64,
    /// The expected cost per lookup, in ns.
    pub cost: f64,
}

impl Offer {
    fn new(workload: &Workload, sizing: Sizing, times: Operations, least: Option<f64>) -> Self {
        let candidate = sizing.candidate;
        let fpr = sizing.fpr;
        // Some filters come only in certain sizes, and so have an FPR below the target. Their cost
        // is computed with the target FPR, since with more bits, other filters could have a lower
        // FPR too.
        let is_counted_higher = match candidate.class() {
            Class::Ours if !candidate.is_static() => true,
            Class::Ours => least.is_some_and(|least| sizing.bits_per_key() > least),
            Class::Exact | Class::Nothing => false,
        };
        let target = workload.fpr.filter(|_| is_counted_higher).unwrap_or(0.0);
        let unnecessary = match candidate {
            Candidate::None => workload.wasted(),
            _ => workload.wasted_behind(fpr.max(target)),
        };
        let base = base(workload, &times, sizing.keys);
        let stored = (sizing.payload_bytes + sizing.beside[1]) * workload.filters as f64;
        Self {
            fpr,
            memory: sizing.bytes(workload),
            stored: candidate.is_sized().then_some(stored),
            base,
            unnecessary,
            cost: base + unnecessary * workload.work_cost,
            sizing,
            times,
        }
    }

    pub fn candidate(&self) -> Candidate {
        self.sizing.candidate
    }

    fn simplicity_rank(&self) -> u32 {
        self.candidate().simplicity_rank()
    }

    /// Whether this offer is better than `other`: it is at least as simple; its FPR and its times
    /// of hits and misses are not higher, and at least one is lower by more than measurement noise;
    /// it takes at most about as much memory; and its `base` is not higher.
    fn dominates(&self, other: &Self) -> bool {
        let of = |row: &Self| [row.fpr, row.times.hit, row.times.miss];
        let mut pairs = of(self).into_iter().zip(of(other));
        self.candidate() != other.candidate()
            && self.simplicity_rank() <= other.simplicity_rank()
            && self.memory <= MORE_MEMORY * other.memory
            && self.base <= other.base
            && pairs.clone().all(|(own, others)| own <= others)
            && pairs.any(|(own, others)| own < LESS * others)
    }

    /// The time to build one set, in seconds.
    pub fn build_s(&self) -> f64 {
        self.times.insert * self.sizing.keys as f64 / 1e9
    }
}

pub struct Advice {
    pub choice: Offer,
    /// The cheapest candidate other than the choice.
    pub runner_up: Option<Offer>,
    /// The set with the least memory other than the choice.
    pub smallest: Option<Offer>,
    /// The candidates, other than the choice, whose cost counts as equal to the lowest.
    pub near: Vec<Offer>,
    /// Whether the keys are so few that an exact set takes at most [`FEW_BYTES`], at about the lowest
    /// cost.
    pub is_few: bool,
    /// One offer per candidate, sorted by cost.
    pub rows: Vec<Offer>,
    pub rejected: Vec<Rejected>,
    /// The candidate that pays off first as the cost of a backing lookup rises, and this cost in
    /// nanoseconds.
    pub first_to_pay: Option<(Candidate, f64)>,
}

/// Makes a recommendation.
///
/// # Errors
///
/// Nothing meets the requirements; the message says why, and what would work.
pub fn advise(workload: &Workload, times: &Times) -> Result<Advice> {
    check(workload)?;
    let (offers, rejected) = offers(workload, times)?;
    let without = workload.wasted() * workload.work_cost;
    let mut candidates: Vec<Candidate> = workload.candidates().collect();
    candidates.sort_by_key(|one| one.simplicity_rank());
    let least = offers
        .iter()
        .map(|offer| offer.cost)
        .fold(f64::INFINITY, f64::min);
    let slight = |least: f64| SLIGHT * (without - least).max(0.0);
    // For each candidate, the smallest size whose cost counts as equal to its lowest.
    let own = |one| offers.iter().filter(move |offer| offer.candidate() == one);
    let all = candidates.into_iter();
    let best = all.filter_map(|one| smallest(near(own(one), slight(least))));
    let mut rows: Vec<Offer> = best.cloned().collect();
    // The rows are in order of simplicity, and the sort keeps this order for equal costs.
    rows.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    let slight = rows.first().map_or(0.0, |row| slight(row.cost));
    let most = rows
        .first()
        .map_or(0.0, |row| row.cost + slight)
        .min(without);
    let few = |row: &&Offer| is_few(row.candidate(), row.memory) && row.cost < most;
    let is_few = rows.iter().any(|row| few(&row));
    let mut left: Vec<&Offer> = rows.iter().filter(|row| !is_few || few(row)).collect();
    loop {
        let choice =
            smallest(near(left.iter().copied(), slight)).context("nothing was measured")?;
        let chosen = choice.candidate();
        if left.len() > 1 && rows.iter().any(|row| row.dominates(choice)) {
            left.retain(|offer| offer.candidate() != chosen);
            continue;
        }
        let is_other = |row: &&Offer| row.candidate() != chosen;
        let is_set = |row: &&Offer| is_other(row) && row.candidate() != Candidate::None;
        let others = near(left.iter().copied(), slight).filter(is_other);
        let sets = rows.iter().filter(is_set);
        return Ok(Advice {
            runner_up: rows.iter().find(is_other).cloned(),
            smallest: sets.min_by(|a, b| a.memory.total_cmp(&b.memory)).cloned(),
            near: others.cloned().collect(),
            is_few,
            choice: choice.clone(),
            first_to_pay: first_to_pay(workload, &offers),
            rows,
            rejected,
        });
    }
}

/// All sizes of all candidates that meet the requirements; the rejected candidates; and the bits per
/// key of the smallest filter for the target FPR.
pub fn able(workload: &Workload) -> (Vec<Sizing>, Vec<Rejected>, Option<f64>) {
    let (mut able, mut rejected) = (Vec::new(), Vec::new());
    for candidate in workload.candidates() {
        match sizes(candidate, workload) {
            Ok(own) => able.extend(own),
            Err(reasons) => rejected.push(Rejected { candidate, reasons }),
        }
    }
    let is_filter = |sizing: &&Sizing| workload.fpr.is_some() && sizing.candidate.is_sized();
    let filters = able.iter().filter(is_filter);
    let least = filters.map(Sizing::bits_per_key).min_by(f64::total_cmp);
    let most = least.map_or(f64::INFINITY, |least| TOO_MANY_BITS * least);
    let (able, over): (Vec<_>, Vec<_>) = able.into_iter().partition(|sizing| {
        let (candidate, bits) = (sizing.candidate, sizing.bits_per_key());
        candidate.is_sized()
            || bits <= most
            || workload.only.contains(&candidate)
            || is_few(candidate, sizing.bytes(workload))
    });
    rejected.extend(over.iter().map(|sizing| Rejected {
        candidate: sizing.candidate,
        reasons: vec![format!(
            "takes {:.1} bits per key, but {:.1} are enough for the target FPR",
            sizing.bits_per_key(),
            least.unwrap_or_default(),
        )],
    }));
    (able, rejected, least)
}

/// Whether the candidate is an exact set of so few keys that its memory does not matter.
fn is_few(candidate: Candidate, bytes: f64) -> bool {
    candidate.class() == Class::Exact && bytes <= FEW_BYTES
}

/// The candidates that meet the requirements, with their times; and all rejected candidates.
fn offers(workload: &Workload, times: &Times) -> Result<(Vec<Offer>, Vec<Rejected>)> {
    let (able, mut rejected, least) = able(workload);
    let of = |sizing: &Sizing| times.of(sizing.candidate, sizing.keys, sizing.target_fpr);
    let offer = |sizing: Sizing| {
        let times = of(&sizing)?;
        Some(Offer::new(workload, sizing, times, least))
    };
    let (timed, untimed): (Vec<_>, Vec<_>) = able.into_iter().partition(|one| of(one).is_some());
    let offers: Vec<Offer> = timed.into_iter().filter_map(offer).collect();
    let mut untimed: Vec<Candidate> = untimed.iter().map(|one| one.candidate).collect();
    untimed.dedup();
    let is_empty = offers.iter().all(|one| one.candidate() == Candidate::None);
    // An exact set is not better than a filter only because no filter was measured.
    if !offers.iter().any(|one| one.candidate().is_sized())
        && let Some(one) = untimed.iter().find(|one| one.is_sized() || is_empty)
    {
        bail!("{}: {NO_TIMES}", one.name());
    }
    if is_empty {
        bail!(nothing_left(workload, &rejected));
    }
    rejected.extend(untimed.into_iter().map(|candidate| Rejected {
        candidate,
        reasons: vec![NO_TIMES.into()],
    }));
    Ok((offers, rejected))
}

/// The time per lookup in a set, including a share of the time to build it.
pub fn base(workload: &Workload, times: &Operations, keys: u64) -> f64 {
    let s = workload.hits;
    let builds = keys as f64 / workload.lookups_per_build;
    let Operations { hit, miss, insert } = times;
    s * hit + (1.0 - s) * miss + builds * insert
}

/// The offer with the least memory; of those with about as little, the simplest, then the cheapest.
fn smallest<'a>(offers: impl Iterator<Item = &'a Offer> + Clone) -> Option<&'a Offer> {
    let memory = offers.clone().map(|offer| offer.memory);
    let most = TIE * memory.fold(f64::INFINITY, f64::min);
    let key = |offer: &Offer| (offer.simplicity_rank(), offer.memory, offer.cost);
    let as_small = offers.filter(|offer| offer.memory <= most);
    as_small.min_by(|a, b| key(a).partial_cmp(&key(b)).unwrap_or(Ordering::Equal))
}

/// The offers whose cost is at most `slight` above the lowest.
fn near<'a>(
    offers: impl Iterator<Item = &'a Offer> + Clone,
    slight: f64,
) -> impl Iterator<Item = &'a Offer> + Clone {
    let costs = offers.clone().map(|offer| offer.cost);
    let most = slight + costs.fold(f64::INFINITY, f64::min);
    offers.filter(move |offer| offer.cost <= most)
}

/// The candidate that pays off first as the cost of a backing lookup rises, and this cost. A set
/// pays off if the backing lookups that it saves take longer than the lookups in the set.
fn first_to_pay(workload: &Workload, offers: &[Offer]) -> Option<(Candidate, f64)> {
    let pays = |offer: &Offer| {
        let saved = workload.wasted() - offer.unnecessary;
        let is_there = offer.candidate() != Candidate::None;
        (is_there && saved > 0.0).then(|| (offer.candidate(), offer.base / saved))
    };
    let all = offers.iter().filter_map(pays);
    all.min_by(|a, b| a.1.total_cmp(&b.1))
}

#[derive(Clone, Debug)]
pub struct Rejected {
    pub candidate: Candidate,
    pub reasons: Vec<String>,
}

/// Rejects workloads that no candidate can meet.
///
/// # Errors
///
/// The message says why, and what would work.
fn check(workload: &Workload) -> Result<()> {
    let keys = workload.final_keys();
    let floor = hash_floor(keys, HASH_BITS);
    if let Some(fpr) = workload.fpr.filter(|fpr| *fpr <= floor) {
        bail!(
            "--fpr {fpr:?} is not possible for {keys} keys with hashes of {HASH_BITS} bits. Possible: \
             --fpr {} or more, or hashes of 128 bits, by `bouquet build --hasher xxh3-wide`",
            fpr_up(2.0 * floor)
        );
    }
    Ok(())
}

/// The largest number of keys with which the choice stays within the memory limit, if nobody knows
/// how many there will be.
pub fn keys_that_fit(workload: &Workload, choice: &Offer) -> Option<u64> {
    let memory = workload
        .memory
        .filter(|_| workload.growth == Growth::Unknown)?;
    let fits = |keys: u64| {
        let grown = Workload {
            growth: Growth::Times(keys as f64 / workload.capacity as f64),
            integers_below: None,
            ..workload.clone()
        };
        let sizing = sizing(choice.candidate(), &grown, choice.sizing.target_fpr);
        sizing.is_ok_and(|sizing| sizing.bytes(&grown) <= memory)
    };
    let (mut fitting, mut over) = (workload.capacity, MOST_KEYS);
    while over - fitting > fitting / 100 + 1 {
        let middle = fitting + (over - fitting) / 2;
        match fits(middle) {
            true => fitting = middle,
            false => over = middle,
        }
    }
    Some(fitting)
}

/// The error if no candidate is left. It says why, and the nearest requirements that would work.
/// Its details are the reasons against each candidate.
fn nothing_left(workload: &Workload, rejected: &[Rejected]) -> Detailed {
    let keys = workload.final_keys();
    let free = Workload {
        fpr: workload.fpr.or(Some(0.01)),
        memory: None,
        ..workload.clone()
    };
    let bytes = |sizing: &Sizing| sizing.bytes(workload);
    let filters = free.candidates().filter(|one| *one != Candidate::None);
    let sizings = filters.filter_map(|one| sizes(one, &free).ok()).flatten();
    let nearest = sizings.min_by(|a, b| bytes(a).total_cmp(&bytes(b)));
    let grown = match workload.growth {
        Growth::Unknown => ", ten times as many as at first, as --growth is unknown",
        Growth::Times(_) => "",
    };
    let at = workload.fpr.map(|fpr| format!(" at --fpr {fpr:?}"));
    let at = at.unwrap_or_default();
    let words = match (nearest, workload.memory) {
        (Some(sizing), Some(memory)) => format!(
            "--memory {} (or bits-per-key) is too little for {keys} keys{grown}{at}. Possible: {} for {}, \
             which takes {:.1} bits per key at an FPR of {}",
            Bytes(memory),
            Bytes(bytes_up(bytes(&sizing))),
            sizing.candidate.name(),
            sizing.bits_per_key(),
            share_words(sizing.target_fpr),
        ),
        _ => "no filter meets all requirements: leave out one of them".into(),
    };
    let reason = |one: &Rejected| format!("{}: {}", one.candidate.name(), one.reasons.join("; "));
    let reasons: Vec<_> = rejected.iter().map(reason).collect();
    Detailed::new(words, reasons.join("\n"))
}

/// Rounds up to two significant digits, in a form that can be given to `--fpr`.
fn fpr_up(fpr: f64) -> String {
    let step = 10f64.powf(fpr.log10().floor() - 1.0);
    // A value that is whole except for rounding errors is not rounded up.
    format!("{:.1e}", (fpr / step - 1e-9).ceil() * step)
}

#[cfg(test)]
mod tests;
