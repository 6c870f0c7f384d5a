//! From a workload and times to an answer.

use anyhow::{Result, bail};

use super::{
    candidates::{Candidate, Class},
    impossible,
    model::{Line, Piece, base, envelope, near},
    paper::{Overhead, Paper},
    sizes::{bytes, sizes},
    times::{Operations, Times},
    workload::Workload,
};

/// A candidate that is out, and why.
#[derive(Clone, Debug)]
pub struct Rejected {
    pub candidate: Candidate,
    pub reasons: Vec<String>,
}

/// A candidate at its best size.
#[derive(Clone)]
pub struct Row {
    pub line: Line,
    pub paper: Paper,
    pub times: Operations,
    pub fpr: f64,
    pub stored: Option<f64>,
}

impl Row {
    pub fn candidate(&self) -> Candidate {
        self.line.candidate
    }

    /// Seconds to build one set.
    pub fn build_s(&self) -> f64 {
        self.times.insert.median * self.paper.keys as f64 / 1e9
    }
}

/// What becomes of the choice with more keys than it was made for.
#[derive(Clone, Copy, Debug)]
pub struct Sensitivity {
    pub times: f64,
    /// `None`: it refuses them.
    pub fpr: Option<f64>,
    pub overhead: Option<f64>,
    /// Who would be best, all at the sizes they have.
    pub best: Candidate,
}

/// A size that a candidate may have.
type Size = (Paper, Operations, Overhead);

/// The answer.
pub struct Advice {
    pub work: f64,
    pub choice: Row,
    /// Best of the others.
    pub runner_up: Option<Row>,
    /// The choice's overhead cannot be told from these.
    pub too_close: Vec<Candidate>,
    /// By overhead.
    pub rows: Vec<Row>,
    pub rejected: Vec<Rejected>,
    pub lines: Vec<Line>,
    pub envelope: Vec<Piece>,
    pub sensitivity: Vec<Sensitivity>,
    /// From this work cost on the best filter pays.
    pub pays_from: Option<f64>,
    /// Of the choice at just the FPR asked for, where more bits are worth it: the
    /// bits per key and the overhead.
    pub at_asked_fpr: Option<(f64, f64)>,
}

/// Advises.
///
/// # Errors
///
/// The wishes cannot be granted: why, and what would do.
pub fn advise(workload: &Workload, times: &Times) -> Result<Advice> {
    impossible::check(workload)?;
    let (sizes, rejected) = possible(workload, times)?;
    let all = sizes.iter().enumerate();
    let lines: Vec<Line> = all
        .map(|(size, (paper, times, over))| line(workload, paper, times, *over, size))
        .collect();
    let work = workload.work_cost.ns;
    let row = |line: &Line| row(workload, &sizes[line.size], line);
    // Of those that cannot be told apart the one with the least memory.
    let close = near(&lines, work);
    let Some(chosen) = smallest(&close, work) else {
        bail!("nothing was measured");
    };
    let choice = row(chosen);
    let mut rows: Vec<Row> = Candidate::ALL
        .into_iter()
        .filter_map(|candidate| Some(row(own_best(&lines, candidate, work, chosen)?)))
        .collect();
    rows.sort_by(|a, b| a.line.at(work).total_cmp(&b.line.at(work)));
    let mut too_close: Vec<Candidate> = close.iter().map(|line| line.candidate).collect();
    too_close.sort_unstable();
    too_close.dedup();
    too_close.retain(|one| *one != choice.candidate());
    let is_other = |row: &&Row| row.candidate() != choice.candidate();
    Ok(Advice {
        work,
        sensitivity: [1.05, 2.0]
            .map(|times| sensitivity(workload, &rows, &choice, times))
            .into(),
        pays_from: pays_from(workload, &lines),
        at_asked_fpr: at_asked_fpr(workload, &lines, &sizes, &choice),
        envelope: envelope(&lines),
        runner_up: rows.iter().find(is_other).cloned(),
        choice,
        too_close,
        rows,
        rejected,
        lines,
    })
}

/// All sizes of all candidates that can do it, and those that cannot.
fn possible(workload: &Workload, times: &Times) -> Result<(Vec<Size>, Vec<Rejected>)> {
    let (mut possible, mut rejected) = (Vec::new(), Vec::new());
    for candidate in workload.candidates() {
        match timed(candidate, workload, times) {
            Ok(own) => possible.extend(own),
            Err(reasons) => rejected.push(Rejected { candidate, reasons }),
        }
    }
    let is_none = |(paper, ..): &Size| paper.candidate == Candidate::None;
    if possible.iter().all(is_none) {
        bail!("{}", impossible::nothing_left(workload, &rejected));
    }
    Ok((possible, rejected))
}

/// The sizes that a candidate may have, or why there is none.
fn timed(
    candidate: Candidate,
    workload: &Workload,
    times: &Times,
) -> Result<Vec<Size>, Vec<String>> {
    let own = sizes(candidate, workload)?;
    let reach = |paper: &Paper| times.reach(candidate, paper.target_fpr);
    if !own.papers.iter().any(reach) {
        return Err(vec![impossible::NO_TIME.into()]);
    }
    let timed = own.papers.into_iter().filter(reach).filter_map(|paper| {
        let times = times.of(candidate, paper.keys, paper.target_fpr)?;
        Some((paper, times, own.over))
    });
    let timed: Vec<_> = timed.collect();
    if timed.is_empty() {
        return Err(vec![
            "has no time: it was not measured, or too quick to be told from its keys".into(),
        ]);
    }
    Ok(timed)
}

/// The line of the least memory, of two the one with the least overhead.
fn smallest<'a>(lines: &[&'a Line], work: f64) -> Option<&'a Line> {
    lines.iter().copied().min_by(|a, b| {
        let by_memory = a.memory.total_cmp(&b.memory);
        by_memory.then(a.at(work).total_cmp(&b.at(work)))
    })
}

fn line(
    workload: &Workload,
    paper: &Paper,
    times: &Operations,
    over: Overhead,
    size: usize,
) -> Line {
    let [base, low, high] = base(workload, times, paper.keys);
    Line {
        candidate: paper.candidate,
        size,
        bits_per_key: 8.0 * (paper.payload_bytes + over.memory) / paper.keys as f64,
        memory: bytes(paper, over, workload),
        base,
        low,
        high,
        slope: (1.0 - workload.hits) * paper.fpr(paper.keys).unwrap_or(1.0),
    }
}

fn row(workload: &Workload, (paper, times, over): &Size, line: &Line) -> Row {
    let stored = (paper.payload_bytes + over.stored) * workload.filters as f64;
    Row {
        line: *line,
        paper: paper.clone(),
        times: *times,
        fpr: paper.fpr(paper.keys).unwrap_or(1.0),
        stored: paper.candidate.is_sized().then_some(stored),
    }
}

/// The best size of a candidate, and of those as good the smallest.
fn own_best<'a>(
    lines: &'a [Line],
    candidate: Candidate,
    work: f64,
    chosen: &'a Line,
) -> Option<&'a Line> {
    if candidate == chosen.candidate {
        return Some(chosen);
    }
    let own: Vec<Line> = lines
        .iter()
        .filter(|line| line.candidate == candidate)
        .copied()
        .collect();
    let size = smallest(&near(&own, work), work)?.size;
    lines.iter().find(|line| line.size == size)
}

/// Everyone as large as it is, with so many times the keys.
fn sensitivity(workload: &Workload, rows: &[Row], choice: &Row, times: f64) -> Sensitivity {
    let work = workload.work_cost.ns;
    let keys = (choice.paper.keys as f64 * times).round() as u64;
    let overhead = |row: &Row| {
        let fpr = row.paper.fpr(keys)?;
        Some(row.line.base + (1.0 - workload.hits) * fpr * work)
    };
    let able = rows
        .iter()
        .filter_map(|row| Some((overhead(row)?, row.candidate())));
    let best = able.min_by(|a, b| a.0.total_cmp(&b.0));
    Sensitivity {
        times,
        fpr: choice.paper.fpr(keys),
        overhead: overhead(choice),
        best: best.map_or(Candidate::None, |(_, candidate)| candidate),
    }
}

/// A filter helps if (1 - s) (1 - f) t_w > t_l: from the least work cost on at
/// which one of any size does.
fn pays_from(workload: &Workload, lines: &[Line]) -> Option<f64> {
    let pays = |line: &Line| {
        let saved = (1.0 - workload.hits) - line.slope;
        (line.candidate.class() != Class::Nothing && saved > 0.0).then(|| line.base / saved)
    };
    lines.iter().filter_map(pays).min_by(f64::total_cmp)
}

/// The choice's own kind at just the FPR asked for, where it got more bits: the
/// bits per key and the overhead.
fn at_asked_fpr(
    workload: &Workload,
    lines: &[Line],
    sizes: &[Size],
    choice: &Row,
) -> Option<(f64, f64)> {
    let fpr = workload.fpr?;
    let is_asked = |line: &&Line| {
        let paper = &sizes[line.size].0;
        line.candidate == choice.candidate() && paper.target_fpr == fpr
    };
    let line = lines.iter().find(is_asked)?;
    (line.size != choice.line.size).then(|| (line.bits_per_key, line.at(workload.work_cost.ns)))
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            value::{Count, Share},
            wishes::Wishes,
        },
        *,
    };

    #[test]
    fn a_filter_pays_from_where_the_envelope_leaves_none() {
        let times = Times::committed("u64", false).unwrap();
        for (work, hits) in [("1ns", 0.5), ("80us", 0.5), ("150ms", 0.9)] {
            let wishes = Wishes {
                capacity: Some(Count(1_000_000)),
                work_cost: work.parse().ok(),
                hits: Some(Share(hits)),
                ..Wishes::default()
            };
            let workload = Workload::new(&wishes, None, None).unwrap();
            let advice = advise(&workload, &times).unwrap();
            let first = &advice.envelope[0];
            assert_eq!(first.candidate, Candidate::None, "{work}");
            let from = advice.pays_from.unwrap();
            assert!(
                (from / first.to - 1.0).abs() < 1e-9,
                "{work}: {from}, {first:?}"
            );
        }
    }
}
