//! The sizes that a candidate may have: those that keep the FPR and fit the
//! memory.

use super::{
    candidates::Candidate,
    capability::objections,
    paper::{Overhead, Paper, overhead, paper},
    value::Bytes,
    workload::Workload,
};

/// The most bits a key where neither an FPR nor a memory is given.
const MOST_BITS: f64 = 32.0;
/// The FPRs that sizes are tried for: halves of each other, down to this.
const LEAST_FPR: f64 = 1e-9;
/// Of the filter whose header is counted.
const USUAL_FPR: f64 = 0.01;
/// Halvings between the largest size that fits and the next.
const FITTING: u32 = 10;

/// Sizes on paper, and what each takes beside its bits.
pub struct Sizes {
    pub papers: Vec<Paper>,
    pub over: Overhead,
}

impl Sizes {
    /// Of all sets.
    pub fn bytes(&self, paper: &Paper, workload: &Workload) -> f64 {
        bytes(paper, self.over, workload)
    }
}

/// Of all sets.
pub fn bytes(paper: &Paper, over: Overhead, workload: &Workload) -> f64 {
    (paper.payload_bytes + over.memory) * workload.filters as f64
}

/// The targets that sizes are tried for: what is asked for, and its halves.
fn targets(workload: &Workload) -> Vec<f64> {
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

/// The sizes that a candidate may have.
///
/// # Errors
///
/// There is none: why.
pub fn sizes(candidate: Candidate, workload: &Workload) -> Result<Sizes, Vec<String>> {
    let against = objections(candidate, workload);
    if !against.is_empty() {
        return Err(against.into_iter().map(str::to_owned).collect());
    }
    let over =
        overhead(candidate, workload, USUAL_FPR).map_err(|error| vec![format!("{error:#}")])?;
    let papers = if candidate.is_sized() {
        sized(candidate, workload, over)?
    } else {
        vec![fixed(candidate, workload, over)?]
    };
    Ok(Sizes { papers, over })
}

fn at(candidate: Candidate, workload: &Workload, target: f64) -> Result<Paper, Vec<String>> {
    paper(candidate, workload, target).map_err(|error| vec![format!("{error:#}")])
}

fn fits(paper: &Paper, over: Overhead, workload: &Workload) -> bool {
    match (workload.memory, workload.fpr) {
        (Some(memory), _) => bytes(paper, over, workload) <= memory,
        // The size that was asked for by its FPR may be above it.
        (None, Some(fpr)) if paper.target_fpr >= fpr => true,
        (None, _) => !paper.candidate.is_sized() || paper.bits_per_key() <= MOST_BITS,
    }
}

/// What comes in one size.
fn fixed(candidate: Candidate, workload: &Workload, over: Overhead) -> Result<Paper, Vec<String>> {
    if candidate == Candidate::Bitmap && workload.memory.is_none() {
        too_sparse(workload)?;
    }
    let paper = at(candidate, workload, 0.5)?;
    if let Some(fpr) = workload.fpr.filter(|fpr| paper.target_fpr > *fpr)
        && candidate != Candidate::None
    {
        return Err(vec![format!(
            "has an FPR of {:.2e}, above {fpr:?}",
            paper.target_fpr
        )]);
    }
    if !fits(&paper, over, workload) {
        return Err(vec![too_large(&paper, over, workload)]);
    }
    Ok(paper)
}

/// A bitmap that takes more than the keys would is none to think of.
fn too_sparse(workload: &Workload) -> Result<(), Vec<String>> {
    let bits = workload.integers_below.unwrap_or(0) as f64 / 8.0;
    let table = at(Candidate::HashSet, workload, 0.5)?.payload_bytes;
    if bits <= table {
        return Ok(());
    }
    let [bits, table] = [bits, table].map(|bytes| Bytes(bytes * workload.filters as f64));
    Err(vec![format!(
        "takes {bits}, more than a hash set's {table}: the keys lie too far apart"
    )])
}

/// What can be made for any FPR.
fn sized(
    candidate: Candidate,
    workload: &Workload,
    over: Overhead,
) -> Result<Vec<Paper>, Vec<String>> {
    let mut found: Vec<Paper> = Vec::new();
    for target in targets(workload) {
        let Ok(paper) = at(candidate, workload, target) else {
            break;
        };
        if fits(&paper, over, workload) {
            found.push(paper);
            continue;
        }
        let Some(last) = found.last().map(|paper| paper.target_fpr) else {
            return Err(vec![too_large(&paper, over, workload)]);
        };
        // The one that fills the memory.
        let (mut holds, mut fails) = (last, target);
        for _ in 0..FITTING {
            let middle = (holds * fails).sqrt();
            match at(candidate, workload, middle) {
                Ok(paper) if fits(&paper, over, workload) => holds = middle,
                _ => fails = middle,
            }
        }
        found.push(at(candidate, workload, holds)?);
        break;
    }
    if found.is_empty() {
        at(candidate, workload, workload.fpr.unwrap_or(0.5))?;
        return Err(vec!["has no size for this".into()]);
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

#[cfg(test)]
mod tests {
    use super::{
        super::{value::Count, wishes::Wishes},
        *,
    };

    #[test]
    fn a_bitmap_of_a_sparse_range_is_out() {
        let bitmap = |below: u64, memory: Option<f64>| {
            let wishes = Wishes {
                capacity: Some(Count(1_000_000)),
                integers_below: Some(Count(below)),
                memory: memory.map(Bytes),
                ..Wishes::default()
            };
            let workload = Workload::new(&wishes, None, None).unwrap();
            sizes(Candidate::Bitmap, &workload).map(|sizes| sizes.papers[0].payload_bytes)
        };
        assert_eq!(bitmap(8_000_000, None), Ok(1e6));
        // A hash set takes 2^21 buckets of nine bytes, 18.9 MB.
        assert_eq!(bitmap(150_000_000, None), Ok(18.75e6));
        assert!(bitmap(160_000_000, None).unwrap_err()[0].contains("hash set"));
        assert_eq!(bitmap(160_000_000, Some(30e6)), Ok(20e6));
        assert!(bitmap(160_000_000, Some(10e6)).is_err());
        assert!(bitmap(1_000_000_000_000_000_000, None).is_err());
        assert!(bitmap(1_000_000_000_000_000_000, Some(1e18)).is_err());
    }
}
