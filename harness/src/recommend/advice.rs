//! From a workload and times to an answer.

use anyhow::{Result, bail};

use super::{
    candidates::{Candidate, Class},
    capability::objections,
    impossible,
    model::{Line, Piece, base, envelope, near},
    paper::{Overhead, Paper, overhead, paper},
    times::{Operations, Times},
    value::Bytes,
    workload::Workload,
};

/// The most bits a key where neither an FPR nor a memory is given.
pub const MOST_BITS: f64 = 32.0;
/// The FPRs that sizes are tried for: halves of each other, down to this.
const LEAST_FPR: f64 = 1e-9;
/// Of the filter whose header is counted.
const USUAL_FPR: f64 = 0.01;
/// Halvings between the largest size that fits and the next.
const FITTING: u32 = 10;

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

/// The targets that sizes are tried for: what is asked for, and its halves.
pub fn targets(workload: &Workload) -> Vec<f64> {
    let from = workload.fpr.unwrap_or(0.5);
    let halves = std::iter::successors(Some(from), |fpr| Some(fpr / 2.0));
    halves
        .take_while(|fpr| *fpr >= LEAST_FPR.min(from))
        .collect()
}

/// Those of them that times are needed for: as far as the memory goes.
pub fn candidate_targets(workload: &Workload) -> Vec<f64> {
    let targets = targets(workload);
    let keys = workload.final_keys() as f64 * workload.filters as f64;
    let bits = workload
        .memory
        .map_or(MOST_BITS, |memory| 8.0 * memory / keys);
    // No filter gets more out of its bits.
    let least = (-bits / 1.3).exp2();
    let reachable = targets.iter().copied().filter(|fpr| *fpr >= least);
    let reachable: Vec<f64> = reachable.collect();
    if reachable.is_empty() {
        targets[..1].to_vec()
    } else {
        reachable
    }
}

/// Advises.
///
/// # Errors
///
/// The wishes cannot be granted: why, and what would do.
pub fn advise(workload: &Workload, times: &Times) -> Result<Advice> {
    impossible::check(workload)?;
    let mut rejected = Vec::new();
    let mut sizes: Vec<Size> = Vec::new();
    for candidate in workload.candidates() {
        match possible(candidate, workload, times) {
            Ok(own) => sizes.extend(own),
            Err(reasons) => rejected.push(Rejected { candidate, reasons }),
        }
    }
    if sizes
        .iter()
        .all(|(paper, ..)| paper.candidate == Candidate::None)
    {
        bail!("{}", impossible::nothing_left(workload, &rejected));
    }
    let all = sizes.iter().enumerate();
    let lines: Vec<Line> = all
        .map(|(size, (paper, times, over))| line(workload, paper, times, *over, size))
        .collect();
    let work = workload.work_cost.ns;
    let row = |line: &Line| row(workload, &sizes[line.size], line);
    // Of those that cannot be told apart the one with the least memory.
    let close = near(&lines, work);
    let chosen = close.iter().min_by(|a, b| {
        let by_memory = a.memory.total_cmp(&b.memory);
        by_memory.then(a.at(work).total_cmp(&b.at(work)))
    });
    let Some(chosen) = chosen else {
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
    let runner_up = rows
        .iter()
        .find(|row| row.candidate() != choice.candidate())
        .cloned();
    Ok(Advice {
        work,
        sensitivity: [1.05, 2.0]
            .map(|times| sensitivity(workload, &rows, &choice, times))
            .into(),
        pays_from: pays_from(workload, &rows),
        at_asked_fpr: at_asked_fpr(workload, &lines, &sizes, &choice),
        envelope: envelope(&lines),
        choice,
        runner_up,
        too_close,
        rows,
        rejected,
        lines,
    })
}

/// The sizes that a candidate may have, or why there is none.
fn possible(
    candidate: Candidate,
    workload: &Workload,
    times: &Times,
) -> Result<Vec<Size>, Vec<String>> {
    let against = objections(candidate, workload);
    if !against.is_empty() {
        return Err(against.into_iter().map(str::to_owned).collect());
    }
    let over =
        overhead(candidate, workload, USUAL_FPR).map_err(|error| vec![format!("{error:#}")])?;
    let papers = papers(candidate, workload, over)?;
    let timed = papers.into_iter().filter_map(|paper| {
        let times = times.of(candidate, paper.keys, paper.target_fpr)?;
        Some((paper, times, over))
    });
    let timed: Vec<_> = timed.collect();
    if timed.is_empty() {
        return Err(vec!["was not measured".into()]);
    }
    Ok(timed)
}

fn bytes(paper: &Paper, over: Overhead, workload: &Workload) -> f64 {
    (paper.payload_bytes + over.memory) * workload.filters as f64
}

/// All sizes that keep the FPR and fit the memory.
fn papers(
    candidate: Candidate,
    workload: &Workload,
    over: Overhead,
) -> Result<Vec<Paper>, Vec<String>> {
    let fits = |paper: &Paper| match (workload.memory, workload.fpr) {
        (Some(memory), _) => bytes(paper, over, workload) <= memory,
        // The size that was asked for by its FPR may be above it.
        (None, Some(fpr)) if paper.target_fpr >= fpr => true,
        (None, _) => !candidate.is_sized() || paper.bits_per_key() <= MOST_BITS,
    };
    let at =
        |target| paper(candidate, workload, target).map_err(|error| vec![format!("{error:#}")]);
    if !candidate.is_sized() {
        let paper = at(0.5)?;
        if let Some(fpr) = workload.fpr.filter(|fpr| paper.target_fpr > *fpr)
            && candidate != Candidate::None
        {
            return Err(vec![format!(
                "has an FPR of {:.2e}, above {fpr:?}",
                paper.target_fpr
            )]);
        }
        return if fits(&paper) {
            Ok(vec![paper])
        } else {
            Err(vec![too_large(&paper, over, workload)])
        };
    }
    let mut found: Vec<Paper> = Vec::new();
    let mut last = f64::NAN;
    for target in targets(workload) {
        let Ok(paper) = at(target) else {
            break;
        };
        if !fits(&paper) {
            if found.is_empty() {
                return Err(vec![too_large(&paper, over, workload)]);
            }
            // The one that fills the memory.
            let (mut holds, mut fails) = (last, target);
            for _ in 0..FITTING {
                let middle = (holds * fails).sqrt();
                match at(middle) {
                    Ok(paper) if fits(&paper) => holds = middle,
                    _ => fails = middle,
                }
            }
            found.push(at(holds)?);
            break;
        }
        last = target;
        found.push(paper);
    }
    if found.is_empty() {
        return Err(match at(workload.fpr.unwrap_or(0.5)) {
            Err(why) => why,
            Ok(_) => vec!["has no size for this".into()],
        });
    }
    Ok(found)
}

fn too_large(paper: &Paper, over: Overhead, workload: &Workload) -> String {
    format!(
        "takes {} ({:.1} bits a key) at the least{}",
        Bytes(bytes(paper, over, workload)),
        8.0 * (paper.payload_bytes + over.memory) / paper.keys as f64,
        workload.memory.map_or(String::new(), |memory| format!(
            ", and there are {}",
            Bytes(memory)
        ))
    )
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
    let smallest = near(&own, work)
        .into_iter()
        .min_by(|a, b| a.memory.total_cmp(&b.memory))?;
    let size = smallest.size;
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

/// A filter helps if (1 - s) (1 - f) t_w > t_l.
fn pays_from(workload: &Workload, rows: &[Row]) -> Option<f64> {
    let pays = |row: &Row| {
        let saved = (1.0 - workload.hits) - row.line.slope;
        (row.candidate().class() != Class::Nothing && saved > 0.0).then(|| row.line.base / saved)
    };
    rows.iter().filter_map(pays).min_by(f64::total_cmp)
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
