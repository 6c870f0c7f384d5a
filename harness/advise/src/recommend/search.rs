//! The sizes that are considered, with the expected cost per lookup with each: halvings of the FPR
//! over all costs of a backing lookup, and at the given one what lies between them, down to
//! the size that costs least and the smallest that is too close to the least to call.

use std::f64::consts::LN_2;

use anyhow::{Result, bail};

use super::{
    candidates::Candidate,
    impossible::{self, Rejected},
    model::{Line, base, best, near, too_close},
    sizes::{resized, sizes},
    sizing::Sizing,
    spend::{count_at_target, spent},
    times::{Operations, Times},
    workload::Workload,
};

const MIB: f64 = 1_048_576.0;
/// Halvings of the stretch that a size is looked for in: 64 sizes for each halving of
/// the FPR, which are less than a fortieth of a bit per key apart.
const ROUNDS: u32 = 6;

/// A size that a candidate may have.
pub type Size = (Sizing, Operations);

/// Sizes with their lines: each line has the place of its size.
pub struct Search<'a> {
    workload: &'a Workload,
    times: &'a Times,
    pub sizes: Vec<Size>,
    pub lines: Vec<Line>,
}

/// All sizes of all candidates that can do it, and those that cannot.
///
/// # Errors
///
/// None can: why, and what would do.
pub fn search<'a>(workload: &'a Workload, times: &'a Times) -> Result<(Search<'a>, Vec<Rejected>)> {
    let (mut possible, mut rejected) = (Vec::new(), Vec::new());
    for candidate in workload.candidates() {
        match timed(candidate, workload, times) {
            Ok(own) => possible.extend(own),
            Err(reasons) if reasons == [impossible::NO_TIME] => bail!(impossible::NO_TIME),
            Err(reasons) => rejected.push(Rejected { candidate, reasons }),
        }
    }
    let sizings = possible.iter().map(|(sizing, _): &Size| sizing);
    let spent = spent(sizings, workload);
    possible.retain(|(sizing, _)| spent.iter().all(|one| one.candidate != sizing.candidate));
    rejected.extend(spent);
    let mut left: Vec<_> = possible.iter_mut().map(|(sizing, _)| sizing).collect();
    count_at_target(&mut left, workload);
    let is_none = |(sizing, _): &Size| sizing.candidate == Candidate::None;
    if possible.iter().all(is_none) {
        bail!(impossible::nothing_left(workload, &rejected));
    }
    let mut search = Search::new(workload, times, possible);
    search.refine();
    Ok((search, rejected))
}

/// The sizes of one candidate alone; none if it has none.
pub fn search_of<'a>(candidate: Candidate, workload: &'a Workload, times: &'a Times) -> Search<'a> {
    let sizes = timed(candidate, workload, times).unwrap_or_default();
    let mut search = Search::new(workload, times, sizes);
    search.refine();
    search
}

/// The sizes that a candidate may have, or why there is none.
fn timed(
    candidate: Candidate,
    workload: &Workload,
    times: &Times,
) -> Result<Vec<Size>, Vec<String>> {
    let own = sizes(candidate, workload)?;
    let reach = |sizing: &Sizing| times.reach(candidate, sizing.target_fpr);
    if !own.iter().any(reach) {
        return Err(vec![impossible::NO_TIME.into()]);
    }
    let timed = own.into_iter().filter(reach).filter_map(|sizing| {
        let times = times.of(candidate, sizing.keys, sizing.target_fpr)?;
        Some((sizing, times))
    });
    let timed: Vec<_> = timed.collect();
    if timed.is_empty() {
        return Err(vec!["has no time: it was not measured".into()]);
    }
    Ok(timed)
}

impl<'a> Search<'a> {
    fn new(workload: &'a Workload, times: &'a Times, sizes: Vec<Size>) -> Self {
        let all = sizes.iter().enumerate();
        let lines = all.map(|(size, (sizing, times))| line(workload, sizing, times, size));
        Self {
            workload,
            times,
            lines: lines.collect(),
            sizes,
        }
    }

    /// What lies between the halvings, where there is a choice of sizes.
    fn refine(&mut self) {
        if self.workload.fpr_is_target {
            return;
        }
        let mut candidates: Vec<Candidate> = self.lines.iter().map(|line| line.candidate).collect();
        candidates.dedup();
        candidates.retain(|candidate| candidate.is_sized());
        for candidate in &candidates {
            self.find_least(*candidate);
        }
        for candidate in candidates {
            self.find_smallest(candidate);
        }
    }

    fn of(&self, candidate: Candidate) -> impl Iterator<Item = &Line> {
        let own = self.lines.iter();
        own.filter(move |line| line.candidate == candidate)
    }

    /// One more size of the kind of another, if there is one for this target.
    fn other(&self, like: &Sizing, target_fpr: f64) -> Option<(Size, Line)> {
        let sizing = resized(like, self.workload, target_fpr)?;
        if !self.times.reach(sizing.candidate, target_fpr) {
            return None;
        }
        let times = self.times.of(sizing.candidate, sizing.keys, target_fpr)?;
        let line = line(self.workload, &sizing, &times, self.sizes.len());
        Some(((sizing, times), line))
    }

    fn keep(&mut self, (size, line): (Size, Line)) {
        self.sizes.push(size);
        self.lines.push(line);
    }

    /// Keeps the size that costs least, from the halving that does on.
    fn find_least(&mut self, candidate: Candidate) {
        let work = self.workload.work_cost.ns;
        let own = self.of(candidate);
        let Some(from) = own.min_by(|a, b| a.at(work).total_cmp(&b.at(work))) else {
            return;
        };
        let like = &self.sizes[from.size].0;
        let (mut cost, mut target, mut found) = (from.at(work), like.target_fpr, None);
        let mut step = LN_2 / 2.0;
        for _ in 0..ROUNDS {
            for tried in [target * (-step).exp(), target * step.exp()] {
                if let Some(other) = self.other(like, tried)
                    && other.1.at(work) < cost
                {
                    (cost, target) = (other.1.at(work), tried);
                    found = Some(other);
                }
            }
            step /= 2.0;
        }
        if let Some(found) = found {
            self.keep(found);
        }
    }

    /// Keeps the smallest size that is too close to the least cost of all to call; of a
    /// candidate that has none so close, to its own.
    fn find_smallest(&mut self, candidate: Candidate) {
        let work = self.workload.work_cost.ns;
        let all = Limit::of(&self.lines, work);
        let own: Vec<Line> = self.of(candidate).copied().collect();
        let mut limit = if own.iter().any(|line| all.has(line, work)) {
            all
        } else {
            Limit::of(&own, work)
        };
        let by_memory = |a: &&Line, b: &&Line| a.memory.total_cmp(&b.memory);
        let close = own.iter().filter(|line| limit.has(line, work));
        let Some(smallest) = close.min_by(by_memory) else {
            return;
        };
        let too_small = own.iter().filter(|line| line.memory < smallest.memory);
        let Some(next) = too_small.max_by(by_memory) else {
            return;
        };
        let like = &self.sizes[smallest.size].0;
        let (mut holds, mut found) = (like.target_fpr, None);
        let mut fails = self.sizes[next.size].0.target_fpr;
        for _ in 0..ROUNDS {
            let middle = (holds * fails).sqrt();
            match self.other(like, middle) {
                Some(other) if limit.has(&other.1, work) => {
                    // What costs no more than one of these is one of them.
                    limit.farthest = limit.farthest.max(other.1.at(work));
                    holds = middle;
                    found = Some(other);
                }
                _ => fails = middle,
            }
        }
        if let Some(found) = found {
            self.keep(found);
        }
    }
}

/// Up to where a cost is too close to the least to call.
#[derive(Clone, Copy)]
struct Limit {
    farthest: f64,
    high: f64,
}

impl Limit {
    fn of(lines: &[Line], work: f64) -> Self {
        let best = best(lines, work);
        let near = near(lines, work);
        let farthest = near.iter().map(|line| line.at(work));
        // Of sizes that are not among the lines too.
        let most = best.map_or(0.0, |line| too_close(line, work));
        Self {
            farthest: farthest.fold(most, f64::max),
            high: best.map_or(0.0, |line| line.high_at(work)),
        }
    }

    fn has(self, line: &Line, work: f64) -> bool {
        line.at(work) <= self.farthest || line.low_at(work) <= self.high
    }
}

/// The line of one size, which is the `size`-th.
pub fn line(workload: &Workload, sizing: &Sizing, times: &Operations, size: usize) -> Line {
    let memory = sizing.bytes(workload);
    let price = workload.memory_cost_ns.unwrap_or(0.0) * memory / MIB;
    let [base, low, high] = base(workload, times, sizing.keys).map(|time| time + price);
    Line {
        candidate: sizing.candidate,
        size,
        bits_per_key: sizing.bits_per_key(),
        memory,
        base,
        low,
        high,
        slope: slope(workload, sizing, sizing.keys).unwrap_or_else(|| workload.wasted()),
    }
}

/// The share of lookups whose work is to no end with so many keys in it, by the FPR that is
/// counted.
pub fn slope(workload: &Workload, sizing: &Sizing, keys: u64) -> Option<f64> {
    let fpr = sizing.fpr(keys)?;
    Some(match sizing.candidate {
        Candidate::None => workload.wasted(),
        _ => workload.wasted_behind(fpr.max(sizing.counted_fpr)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recommend::requirements::Requirements;

    #[test]
    fn sizes_are_found_between_the_halvings() {
        for price in ["1ns", "40ns", "3us"] {
            let text = format!("capacity = 1e6\nwork-cost = \"80us\"\nmemory-cost = \"{price}\"");
            let requirements = Requirements::of_toml(&text).unwrap();
            let workload = Workload::new(&requirements, None, None).unwrap();
            let times = Times::committed("u64", false).unwrap();
            let work = workload.work_cost.ns;
            let found = search_of(Candidate::PLAIN, &workload, &times);
            let mut dense = Search::new(&workload, &times, found.sizes[..1].to_vec());
            for step in 0..3_000 {
                let target = 0.5 * (-0.005 * f64::from(step)).exp();
                // Down to where there are times.
                if let Some(other) = dense.other(&dense.sizes[0].0, target) {
                    dense.keep(other);
                }
            }
            let limit = Limit::of(&dense.lines, work);
            let [own, all] = [&found, &dense].map(|search| {
                let least = search.lines.iter().map(|line| line.at(work));
                let close = search.lines.iter().filter(|line| limit.has(line, work));
                let smallest = close.map(|line| line.memory).fold(f64::INFINITY, f64::min);
                [least.fold(f64::INFINITY, f64::min), smallest]
            });
            assert!(own[0] <= 1.001 * all[0], "{price}: {own:?} {all:?}");
            assert!(own[1] <= 1.01 * all[1], "{price}: {own:?} {all:?}");
        }
    }
}
