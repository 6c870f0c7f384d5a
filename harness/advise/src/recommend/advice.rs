//! From a workload and times to an answer.

use std::iter;

use anyhow::{Result, bail};
use bouquet_ground::record::SensitivityRow;

use super::{
    candidates::{Candidate, Class},
    impossible::{self, Rejected},
    model::{CLOSE, Line, Piece, WORK_TO_NS, envelope, near, plainest},
    search::{Search, Size, line, search, search_of, slope},
    sizes::sizes,
    sizing::Sizing,
    spend::LEAST_SHARE,
    times::{Operations, Times},
    workload::Workload,
};

/// From one cost of a backing lookup to the next.
const STEP: f64 = 1.01;

/// What is less than this share of another figure is better.
const LESS: f64 = 0.97;
/// What takes no more than this many times the memory of another takes as much.
const MORE_MEMORY: f64 = 1.01;

/// A candidate at its best size.
#[derive(Clone)]
pub struct Offer {
    pub line: Line,
    pub sizing: Sizing,
    pub times: Operations,
    pub fpr: f64,
    pub stored: Option<f64>,
}

impl Offer {
    pub fn candidate(&self) -> Candidate {
        self.line.candidate
    }

    /// Whether it is as plain as the other or plainer, as good in FPR, hits and misses, better
    /// in one of them by more than a measurement's noise, and takes no more memory to speak of,
    /// nor so much longer to build that its lookups do not make up for it.
    fn dominates(&self, other: &Self) -> bool {
        let of = |row: &Self| [row.fpr, row.times.hit.median, row.times.miss.median];
        let pairs = of(self).into_iter().zip(of(other));
        self.candidate() != other.candidate()
            && self.candidate().plainness() <= other.candidate().plainness()
            && self.line.memory <= MORE_MEMORY * other.line.memory
            && self.line.base <= other.line.base
            && pairs.clone().all(|(own, others)| own <= others)
            && pairs.clone().any(|(own, others)| own < LESS * others)
    }

    /// Whether it is so far below the target FPR, at which its expected cost is counted, that
    /// by its own it would not be too close to that.
    pub fn is_counted_higher(&self) -> bool {
        self.fpr < (1.0 - CLOSE) * self.sizing.counted_fpr
    }

    /// Whether it has less of the target FPR than whole words and blocks leave.
    pub fn is_far_below(&self, target_fpr: f64) -> bool {
        self.fpr < LEAST_SHARE * target_fpr
    }

    /// Seconds to build one set.
    pub fn build_s(&self) -> f64 {
        self.times.insert.median * self.sizing.keys as f64 / 1e9
    }
}

/// Work costs up to which there need be nothing in front of the work.
#[derive(Clone, Copy, Debug)]
pub struct Needed {
    /// The first that costs less than nothing does, and from where on.
    pub first: Option<(Candidate, f64)>,
    /// Up to where nothing is too close to the least to call, from the cost of a backing lookup
    /// that was asked for on and up to 1 s.
    pub close_to: f64,
}

/// The answer.
pub struct Advice {
    pub work: f64,
    pub choice: Offer,
    /// Best of the others.
    pub runner_up: Option<Offer>,
    /// Their overhead, and the choice's, are too close to the least to call.
    pub too_close: Vec<Candidate>,
    /// By overhead.
    pub rows: Vec<Offer>,
    pub rejected: Vec<Rejected>,
    pub lines: Vec<Line>,
    pub envelope: Vec<Piece>,
    /// What becomes of the choice with more keys than it was sized for.
    pub sensitivity: Vec<SensitivityRow>,
    pub needed: Needed,
    /// Of the choice at just the target FPR, where more bits are worth it: the
    /// bits per key and the overhead.
    pub at_asked_fpr: Option<(f64, f64)>,
    /// Of the choice sized for a lower FPR than the target, where that lowers the
    /// expected cost per lookup.
    pub at_lower_fpr: Option<Offer>,
    /// Whether filters for lower FPRs than there are times for might cost less than the exact
    /// set that is chosen.
    pub may_lose: bool,
}

/// Advises.
///
/// # Errors
///
/// The requirements cannot be met: why, and what would do.
pub fn advise(workload: &Workload, times: &Times) -> Result<Advice> {
    impossible::check(workload)?;
    let (Search { sizes, lines, .. }, rejected) = search(workload, times)?;
    let work = workload.work_cost.ns;
    let row = |line: &Line| row(workload, &sizes[line.size], line);
    let mut kinds = Candidate::all();
    kinds.sort_by_key(|candidate| candidate.plainness());
    let mut left = lines.clone();
    let (close, rows, choice) = loop {
        let close = near(&left, work);
        let Some(chosen) = plainest(&close, work) else {
            bail!("nothing was measured");
        };
        let own = kinds
            .iter()
            .copied()
            .filter_map(|candidate| own_best(&lines, &close, candidate, work));
        let mut rows: Vec<Offer> = own.map(row).collect();
        // Of equal ones the plainer stays in front.
        rows.sort_by(|a, b| a.line.at(work).total_cmp(&b.line.at(work)));
        let choice = row(chosen);
        if !rows.iter().any(|row| row.dominates(&choice)) {
            let close: Vec<Candidate> = close.iter().map(|line| line.candidate).collect();
            break (close, rows, choice);
        }
        left.retain(|line| line.candidate != choice.candidate());
    };
    let others = kinds.into_iter().filter(|one| close.contains(one));
    let too_close = others.filter(|one| *one != choice.candidate()).collect();
    let is_other = |row: &&Offer| row.candidate() != choice.candidate();
    Ok(Advice {
        work,
        sensitivity: [1.05, 2.0]
            .map(|times| sensitivity(workload, &rows, &choice, times))
            .into(),
        needed: needed(workload, &lines),
        at_asked_fpr: at_asked_fpr(workload, &lines, &sizes, &choice),
        at_lower_fpr: at_lower_fpr(workload, times, &choice),
        may_lose: may_lose(workload, times, &choice),
        envelope: envelope(&lines),
        runner_up: rows.iter().find(is_other).cloned(),
        choice,
        too_close,
        rows,
        rejected,
        lines,
    })
}

fn row(workload: &Workload, (sizing, times): &Size, line: &Line) -> Offer {
    let stored = (sizing.payload_bytes + sizing.over.stored) * workload.filters as f64;
    Offer {
        line: *line,
        sizing: sizing.clone(),
        times: *times,
        fpr: sizing.fpr(sizing.keys).unwrap_or(1.0),
        stored: sizing.candidate.is_sized().then_some(stored),
    }
}

/// The smallest of a candidate's sizes that are `close` to the least overhead; of
/// one that has none so close, of those close to its own least.
fn own_best<'a>(
    lines: &'a [Line],
    close: &[&'a Line],
    candidate: Candidate,
    work: f64,
) -> Option<&'a Line> {
    let is_own = |line: &&Line| line.candidate == candidate;
    let own_close: Vec<&Line> = close.iter().copied().filter(is_own).collect();
    if !own_close.is_empty() {
        return plainest(&own_close, work);
    }
    let own: Vec<Line> = lines.iter().filter(is_own).copied().collect();
    let size = plainest(&near(&own, work), work)?.size;
    lines.iter().find(|line| line.size == size)
}

/// Everyone as large as it is, with so many times the keys.
fn sensitivity(workload: &Workload, rows: &[Offer], choice: &Offer, times: f64) -> SensitivityRow {
    let work = workload.work_cost.ns;
    let keys = (choice.sizing.keys as f64 * times).round() as u64;
    let overhead = |row: &Offer| Some(row.line.base + slope(workload, &row.sizing, keys)? * work);
    let able = rows
        .iter()
        .filter_map(|row| Some((overhead(row)?, row.candidate())));
    let best = able.min_by(|a, b| a.0.total_cmp(&b.0));
    let best = best.map_or(Candidate::None, |(_, candidate)| candidate);
    SensitivityRow {
        times_the_keys: times,
        expected_fpr: choice.sizing.fpr(keys),
        overhead_ns: overhead(choice),
        best: best.name().into(),
    }
}

/// A filter helps if the work that it saves takes longer than it does: from the least cost of a backing lookup on at
/// which one of any size does.
fn needed(workload: &Workload, lines: &[Line]) -> Needed {
    let pays = |line: &Line| {
        let saved = workload.wasted() - line.slope;
        let is_there = line.candidate.class() != Class::Nothing;
        (is_there && saved > 0.0).then(|| (line.candidate, line.base / saved))
    };
    let by_place = |a: &(Candidate, f64), b: &(Candidate, f64)| {
        let by_work = a.1.total_cmp(&b.1);
        by_work.then(a.0.plainness().cmp(&b.0.plainness()))
    };
    let is_close = |work: &f64| {
        let close = near(lines, *work);
        close.iter().any(|line| line.candidate == Candidate::None)
    };
    let asked = workload.work_cost.ns;
    let steps = iter::successors(Some(asked), |work| Some(STEP * work));
    let steps = steps.take_while(|work| *work <= WORK_TO_NS);
    Needed {
        first: lines.iter().filter_map(pays).min_by(by_place),
        close_to: steps.take_while(is_close).last().unwrap_or(asked),
    }
}

/// The choice's own kind at just the target FPR, where more bits make it cost
/// less: the bits per key and the overhead.
fn at_asked_fpr(
    workload: &Workload,
    lines: &[Line],
    sizes: &[Size],
    choice: &Offer,
) -> Option<(f64, f64)> {
    let fpr = workload.fpr?;
    let is_asked = |line: &&Line| {
        let sizing = &sizes[line.size].0;
        line.candidate == choice.candidate() && sizing.target_fpr == fpr
    };
    let line = lines.iter().find(is_asked)?;
    let overhead = line.at(workload.work_cost.ns);
    (overhead > choice.line.at(workload.work_cost.ns)).then_some((line.bits_per_key, overhead))
}

/// The choice's own kind at the lower FPR with the least expected cost, of sizes too
/// close to call the smallest; `None` where no lower one differs from the one asked
/// for, or the latter was a bound already.
fn at_lower_fpr(workload: &Workload, times: &Times, choice: &Offer) -> Option<Offer> {
    if !workload.fpr_is_target || workload.fp_is_loss || !choice.candidate().is_sized() {
        return None;
    }
    let free = Workload {
        fpr_is_target: false,
        ..workload.clone()
    };
    let Search { sizes, lines, .. } = search_of(choice.candidate(), &free, times);
    let work = workload.work_cost.ns;
    let best = plainest(&near(&lines, work), work)?;
    // The lower FPR of a size that it has already saves nothing more.
    let own = choice.line.base + free.wasted_behind(choice.fpr) * work;
    let saves = best.at(work) < (1.0 - CLOSE) * own;
    saves.then(|| row(&free, &sizes[best.size], best))
}

/// Whether a filter without a time would cost less than the exact set that is chosen, if it took no
/// longer than what has one.
fn may_lose(workload: &Workload, times: &Times, choice: &Offer) -> bool {
    let work = workload.work_cost.ns;
    let all = workload
        .candidates()
        .filter_map(|one| sizes(one, workload).ok());
    let mut untimed = all
        .flatten()
        .filter(|one| !times.reach(one.candidate, one.target_fpr));
    let costs_less = |sizing: Sizing| {
        let own = times.of(sizing.candidate, sizing.keys, sizing.target_fpr);
        own.is_some_and(|own| line(workload, &sizing, &own, 0).at(work) < choice.line.at(work))
    };
    choice.candidate().class() == Class::Exact && untimed.any(costs_less)
}

#[cfg(test)]
mod tests;
